import Foundation
import InlaySQL
import InlaySQLTesting
@_spi(Inlay) import InlayTesting
import Testing

/// Tests of the command `inlay key lost-secret`.
@Suite struct KeyLostSecretTests {
    private func keysInUse(_ url: String) async throws -> Int {
        let database = try await SQLDatabaseURL.open(url)
        defer { database.close() }
        return try await database.read {
            try $0.rows("SELECT COUNT(*) AS n FROM ad_keys WHERE ends_at > retires_at")[0].int("n")
        }
    }

    @Test(.timeLimit(.minutes(5)))
    func `keys are deleted only with --give-up, and not under a server that may open them`() async throws {
        try await TestDatabase.withURL(.sqlite) { database in
            let folder = try TemporaryFolder()
            func run(_ arguments: String...) async throws -> String {
                try await ServerProcess.run(["key", "lost-secret"] + arguments, on: database, in: folder)
                    .joined(separator: "\n")
            }
            let server = try await ServerProcess.start(on: database, in: folder)
            // The command cannot decrypt this key, as in a shell without the server's settings.
            try await KeyAdsTests.insert("00112233aabb", "tracker", database)
            let file = URL(fileURLWithPath: String(database.dropFirst("sqlite:".count)))
                .deletingLastPathComponent().appendingPathComponent("content.secret").path
            let words = try await run()
            #expect(
                words.contains("\(file) does not decrypt") && words.contains("1 of 1 keys of the ad exchange")
            )
            let refused = try await ServerProcess.outcome(
                of: ["key", "lost-secret", "--give-up", "--database", database], in: folder)
            #expect(refused.status == 1, "\(refused.error)")
            #expect(refused.error.contains("A server, or another command, uses this database"))
            #expect(try await keysInUse(database) == 1)
            try await server.crash()
            #expect(try await run().contains("Nothing was changed"))
            #expect(try await keysInUse(database) == 1)
            #expect(try await run("--give-up").contains("The keys were deleted"))
            #expect(try await keysInUse(database) == 0)
        }
    }
}
