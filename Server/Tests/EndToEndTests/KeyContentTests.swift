import Foundation
import InlaySQLTesting
@_spi(Inlay) import InlayTesting
import Testing

/// Tests of the command `inlay key content`.
@Suite struct KeyContentTests {
    @Test(.timeLimit(.minutes(5)))
    func `keys of a lost secret are replaced together, and the command refuses a single key or a file`()
        async throws
    {
        try await TestDatabase.withURL(.sqlite) { database in
            let folder = try TemporaryFolder()
            func path(_ name: String) -> String { folder.url.appendingPathComponent(name).path }
            func run(_ arguments: [String]) async throws -> [String] {
                try await ServerProcess.run(["key"] + arguments, on: database, in: folder)
            }
            _ = try await run(["create", "harbor", "--private-key", path("key.pem")])
            _ = try await run(["content", "make", "harbor", "main", "--root-file", path("root.key")])
            let secret = URL(fileURLWithPath: String(database.dropFirst("sqlite:".count)))
                .deletingLastPathComponent().appendingPathComponent("content.secret")
            try FileManager.default.removeItem(at: secret)
            _ = try await run(["lost-secret", "--give-up"])

            let lost = try await run(["content", "list", "harbor", "main"])
            #expect(lost.count == 4 && lost.allSatisfy { $0.contains("in a file") })
            let rotate = ["content", "rotate", "harbor", "main", "lost", "--root-key", path("root.key")]
            for more in [["--file", path("other.key")], [String(lost[0].prefix(16))]] {
                let failed = try await ServerProcess.outcome(
                    of: ["key"] + rotate + more + ["--database", database], in: folder)
                #expect(failed.status == 64, "\(failed.error)")
                #expect(failed.error.contains("'lost' replaces all deleted keys"), "\(failed.error)")
            }
            #expect(try await run(["content", "list", "harbor", "main"]) == lost)
            let fresh = try await run(rotate)
            #expect(fresh.filter { $0.contains("held by the server") }.count == 3)
        }
    }
}
