import Foundation
import InlaySQL
import InlaySQLTesting
import Testing

@testable import InlayServerCore
@testable import InlayServerTesting

/// The answers of `/ready` and of other requests while the database cannot be used.
@Suite(.timeLimit(.minutes(5))) struct ReadinessTests {
    @Test func `a read-only database is reported as such until it takes writes again`() async throws {
        try await TestDatabase.withURL(.postgresql) { url in
            let name = try #require(URLComponents(string: url)).path.dropFirst()
            let server = try #require(ProcessInfo.processInfo.environment["INLAY_TEST_POSTGRES"])
            try await TestApp.run(url: url) { app in
                let tenant = try await TestTenant.make(app)
                let write = { try await app.sendJSON("PUT", "/v1/users/a", headers: tenant.backend, "{}") }
                try PostgresAdmin.run(
                    """
                    ALTER DATABASE \(name) SET default_transaction_read_only = on;
                    SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '\(name)'
                    """, at: server)
                let answer = try await write()
                #expect(answer.status == 503)
                #expect(answer.headers["retry-after"] == "5")
                let ready = try await app.send("GET", "/ready")
                #expect(ready.status == 503)
                #expect(try ready.problem.detail == "The database is read-only.")
                try PostgresAdmin.run(
                    "ALTER DATABASE \(name) RESET default_transaction_read_only", at: server)
                #expect(try await write().status == 204)
                #expect(try await app.send("GET", "/ready").status == 200)
            }
        }
    }

    @Test(arguments: ["", "-wal", "-shm"])
    func `a file that was moved away is reported until it is back`(suffix: String) async throws {
        try await TestDatabase.withFolder { folder in
            let path = folder + "/inlay.sqlite" + suffix
            try await TestApp.run(url: "sqlite:\(folder)/inlay.sqlite") { app in
                let tenant = try await TestTenant.make(app)
                try FileManager.default.moveItem(atPath: path, toPath: path + ".moved")
                let ready = try await app.send("GET", "/ready")
                #expect(ready.status == 503)
                #expect(
                    try ready.problem.detail
                        == "The database's file or its write-ahead log was moved, replaced or truncated.")
                let write = { try await app.sendJSON("PUT", "/v1/users/a", headers: tenant.backend, "{}") }
                let answer = try await write()
                #expect(answer.status == 503)
                #expect(answer.headers["retry-after"] == "60")
                try FileManager.default.moveItem(atPath: path + ".moved", toPath: path)
                #expect(try await write().status == 204)
                #expect(try await app.send("GET", "/ready").status == 200)
            }
        }
    }

    @Test func `a full disk is reported until there is space again`() async throws {
        try await TestApp.run { app in
            let database = app.services.database
            let pages = try await database.write { connection in
                let pages = try connection.rows("PRAGMA page_count")[0].int("page_count")
                _ = try connection.rows("PRAGMA max_page_count = \(pages + 5)")
                return pages
            }
            await #expect(throws: SQLError.self) {
                try await database.write { connection in
                    try connection.execute("CREATE TABLE big (bytes BLOB)")
                    try connection.execute("INSERT INTO big VALUES (?)", [.blob(Data(count: 200_000))])
                }
            }
            let ready = try await app.send("GET", "/ready")
            #expect(ready.status == 503)
            #expect(try ready.problem.detail == "The disk is full.")
            try await database.write { connection in
                _ = try connection.rows("PRAGMA max_page_count = \(pages + 100_000)")
            }
            #expect(try await app.send("GET", "/ready").status == 200)
        }
    }

    @Test func `the limit of the answer is under the two seconds that load balancers wait`() async throws {
        try await TestApp.run { app in
            #expect(DatabaseReadiness(database: app.services.database).limit < .seconds(2))
        }
    }
}
