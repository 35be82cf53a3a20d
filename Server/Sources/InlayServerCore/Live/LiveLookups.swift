import NIOConcurrencyHelpers

/// The features that know the versions of topics.
final class LiveLookups: Sendable {
    private let entries = NIOLockedValueBox<[(prefix: String, lookup: LiveHub.VersionsLookup)]>([])

    func add(_ prefix: String, _ lookup: @escaping LiveHub.VersionsLookup) {
        entries.withLockedValue { $0.append((prefix, lookup)) }
    }

    /// The topics that somebody knows, by who knows them.
    func byLookup(_ topics: Set<LiveTopic>) -> [(lookup: LiveHub.VersionsLookup, topics: [LiveTopic])] {
        let entries = entries.withLockedValue { $0 }
        var known: [Int: [LiveTopic]] = [:]
        for topic in topics {
            guard let index = entries.firstIndex(where: { topic.topic.hasPrefix($0.prefix) }) else {
                continue
            }
            known[index, default: []].append(topic)
        }
        return known.map { (entries[$0.key].lookup, $0.value) }
    }
}
