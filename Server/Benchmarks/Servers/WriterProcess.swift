import ArgumentParser
import Foundation
import InlaySQL

/// One node's writer in a process of its own: commits one after another, each with a live message if asked.
struct WriterProcess: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "writer", shouldDisplay: false)

    @Option var database: String
    @Option var seconds: Int
    /// Whether each commit is followed by a message to the other nodes.
    @Flag var messages = false
    /// Whether each commit also adds to one row that all writers share.
    @Flag var counter = false

    func run() async throws {
        let database = try await SQLDatabaseURL.open(database)
        defer { database.close() }
        let lane = database.lane("bench")
        try await database.migrate([Self.schema])
        Announcement.say("READY")
        let end = ContinuousClock.now + .seconds(seconds)
        var commits = 0
        while ContinuousClock.now < end {
            try await lane.write { [counter] connection in
                try connection.execute("INSERT INTO bench_rows (filler) VALUES (?)", ["row"])
                guard counter else { return }
                try connection.execute("UPDATE bench_counters SET total = total + 1 WHERE id = 1")
            }
            if messages { try await database.notify("bench", "changed") }
            commits += 1
        }
        Announcement.say("COMMITS \(commits)")
    }

    private static let schema = SQLMigration(
        feature: "bench", name: "1",
        sql: """
            CREATE TABLE bench_rows (seq INTEGER PRIMARY KEY AUTOINCREMENT, filler TEXT NOT NULL);
            CREATE TABLE bench_counters (id BIGINT PRIMARY KEY, total BIGINT NOT NULL);
            INSERT INTO bench_counters VALUES (1, 0)
            """)
}
