import NIOConcurrencyHelpers

/// Which feature knows the versions of which topics.
final class LiveLookups: Sendable {
    private let entries = NIOLockedValueBox<[(prefix: String, lookup: LiveHub.VersionLookup)]>([])

    func add(_ prefix: String, _ lookup: @escaping LiveHub.VersionLookup) {
        entries.withLockedValue { $0.append((prefix, lookup)) }
    }

    func lookup(for topic: String) -> LiveHub.VersionLookup? {
        entries.withLockedValue { entries in entries.first { topic.hasPrefix($0.prefix) }?.lookup }
    }
}
