import Foundation
import InlaySQL
import InlaySQLTesting
import Testing

/// What several nodes that tell each other of their writes cost each other.
@Suite(.serialized, .timeLimit(.minutes(5))) struct CommitRateTests {
    private static let schema = SQLMigration(
        feature: "c", name: "1",
        sql: "CREATE TABLE items (seq INTEGER PRIMARY KEY AUTOINCREMENT, node BIGINT NOT NULL)")

    /// How long so many commits of each node take, each followed by a message to the others.
    private func time(of nodes: [any SQLDatabase], commits: Int) async throws -> Duration {
        let start = ContinuousClock.now
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (number, node) in nodes.enumerated() {
                group.addTask {
                    for _ in 0..<commits {
                        try await node.write {
                            try $0.execute("INSERT INTO items (node) VALUES (?)", [.int(number)])
                        }
                        try await node.notify("changes", "\(number)")
                    }
                }
            }
            try await group.waitForAll()
        }
        return start.duration(to: .now)
    }

    @Test func `four nodes with live messages commit at least three times as often as one`() async throws {
        try await PrivatePostgres.with { postgres in
            // A commit that takes 3 ms, waited for inside of the commit as for a disk.
            for line in [
                "fsync = on", "synchronous_commit = on", "commit_delay = 3000", "commit_siblings = 0",
            ] {
                try PostgresAdmin.run("ALTER SYSTEM SET \(line)", at: postgres.url)
            }
            try PostgresAdmin.run("SELECT pg_reload_conf()", at: postgres.url)
            var nodes: [any SQLDatabase] = []
            for _ in 0..<4 { nodes.append(try await SQLDatabaseURL.open(postgres.url)) }
            defer { nodes.forEach { $0.close() } }
            try await nodes[0].migrate([Self.schema])
            _ = try await time(of: nodes, commits: 5)
            var best = 0.0
            // A busy machine slows four more than one; where they wait for each other, no round comes near.
            for _ in 0..<8 where best < 3 {
                let one = try await time(of: [nodes[0]], commits: 60)
                let four = try await time(of: nodes, commits: 60)
                best = max(best, 4 * (one / four))
            }
            #expect(best >= 3)
        }
    }
}
