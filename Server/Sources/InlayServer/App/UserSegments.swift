import InlaySQL

/// Tells who is in a segment, so that one room can reach users whom another has chosen.
///
/// Rooms do not know each other; the application gives this one to those that ask.
package protocol UserSegments: Sendable {
    /// Whether the environment has this segment.
    func exists(_ environmentID: String, segment id: String, in connection: any SQLConnection) throws -> Bool

    /// Whether the user is in it now; nobody is in a segment that is gone.
    func contains(
        _ environmentID: String, segment id: String, user userID: String, in connection: any SQLConnection
    ) throws -> Bool

    /// Returns the ids of the users who are in it now, in order: so many at most, behind a user's id; none for a segment
    /// that is gone.
    ///
    /// Each call runs the segment's query anew, on a connection for long queries, so the limit is to be a large one. Not
    /// to be called in a transaction.
    func users(
        _ environmentID: String, segment id: String, after userID: String, limit: Int
    ) async throws -> [String]
}

/// A server without segments.
package struct NoSegments: UserSegments {
    /// Nobody is in any.
    package init() {}

    package func exists(
        _ environmentID: String, segment id: String, in connection: any SQLConnection
    ) -> Bool { false }

    package func contains(
        _ environmentID: String, segment id: String, user userID: String, in connection: any SQLConnection
    ) -> Bool { false }

    package func users(
        _ environmentID: String, segment id: String, after userID: String, limit: Int
    ) -> [String] { [] }
}
