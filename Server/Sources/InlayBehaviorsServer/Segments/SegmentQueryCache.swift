import InlayServerCore
@_spi(Inlay) import InlayWire
import NIOConcurrencyHelpers

/// A cache of segments' queries, so that a definition is decoded once per change.
///
/// Every evaluation, for example of an ad's segment, still reads the stored definition, so that a change on any node
/// takes effect at once. A cached query is used only while its definition is the stored one.
final class SegmentQueryCache: Sendable {
    private struct Key: Hashable {
        let environmentID: EnvironmentID
        let id: SegmentID
    }

    private struct Entry: Sendable {
        let definition: String
        let query: SegmentQuery
    }

    private static let maximumEntries = 20_000
    private let entries = NIOLockedValueBox<[Key: Entry]>([:])

    /// Returns the query of a segment with this definition; calls `make` when the cache has none for it.
    func query(
        _ environmentID: EnvironmentID, _ id: SegmentID, definition: String, make: () -> SegmentQuery
    ) -> SegmentQuery {
        let key = Key(environmentID: environmentID, id: id)
        if let entry = entries.withLockedValue({ $0[key] }), entry.definition == definition {
            return entry.query
        }
        // Features decode the definitions, so not under the lock.
        let query = make()
        entries.withLockedValue { entries in
            if entries.count >= Self.maximumEntries { entries.removeAll() }
            entries[key] = Entry(definition: definition, query: query)
        }
        return query
    }
}
