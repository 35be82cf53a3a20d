package import InlaySQL

/// The id of a segment, unique in its environment.
package struct SegmentID: RecordID {
    package let rawValue: String

    package init(verified rawValue: String) { self.rawValue = rawValue }
}

/// A segment as other features name it.
package struct NamedSegment: Hashable, Sendable {
    package let id: SegmentID
    /// The display name.
    package let name: String

    /// A segment with its name.
    package init(id: SegmentID, name: String) {
        self.id = id
        self.name = name
    }
}

/// A lookup of segments and their users, so that one feature can reach the users that another selected.
///
/// Features do not know each other; the server passes one feature's implementation to the features that need it.
package protocol UserSegments: Sendable {
    /// Returns every segment of the environment, by name.
    func names(_ environmentID: EnvironmentID) async throws -> [NamedSegment]

    /// Returns the number of a segment's users, 0 for a deleted one. Runs the segment's query, as `users` does.
    func count(_ environmentID: EnvironmentID, segment id: SegmentID) async throws -> Int

    /// Whether the environment has this segment.
    func exists(_ environmentID: EnvironmentID, segment id: SegmentID, in connection: any SQLConnection)
        throws
        -> Bool

    /// Whether the user is in the segment now; `false` for a segment that was deleted.
    func contains(
        _ environmentID: EnvironmentID, segment id: SegmentID, user userID: UserID,
        in connection: any SQLConnection
    ) throws -> Bool

    /// Returns the ids of the users who are in the segment now, in order, after `userID`, at most `limit`; none for a
    /// segment that was deleted.
    ///
    /// Each call runs the segment's query again, on a connection for long queries, so use a large limit. Do not call it
    /// in a transaction.
    func users(
        _ environmentID: EnvironmentID, segment id: SegmentID, after userID: UserID, limit: Int
    ) async throws -> [UserID]
}

/// A server without segments.
package struct NoSegments: UserSegments {
    /// Creates a lookup without segments.
    package init() {}

    package func names(_ environmentID: EnvironmentID) -> [NamedSegment] { [] }

    package func count(_ environmentID: EnvironmentID, segment id: SegmentID) -> Int { 0 }

    package func exists(
        _ environmentID: EnvironmentID, segment id: SegmentID, in connection: any SQLConnection
    ) -> Bool { false }

    package func contains(
        _ environmentID: EnvironmentID, segment id: SegmentID, user userID: UserID,
        in connection: any SQLConnection
    ) -> Bool { false }

    package func users(
        _ environmentID: EnvironmentID, segment id: SegmentID, after userID: UserID, limit: Int
    ) -> [UserID] { [] }
}
