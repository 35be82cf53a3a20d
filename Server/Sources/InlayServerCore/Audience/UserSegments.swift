package import InlaySQL

/// The id of a segment, unique in its environment.
package struct SegmentID: RecordID {
    package let rawValue: String

    package init(verified rawValue: String) { self.rawValue = rawValue }
}

/// A segment as other features name it.
package struct NamedSegment: Hashable, Sendable {
    package let id: SegmentID
    /// For people.
    package let name: String

    /// A segment with its name.
    package init(id: SegmentID, name: String) {
        self.id = id
        self.name = name
    }
}

/// A lookup of segments and their users, so that one feature can reach the users that another selected.
///
/// Features do not know each other; the application gives this one to those that ask.
package protocol UserSegments: Sendable {
    /// Every segment of the environment, by name.
    func names(_ environmentID: EnvironmentID) async throws -> [NamedSegment]

    /// Returns the number of a segment's users, 0 for a deleted one. Runs the segment's query, as `users` does.
    func count(_ environmentID: EnvironmentID, segment id: SegmentID) async throws -> Int

    /// Whether the environment has this segment.
    func exists(_ environmentID: EnvironmentID, segment id: SegmentID, in connection: any SQLConnection)
        throws
        -> Bool

    /// Whether the user is in it now; `false` for a segment that was deleted.
    func contains(
        _ environmentID: EnvironmentID, segment id: SegmentID, user userID: UserID,
        in connection: any SQLConnection
    ) throws -> Bool

    /// Returns the ids of the users who are in it now, in order: so many at most, behind a user's id; none for a segment
    /// that is gone.
    ///
    /// Each call runs the segment's query anew, on a connection for long queries, so the limit is to be a large one. Not
    /// to be called in a transaction.
    func users(
        _ environmentID: EnvironmentID, segment id: SegmentID, after userID: UserID, limit: Int
    ) async throws -> [UserID]
}

/// A server without segments.
package struct NoSegments: UserSegments {
    /// Nobody is in any.
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
