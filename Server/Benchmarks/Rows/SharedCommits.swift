import Foundation
import InlaySQL
import InlayServerCore

/// A measurement of writes that share a commit: 64 concurrent callers, compared with one caller for each lane, whose
/// writes cannot share; on SQLite, and on a PostgreSQL whose commits take 3 ms.
struct SharedCommits {
    /// The script that starts a PostgreSQL.
    let postgres: String
    let seconds: Int
    private static let callers = 64

    func measure() async throws -> [BenchRow] {
        let folder = FileManager.default.temporaryDirectory.path
        let sqlite = try await row("sqlite:\(folder)/commits.sqlite", lanes: 1, "SQLite")
        let server = try await BenchPostgres(
            script: postgres, settings: ["commit_delay = 3000", "commit_siblings = 0"])
        defer { server.stop() }
        let name = "PostgreSQL, commits of 3 ms"
        return [
            sqlite, try await row(server.url, lanes: 1, name), try await row(server.url, lanes: 8, name),
        ]
    }

    private func row(_ url: String, lanes: Int, _ engine: String) async throws -> BenchRow {
        let database = try await SQLDatabaseURL.open(url)
        defer { database.close() }
        try await database.write { connection in
            _ = try connection.execute("CREATE TABLE IF NOT EXISTS shared_commits (filler TEXT)")
        }
        let shared = try await writes(of: Self.callers, lanes: lanes, database)
        return BenchRow(
            name: "writes of \(Self.callers) callers in \(lanes) lane\(lanes == 1 ? "" : "s"), \(engine)",
            value: shared, unit: "/s",
            peer: .init(
                name: "a commit for each", value: try await writes(of: lanes, lanes: lanes, database)))
    }

    /// Returns the writes per second of a number of callers, each of which waits for its commit.
    private func writes(of callers: Int, lanes: Int, _ database: any SQLDatabase) async throws -> Double {
        let end = ContinuousClock.now + .seconds(seconds)
        return try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<callers {
                // Ends with the first commit after the end.
                group.addTask {
                    let lane = database.lane("lane-\(number % lanes)")
                    var count = 0
                    while ContinuousClock.now < end {
                        try await lane.write {
                            _ = try $0.execute("INSERT INTO shared_commits (filler) VALUES (?)", ["row"])
                        }
                        count += 1
                    }
                    return count
                }
            }
            return Double(try await group.reduce(0, +)) / Double(seconds)
        }
    }
}
