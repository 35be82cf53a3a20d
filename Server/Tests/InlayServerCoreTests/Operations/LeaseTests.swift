import Foundation
import InlaySQL
import InlaySQLTesting
@_spi(Inlay) import InlayWire
import Logging
import Testing

@testable import InlayServer
@testable import InlayServerCore
@testable import InlayServerTesting

/// The lease on a database: one process at a time may change its schema or replace its file, and none beside a server.
@Suite(.timeLimit(.minutes(5))) struct LeaseTests {
    /// A feature with a migration that a newer version adds.
    private struct NewerFeature: ServerFeature {
        let migrations = [SQLMigration(feature: "new", name: "1", sql: "CREATE TABLE new (id BIGINT)")]
    }

    private func configuration(_ url: String) -> InlayServerConfiguration {
        var configuration = InlayServerConfiguration()
        configuration.database = SecretString(url)
        configuration.port = 0
        return configuration
    }

    private func command(_ url: String) async throws -> InlayServer {
        try await InlayServer.makeForCommand(configuration(url), logger: Logger(label: "test"))
    }

    private func migrationCount(_ app: TestApp) async throws -> Int {
        try await app.services.database.read {
            try $0.rows("SELECT COUNT(*) AS n FROM inlay_migrations")[0].int("n")
        }
    }

    @Test func `a newer server that is refused has not migrated the database`() async throws {
        try await TestDatabase.withURL(.sqlite) { url in
            try await TestApp.run(url: url) { app in
                let before = try await migrationCount(app)
                let error = await #expect(throws: ConfigurationError.self) {
                    let _: Void = try await TestApp.run(url: url, features: { _ in [NewerFeature()] }) { _ in
                    }
                }
                #expect(error?.description.contains("Another server") == true)
                #expect(try await migrationCount(app) == before)
            }
        }
    }

    @Test func `a command works beside a server of its own version, and changes nothing beside an older one`()
        async throws
    {
        try await TestDatabase.withURL(.sqlite) { url in
            try await TestApp.run(url: url) { app in
                _ = try await TestTenant.make(app, "harbor")
                let beside = try await command(url)
                #expect(beside.isDatabaseOpenElsewhere)
                #expect(try await beside.services.environments.environments().map(\.id) == ["harbor"])
                beside.close()
                // From here on, the server looks like one that does not know the command's newest migration.
                let removed = try await app.services.database.write { connection in
                    let sql =
                        "SELECT position FROM inlay_migrations WHERE feature = 'ads' ORDER BY position DESC"
                    let position = try connection.rows(sql)[0].int("position")
                    return try connection.execute(
                        "DELETE FROM inlay_migrations WHERE feature = 'ads' AND position = ?",
                        [.int(position)])
                }
                #expect(removed == 1)
                let before = try await migrationCount(app)
                let error = await #expect(throws: ConfigurationError.self) { try await command(url) }
                #expect(error?.description.contains("older version") == true)
                #expect(try await migrationCount(app) == before)
            }
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a command migrates a database that no server uses`(_ engine: SQLEngine) async throws {
        try await TestDatabase.withURL(engine) { url in
            let first = try await command(url)
            #expect(!first.isDatabaseOpenElsewhere)
            _ = try await first.services.operators.createFirst()
            first.close()
            try await TestApp.run(url: url) { app async throws in
                #expect(try await app.services.operators.operators().map(\.login) == ["admin"])
            }
        }
    }

    @Test
    func `a restore is refused while a command, or a server that does not listen yet, uses the database`()
        async throws
    {
        try await TestDatabase.withFolder { folder in
            let url = "sqlite:\(folder)/inlay.sqlite", copy = "\(folder)/copy.sqlite"
            let starting = try await InlayServer.make(configuration(url), logger: Logger(label: "test"))
            try await starting.services.database.backup(to: copy)
            await #expect(throws: ConfigurationError.self) {
                try await DatabaseRestore.run(from: copy, into: url)
            }
            starting.close()
            let working = try await command(url)
            await #expect(throws: ConfigurationError.self) {
                try await DatabaseRestore.run(from: copy, into: url)
            }
            working.close()
            #expect(try await DatabaseRestore.run(from: copy, into: url).kept != nil)
        }
    }

    @Test func `a process that requests the lease while a command holds it waits for it`()
        async throws
    {
        try await TestDatabase.withFolder { folder in
            let path = folder + "/inlay.sqlite"
            let command = try #require(try DatabaseLease(path: path))
            var refusals = 0
            let lease = try await DatabaseLease.take("sqlite:" + path) { file in
                let outcome = DatabaseLease.tryLock(file)
                guard outcome != 0 else { return outcome }
                let fault = errno
                refusals += 1
                // A caller that gave up at the first refusal would never get the lease.
                if refusals == 2 { command.release() }
                errno = fault
                return outcome
            }
            #expect(lease != nil && refusals == 2)
        }
    }

    @Test func `a lock file that is removed before it is locked is created again`() async throws {
        try await TestDatabase.withFolder { folder async throws in
            let path = folder + "/inlay.sqlite"
            var tries = 0
            let lease = try DatabaseLease(path: path) { file in
                tries += 1
                if tries == 1 { unlink(path + ".lock") }
                return DatabaseLease.tryLock(file)
            }
            #expect(lease != nil && tries == 2)
            #expect(try DatabaseLease(path: path) == nil)
            lease?.release()
        }
    }

    @Test func `a file system without locks is an error of its own, not another server`() async throws {
        try await TestDatabase.withFolder { folder async throws in
            func lease(_ fault: Int32) throws -> DatabaseLease? {
                try DatabaseLease(path: folder + "/inlay.sqlite") { _ in
                    errno = fault
                    return -1
                }
            }
            #expect(try lease(EWOULDBLOCK) == nil)
            #expect(try lease(EINTR) == nil)
            for fault in [ENOLCK, EOPNOTSUPP] {
                let error = #expect(throws: ConfigurationError.self) { try lease(fault) }
                #expect(error?.description.contains("inlay.sqlite.lock cannot be locked") == true)
            }
        }
    }

    @Test func `a backup of a server that was never started is restored, another program's file is not`()
        async throws
    {
        try await TestDatabase.withFolder { folder in
            let url = "sqlite:\(folder)/inlay.sqlite", copy = "\(folder)/copy.sqlite"
            let fresh = try await command(url)
            _ = try await fresh.services.environments.create(id: "harbor", name: "Harbor")
            try await fresh.services.database.backup(to: copy)
            fresh.close()
            _ = try await DatabaseRestore.run(from: copy, into: url)
            let again = try await command(url)
            #expect(try await again.services.environments.environments().map(\.id) == ["harbor"])
            again.close()
            let other = "\(folder)/other.sqlite"
            try await SQLDatabaseURL.open("sqlite:\(other)").close()
            let error = await #expect(throws: ConfigurationError.self) {
                try await DatabaseRestore.run(from: other, into: url)
            }
            #expect(error?.description.contains("not a backup") == true)
        }
    }
}
