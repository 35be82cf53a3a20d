/// A database with the writer of one lane, or with the reads of long queries; `engineDatabase` does everything else.
struct LaneDatabase: ForwardingDatabase, GroupCommitting {
    let engineDatabase: any LanedDatabase
    let name: String
    let writer: GroupWriter
    var isForAnalytics = false

    var base: any SQLDatabase { engineDatabase }
    var forAnalytics: any SQLDatabase {
        LaneDatabase(engineDatabase: engineDatabase, name: name, writer: writer, isForAnalytics: true)
    }

    func lane(_ name: String, sharesCommits: Bool) -> any SQLDatabase {
        base.lane(name, sharesCommits: sharesCommits)
    }

    func read<T: Sendable>(_ body: @escaping @Sendable (any SQLConnection) throws -> T) async throws -> T {
        try await engineDatabase.read(lane: name, isForAnalytics: isForAnalytics, body)
    }

    func write<T: Sendable>(_ body: @escaping @Sendable (any SQLConnection) throws -> T) async throws -> T {
        try await writer.write(body)
    }
}

/// A database that reads for lanes, with connections reserved for long queries.
protocol LanedDatabase: SQLDatabase {
    /// Runs a body that reads, for a lane or on the connections reserved for long queries.
    func read<T: Sendable>(
        lane: String, isForAnalytics: Bool, _ body: @escaping @Sendable (any SQLConnection) throws -> T
    ) async throws -> T
}
