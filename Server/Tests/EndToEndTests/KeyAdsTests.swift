import Foundation
import InlaySQL
import InlaySQLTesting
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
import Testing

/// Tests of the command `inlay key ads`.
@Suite struct KeyAdsTests {
    /// Inserts a key that no content secret decrypts into the database.
    static func insert(_ id: String, _ purpose: String, _ url: String) async throws {
        let database = try await SQLDatabaseURL.open(url)
        defer { database.close() }
        let now = Timestamp(seconds: Date().timeIntervalSince1970).microseconds
        let day: Int64 = 86_400_000_000
        try await database.write { connection in
            try connection.execute(
                """
                INSERT INTO ad_keys (environment_id, id, purpose, sealed, created_at, retires_at, ends_at)
                VALUES ('harbor', ?, ?, ?, ?, ?, ?)
                """,
                [
                    .text(id), .text(purpose), .blob(Data([1])), .integer(now), .integer(now + day),
                    .integer(now + 2 * day),
                ])
        }
    }

    @Test(.timeLimit(.minutes(5)))
    func `an operator lists the keys of ads, replaces them, and ends stolen ones at once`()
        async throws
    {
        try await TestDatabase.withURL(.sqlite) { database in
            let folder = try TemporaryFolder()
            func run(_ arguments: String...) async throws -> [String] {
                try await ServerProcess.run(arguments, on: database, in: folder)
            }
            let pem = folder.url.appendingPathComponent("key.pem").path
            _ = try await run("key", "create", "harbor", "--private-key", pem)
            #expect(try await run("key", "ads", "harbor").isEmpty)
            try await Self.insert("00112233aabb", "tracker", database)
            try await Self.insert("99112233aabb", "reward", database)
            let lines = try await run("key", "ads", "harbor")
            #expect(
                lines.map { String($0.prefix(34)) }.sorted() == [
                    "00112233aabb  tracker  signs until", "99112233aabb  reward   signs until",
                ])
            let retired = try await run("key", "ads", "harbor", "--rotate")
            #expect(retired.count == 2 && retired.allSatisfy { $0.contains("  valid until ") })
            let ended = try await run("key", "ads", "harbor", "--rotate", "--at-once")
            #expect(ended.count == 1 && ended[0].contains("Your apps' servers trust stolen reward keys"))
            let wrong: [([String], Int32, String)] = [
                (["nowhere", "--rotate"], 1, #"There is no environment "nowhere"."#),
                (["harbor", "--at-once"], 64, "--at-once needs --rotate."),
            ]
            for (arguments, status, message) in wrong {
                let failed = try await ServerProcess.outcome(
                    of: ["key", "ads"] + arguments + ["--database", database], in: folder)
                #expect(failed.status == status && failed.error.contains(message), "\(failed.error)")
            }
        }
    }
}
