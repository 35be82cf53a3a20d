import Foundation
import InlayDiskTesting
import InlaySQL
import InlaySQLTesting
@_spi(Inlay) import InlayTesting
import Testing

/// Databases that accept no writes, and the checks that detect them.
@Suite(.timeLimit(.minutes(5))) struct WritableTests {
    private static let schema = SQLMigration(
        feature: "w", name: "1", sql: "CREATE TABLE items (id BIGINT PRIMARY KEY, bytes BLOB)")

    private func withFile(_ body: (any SQLDatabase, String) async throws -> Void) async throws {
        try await TestDatabase.withFolder { folder in
            let path = folder + "/live.sqlite"
            let database = try await SQLDatabaseURL.open("sqlite:\(path)")
            defer { database.close() }
            try await database.migrate([Self.schema])
            try await write(1, database)
            try await database.check()
            try await body(database, path)
        }
    }

    private func write(_ id: Int, _ database: any SQLDatabase) async throws {
        _ = try await database.write { try $0.execute("INSERT INTO items (id) VALUES (?)", [.int(id)]) }
    }

    @Test func `a writer leaves a read-only session by itself`() async throws {
        try await TestDatabase.withURL(.postgresql) { url in
            let database = try await SQLDatabaseURL.open(url)
            defer { database.close() }
            try await database.migrate([Self.schema])
            let name = try #require(URLComponents(string: url)).path.dropFirst()
            let server = try #require(ProcessInfo.processInfo.environment["INLAY_TEST_POSTGRES"])
            try PostgresAdmin.run(
                """
                ALTER DATABASE \(name) SET default_transaction_read_only = on;
                SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '\(name)'
                """, at: server)
            await expectError(.databaseReadOnly) { try await write(1, database) }
            await expectError(.databaseReadOnly) { try await database.check() }
            let count = try await database.read { try $0.rows("SELECT id FROM items").count }
            #expect(count == 0)
            try PostgresAdmin.run("ALTER DATABASE \(name) RESET default_transaction_read_only", at: server)
            try await write(2, database)
            try await database.check()
        }
    }

    @Test func `a writer goes to the host that takes writes when its own no longer does`() async throws {
        try await PrivatePostgres.with { standby in
            try await TestDatabase.withURL(.postgresql) { url in
                let (one, two) = (
                    try #require(URLComponents(string: standby.url)), try #require(URLComponents(string: url))
                )
                let name = two.path.dropFirst(), password = try #require(two.password)
                // Both servers know the same user by the same password, as two nodes of one cluster do.
                try PostgresAdmin.run("ALTER USER inlay PASSWORD '\(password)'", at: standby.url)
                var first = one
                first.password = password
                try PostgresAdmin.run("CREATE DATABASE \(name)", at: try #require(first.string))
                let both =
                    "postgres://inlay:\(password)@127.0.0.1:\(one.port ?? 0),127.0.0.1:\(two.port ?? 0)/\(name)"
                let database = try await SQLDatabaseURL.open(both + "?target_session_attrs=read-write")
                defer { database.close() }
                try await database.migrate([Self.schema])
                try await write(1, database)
                let other = try await SQLDatabaseURL.open(url)
                defer { other.close() }
                try await other.migrate([Self.schema])
                try PostgresAdmin.run(
                    "ALTER SYSTEM SET default_transaction_read_only = on", at: try #require(first.string))
                try PostgresAdmin.run("SELECT pg_reload_conf()", at: try #require(first.string))
                try await within(.seconds(60)) {
                    while try await other.read({ try $0.rows("SELECT id FROM items").isEmpty }) {
                        _ = try? await database.write {
                            try $0.execute("INSERT INTO items (id) VALUES (2) ON CONFLICT DO NOTHING")
                        }
                    }
                }
            }
        }
    }

    private func ids(_ database: any SQLDatabase) async throws -> [Int] {
        try await database.read { try $0.rows("SELECT id FROM items ORDER BY id").map { try $0.int("id") } }
    }

    @Test(arguments: ["", "-wal", "-shm"])
    func `a file that was moved takes no writes until it is back`(suffix: String) async throws {
        try await withFile { database, path in
            let file = path + suffix
            try FileManager.default.moveItem(atPath: file, toPath: file + ".moved")
            await expectError(.fileLost) { try await write(2, database) }
            await expectError(.fileLost) { try await database.check() }
            await expectError(.fileLost) { try await database.backup(to: path + ".backup") }
            await expectError(.fileLost) { try await database.migrate([Self.schema]) }
            #expect(!FileManager.default.fileExists(atPath: file))
            try FileManager.default.moveItem(atPath: file + ".moved", toPath: file)
            try await write(2, database)
            try await database.check()
            database.close()
            let again = try await SQLDatabaseURL.open("sqlite:\(path)")
            defer { again.close() }
            #expect(try await ids(again) == [1, 2])
        }
    }

    @Test func `a folder that was moved with all its files takes no writes until it is back`() async throws {
        try await withFile { database, path in
            let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
            try FileManager.default.moveItem(atPath: folder, toPath: folder + ".moved")
            await expectError(.fileLost) { try await write(2, database) }
            await expectError(.fileLost) { try await database.check() }
            try FileManager.default.moveItem(atPath: folder + ".moved", toPath: folder)
            try await write(2, database)
            #expect(try await ids(database) == [1, 2])
        }
    }

    @Test(arguments: ["", "-wal", "-shm"])
    func `a file that was replaced takes no writes, also when the old one is back`(suffix: String)
        async throws
    {
        try await withFile { database, path in
            let file = path + suffix
            try FileManager.default.moveItem(atPath: file, toPath: file + ".moved")
            try FileManager.default.copyItem(atPath: file + ".moved", toPath: file)
            await expectError(.fileLost) { try await write(2, database) }
            await expectError(.fileLost) { try await database.check() }
            try FileManager.default.removeItem(atPath: file)
            try FileManager.default.moveItem(atPath: file + ".moved", toPath: file)
            await expectError(.fileLost) { try await write(2, database) }
            await expectError(.fileLost) { try await database.check() }
        }
    }

    @Test(arguments: ["", "-wal", "-shm"])
    func `a write whose file is moved before its commit ends is not acknowledged`(suffix: String) async throws
    {
        try await withFile { database, path in
            let file = path + suffix
            await expectError(.fileLost) {
                try await database.write { connection in
                    try connection.execute("INSERT INTO items (id) VALUES (2)")
                    try FileManager.default.moveItem(atPath: file, toPath: file + ".moved")
                }
            }
            await expectError(.fileLost) { try await write(3, database) }
            try FileManager.default.moveItem(atPath: file + ".moved", toPath: file)
            try await write(4, database)
            #expect(
                try await ids(database) == [1, 2, 4], "The second one was committed but not acknowledged.")
        }
    }

    @Test(arguments: [["-wal"], ["-wal", "-shm"]])
    func `what was acknowledged is in the database's own file soon after its log was deleted`(
        suffixes: [String]
    ) async throws {
        try await withFile { database, path in
            for id in 2...50 { try await write(id, database) }
            for suffix in suffixes { try FileManager.default.removeItem(atPath: path + suffix) }
            await expectError(.fileLost) { try await write(51, database) }
            // The state that a process killed now would leave behind.
            try await eventually {
                let copy = "\(path).copy-\(UUID().uuidString)"
                try FileManager.default.copyItem(atPath: path, toPath: copy)
                guard let left = try? await SQLDatabaseURL.open("sqlite:\(copy)") else { return false }
                defer { left.close() }
                return (try? await ids(left)) == Array(1...50)
            }
            #expect(try await ids(database) == Array(1...50), "Reads go on.")
            database.close()
            let again = try await SQLDatabaseURL.open("sqlite:\(path)")
            defer { again.close() }
            #expect(try await ids(again) == Array(1...50))
        }
    }

    @Test func `a log without its database stops the start and is left as it is`() async throws {
        try await withFile { database, path in
            try FileManager.default.moveItem(atPath: path, toPath: path + ".moved")
            let log = try Data(contentsOf: URL(fileURLWithPath: path + "-wal"))
            #expect(!log.isEmpty)
            await expectError(.cannotOpen) { try await SQLDatabaseURL.open("sqlite:\(path)") }
            #expect(try Data(contentsOf: URL(fileURLWithPath: path + "-wal")) == log)
            #expect(!FileManager.default.fileExists(atPath: path))
            // An empty file is no database either.
            try Data().write(to: URL(fileURLWithPath: path))
            await expectError(.cannotOpen) { try await SQLDatabaseURL.open("sqlite:\(path)") }
            try FileManager.default.removeItem(atPath: path)
            try FileManager.default.moveItem(atPath: path + ".moved", toPath: path)
            let again = try await SQLDatabaseURL.open("sqlite:\(path)")
            defer { again.close() }
            #expect(try await ids(again) == [1])
        }
    }

    @Test func `a truncated file takes no writes`() async throws {
        try await withFile { database, path in
            let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
            try file.truncate(atOffset: 0)
            await expectError(.fileLost) { try await write(2, database) }
            await expectError(.fileLost) { try await database.check() }
        }
    }

    @Test func `a full database is not fit for writes until there is space again`() async throws {
        try await withFile { database, _ in
            let pages = try await database.write { connection in
                let pages = try connection.rows("PRAGMA page_count")[0].int("page_count")
                _ = try connection.rows("PRAGMA max_page_count = \(pages + 5)")
                return pages
            }
            await expectError(.diskFull) {
                try await database.write {
                    try $0.execute("INSERT INTO items VALUES (2, ?)", [.blob(Data(count: 100_000))])
                }
            }
            await expectError(.diskFull) { try await database.check() }
            try await database.write { connection in
                _ = try connection.rows("PRAGMA max_page_count = \(pages + 10_000)")
            }
            try await database.check()
        }
    }

    @Test(.enabled(if: DiskWitness.isSupported))
    func `a disk without space for a file is not fit for writes, whatever its numbers and the cache say`()
        async throws
    {
        try await withFile { database, path in
            let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
            let disk = try await fill(folder, of: database)
            await expectError(.diskFull) { try await database.check() }
            await expectError(.diskFull) { try await database.check() }
            disk.freeSpace()
            try await database.check()
            let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            #expect(Set(files) == ["live.sqlite", "live.sqlite-wal", "live.sqlite-shm"])
            try await write(3, database)
        }
    }

    /// Fills the disk of a database's folder, which still reports free space, and lets a write fail for it.
    private func fill(_ folder: URL, of database: any SQLDatabase) async throws -> FullDisk {
        let disk = try FullDisk(folder, isHidden: true)
        await expectError(.diskFull) {
            try await database.write {
                try $0.execute("INSERT INTO items VALUES (2, ?)", [.blob(Data(count: 1_000_000))])
            }
        }
        return disk
    }

    @Test(.enabled(if: DiskWitness.isSupported))
    func `space is looked for on the disk of the database, not on that of a link to it`() async throws {
        try await withFile { first, path in
            first.close()
            let file = URL(fileURLWithPath: path)
            let link = file.deletingLastPathComponent().appendingPathComponent("other/link.sqlite")
            let disk = file.deletingLastPathComponent().appendingPathComponent("disk")
            for folder in [link.deletingLastPathComponent(), disk] {
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
            }
            let target = disk.appendingPathComponent("live.sqlite")
            try FileManager.default.moveItem(at: file, to: target)
            try FileManager.default.createSymbolicLink(at: link, withDestinationURL: target)
            let database = try await SQLDatabaseURL.open("sqlite:\(link.path)")
            defer { database.close() }
            let full = try await fill(disk, of: database)
            await expectError(.diskFull) { try await database.check() }
            full.freeSpace()
            try await database.check()
        }
    }

    @Test(.enabled(if: DiskWitness.isSupported))
    func `the search for space leaves a file of another program as it is`() async throws {
        try await withFile { database, path in
            let foreign = URL(fileURLWithPath: path + "-space")
            try Data("foreign".utf8).write(to: foreign)
            let disk = try await fill(foreign.deletingLastPathComponent(), of: database)
            disk.freeSpace()
            try await database.check()
            #expect(try Data(contentsOf: foreign) == Data("foreign".utf8))
        }
    }

    @Test(.enabled(if: DiskWitness.isSupported))
    func `many callers that ask a slow disk for space share one search, and no read waits for it`()
        async throws
    {
        try await withFile { database, path in
            let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
            try await fill(folder, of: database).freeSpace()
            let slow = try SlowDisk(folder, names: "live.sqlite-space")
            try await withThrowingTaskGroup { group in
                defer { slow.release() }
                for _ in 0..<(4 * ProcessInfo.processInfo.activeProcessorCount) {
                    group.addTask { try await database.check() }
                }
                try await eventually { slow.heldCount > 0 }
                // More reads than there are threads, because the reads of the callers above run in between.
                for _ in 0..<100 { _ = try await database.read { try $0.rows("SELECT id FROM items") } }
                #expect(slow.heldCount == 1)
                slow.release()
                try await group.waitForAll()
            }
            try await write(3, database)
        }
    }

    @Test(.enabled(if: DiskWitness.isSupported))
    func `a slow disk that is refused leaves the other one as it is`() throws {
        let folder = try TemporaryFolder()
        let slow = try SlowDisk(folder.url, names: "a")
        #expect(throws: CocoaError.self) { try SlowDisk(folder.url, names: "b") }
        // The first disk still holds its syncs, so there can be no second one.
        #expect(throws: CocoaError.self) { try SlowDisk(folder.url, names: "b") }
        slow.release()
    }
}
