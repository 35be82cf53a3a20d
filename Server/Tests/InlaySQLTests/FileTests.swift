import Foundation
import GRDBSQLite
import InlayDiskTesting
import InlaySQL
import InlaySQLTesting
import InlayTesting
import Testing

/// SQLite's file: its durability, its backups, and files that are left as they are.
@Suite struct FileTests {
    private let schema = SQLMigration(
        feature: "f", name: "1", sql: "CREATE TABLE items (id BIGINT PRIMARY KEY)")

    @Test func `a file that is not a database is left as it is`() async throws {
        try await TestDatabase.withFolder { folder in
            let path = folder + "/letter.txt"
            let letter = Data(String(repeating: "Dear reader, this is no database. ", count: 500).utf8)
            try letter.write(to: URL(fileURLWithPath: path))
            await expectError(.notADatabase) { try await SQLDatabaseURL.open("sqlite:\(path)") }
            #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == letter)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["letter.txt"])
        }
    }

    @Test func `a folder that does not exist and an address of no engine cannot be opened`() async throws {
        await expectError(.cannotOpen) { try await SQLDatabaseURL.open("sqlite:/nowhere/at/all.sqlite") }
        for address in ["", "sqlite:", "sqlite::memory:", "mysql://localhost/x", "/tmp/file.sqlite"] {
            await expectError(.cannotOpen) { try await SQLDatabaseURL.open(address) }
        }
    }

    @Test func `connections take no common lock to count their memory`() async throws {
        try await TestDatabase.with(.sqlite) { database in
            try await database.migrate([schema])
            #expect(sqlite3_memory_used() == 0)
        }
    }

    @Test func `commits wait for the disk`() async throws {
        try await TestDatabase.with(.sqlite) { database in
            let (synchronous, journal) = try await database.write { connection in
                (
                    try connection.rows("PRAGMA synchronous")[0].int("synchronous"),
                    try connection.rows("PRAGMA journal_mode")[0].text("journal_mode")
                )
            }
            #expect(synchronous == 2)
            #expect(journal == "wal")
        }
    }

    @Test(.enabled(if: DiskWitness.isSupported))
    func `a write returns after its commit has reached the disk`() async throws {
        try await TestDatabase.withFolder { folder in
            let database = try await SQLDatabaseURL.open("sqlite:\(folder)/live.sqlite")
            defer { database.close() }
            try await database.migrate([schema])
            let witness = DiskWitness(URL(fileURLWithPath: folder))
            for number in 1...3 {
                try await database.write { try $0.execute("INSERT INTO items VALUES (?)", [.int(number)]) }
                #expect(witness.events.contains(.write("live.sqlite-wal")))
                #expect(witness.unsynced.isEmpty)
            }
        }
    }

    @Test func `the write-ahead log starts over while writers work, and nothing is lost`() async throws {
        try await TestDatabase.withFolder { folder in
            let path = folder + "/live.sqlite"
            let database = try await SQLDatabaseURL.open("sqlite:\(path)")
            let pictures = SQLMigration(
                feature: "f", name: "2", sql: "CREATE TABLE pictures (id BIGINT PRIMARY KEY, bytes BLOB)")
            try await database.migrate([pictures])
            let (count, size) = (300, 400_000)
            for number in 0..<count {
                let bytes = Data(repeating: UInt8(number % 251), count: size)
                try await database.write {
                    try $0.execute("INSERT INTO pictures VALUES (?, ?)", [.int(number), .blob(bytes)])
                }
            }
            let log = try FileManager.default.attributesOfItem(atPath: path + "-wal")[.size] as? Int
            #expect(try #require(log) < count * size * 3 / 4, "The log holds all that was written.")
            database.close()
            let again = try await SQLDatabaseURL.open("sqlite:\(path)")
            defer { again.close() }
            let kept = try await again.read {
                try $0.rows("SELECT COUNT(*) AS n, SUM(LENGTH(bytes)) AS size FROM pictures")[0]
            }
            #expect(try kept.int("n") == count && kept.int("size") == count * size)
        }
    }

    @Test func `a backup made while writers work is whole and of one moment`() async throws {
        try await TestDatabase.withFolder { folder in
            let database = try await SQLDatabaseURL.open("sqlite:\(folder)/live.sqlite")
            try await database.migrate([schema])
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    // Each body inserts two rows: a copy from the middle of a body would have an odd number.
                    for number in stride(from: 0, to: Int.max - 1, by: 2) {
                        let isCopied = FileManager.default.fileExists(atPath: folder + "/copy.sqlite")
                        if isCopied || Task.isCancelled { return }
                        try await database.write {
                            try $0.execute(
                                "INSERT INTO items VALUES (?), (?)", [.int(number), .int(number + 1)])
                        }
                    }
                }
                try await eventually {
                    let row = try await database.read { try $0.rows("SELECT COUNT(*) AS n FROM items")[0] }
                    return try row.int("n") >= 20
                }
                try await database.backup(to: folder + "/copy.sqlite")
                try await group.waitForAll()
            }
            database.close()
            let copy = try await SQLDatabaseURL.open("sqlite:\(folder)/copy.sqlite")
            let ids = try await copy.read {
                try $0.rows("SELECT id FROM items ORDER BY id").map { try $0.int("id") }
            }
            #expect(ids.count >= 20 && ids.count.isMultiple(of: 2))
            #expect(ids == Array(0..<ids.count))
            copy.close()
        }
    }

    @Test func `nobody else can read a new database or its backup`() async throws {
        try await TestDatabase.withFolder { folder in
            let database = try await SQLDatabaseURL.open("sqlite:\(folder)/live.sqlite")
            defer { database.close() }
            try await database.migrate([schema])
            try await database.backup(to: folder + "/copy.sqlite")
            for name in ["live.sqlite", "live.sqlite-wal", "copy.sqlite"] {
                let path = "\(folder)/\(name)"
                let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
                #expect(mode == 0o600, "\(name)")
            }
        }
    }

    @Test func `a backup overwrites nothing and leaves no part behind`() async throws {
        try await TestDatabase.withFolder { folder in
            let database = try await SQLDatabaseURL.open("sqlite:\(folder)/live.sqlite")
            defer { database.close() }
            try Data("mine".utf8).write(to: URL(fileURLWithPath: folder + "/copy"))
            await expectError(.cannotOpen) { try await database.backup(to: folder + "/copy") }
            await expectError(.cannotOpen) { try await database.backup(to: folder + "/missing/copy") }
            #expect(try String(contentsOfFile: folder + "/copy", encoding: .utf8) == "mine")
            let parts = try FileManager.default.contentsOfDirectory(atPath: folder).filter {
                $0.contains(".part")
            }
            #expect(parts == [])
        }
    }

    @Test func `two databases that write to one file lose nothing`() async throws {
        try await TestDatabase.withURL(.sqlite) { url in
            let (one, two) = (try await SQLDatabaseURL.open(url), try await SQLDatabaseURL.open(url))
            try await one.migrate([schema])
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<200 {
                    group.addTask {
                        let database = number.isMultiple(of: 2) ? one : two
                        try await database.write {
                            try $0.execute("INSERT INTO items VALUES (?)", [.int(number)])
                        }
                    }
                }
                try await group.waitForAll()
            }
            let count = try await two.read { try $0.rows("SELECT COUNT(*) AS n FROM items")[0].int("n") }
            #expect(count == 200)
            one.close()
            two.close()
        }
    }
}
