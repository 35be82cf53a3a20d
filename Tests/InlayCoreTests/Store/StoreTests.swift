import Foundation
import GRDB
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
import Testing

@_spi(Inlay) @testable import InlayCore

@Suite struct StoreTests {
    let folder: TemporaryFolder
    let file: URL
    let aside = Locked<[URL]>([])

    init() throws {
        folder = try TemporaryFolder()
        file = folder.url.appendingPathComponent("user-x.sqlite")
    }

    static let notes = StoreSchema(
        feature: "notes",
        migrations: [StoreMigration("1-note", sql: "CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT)")])

    static func feature(_ number: Int) -> StoreSchema {
        let sql = "CREATE TABLE feature\(number) (id INTEGER PRIMARY KEY)"
        return StoreSchema(feature: "feature\(number)", migrations: [StoreMigration("1-feature", sql: sql)])
    }

    func store(_ schemas: StoreSchema...) -> Store {
        let (file, aside) = (file, aside)
        let store = Store(location: { file }, clock: ManualClock()) { incident in
            if case .setAside(let url) = incident { aside.withLock { $0.append(url) } }
        }
        schemas.forEach(store.register)
        return store
    }

    func add(_ text: String, _ store: Store) async throws {
        try await store.write { try $0.execute(sql: "INSERT INTO note (text) VALUES (?)", arguments: [text]) }
    }

    func texts(_ store: Store) async throws -> [String] {
        try await store.read { try String.fetchAll($0, sql: "SELECT text FROM note ORDER BY id") }
    }

    @Test func `written rows are there after the store is opened again`() async throws {
        let first = store(Self.notes)
        try await add("a", first)
        await first.close()
        #expect(try await texts(store(Self.notes)) == ["a"])
    }

    @Test func `a write that throws leaves nothing behind`() async throws {
        struct Refusal: Error {}
        let store = store(Self.notes)
        await #expect(throws: Refusal.self) {
            try await store.write { database in
                try database.execute(sql: "INSERT INTO note (text) VALUES ('a')")
                throw Refusal()
            }
        }
        #expect(try await texts(store).isEmpty)
    }

    @Test func `a newer schema keeps the rows of the older one`() async throws {
        let first = store(Self.notes)
        try await add("a", first)
        await first.close()
        let newer = StoreSchema(
            feature: "notes",
            migrations: Self.notes.migrations + [
                StoreMigration("2-mark", sql: "ALTER TABLE note ADD COLUMN mark INTEGER NOT NULL DEFAULT 7")
            ])
        let second = store(newer)
        #expect(try await texts(second) == ["a"])
        #expect(try await second.read { try Int.fetchOne($0, sql: "SELECT mark FROM note") } == 7)
    }

    @Test func `a feature that comes later brings its tables without a restart`() async throws {
        let store = store()
        _ = try await store.read { try Int.fetchOne($0, sql: "SELECT 1") }
        store.register(Self.notes)
        try await add("a", store)
        #expect(try await texts(store) == ["a"])
    }

    @Test func `a file that is no database is set aside, reported and started anew`() async throws {
        let garbage = Data((0..<5000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        try garbage.write(to: file)
        let store = store(Self.notes)
        try await add("a", store)
        #expect(try await texts(store) == ["a"])
        let moved = try #require(aside.withLock { $0 }.first)
        #expect(moved.lastPathComponent.hasPrefix("user-x.sqlite.damaged-"))
        #expect(try Data(contentsOf: moved) == garbage)
    }

    @Test func `a database that breaks while it is used is set aside and the next call starts anew`()
        async throws
    {
        let first = store(Self.notes)
        for number in 0..<200 { try await add(String(repeating: "\(number) ", count: 100), first) }
        try await first.pool().writeWithoutTransaction {
            try $0.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
        }
        await first.close()
        var bytes = try Data(contentsOf: file)
        // The header and the schema stay whole, so that opening succeeds.
        for position in 8192..<bytes.count { bytes[position] = 0xAA }
        try bytes.write(to: file)
        let second = store(Self.notes)
        await #expect(throws: StoreError.damaged) { try await texts(second) }
        #expect(try await texts(second).isEmpty)
        try await add("b", second)
        #expect(try await texts(second) == ["b"])
        #expect(aside.withLock { $0 }.count == 1)
    }

    @Test func `a full disk is a typed error, loses nothing, and writes succeed again with space`()
        async throws
    {
        let store = store(Self.notes)
        try await add("a", store)
        try await store.pool().writeWithoutTransaction { try $0.execute(sql: "PRAGMA max_page_count = 12") }
        let big = String(repeating: "x", count: 200_000)
        await #expect(throws: StoreError.diskFull) { try await add(big, store) }
        #expect(try await texts(store) == ["a"])
        try await store.pool().writeWithoutTransaction {
            try $0.execute(sql: "PRAGMA max_page_count = 100000")
        }
        try await add(big, store)
        #expect(try await texts(store) == ["a", big])
    }

    @Test func `an erased store leaves no file behind and stays closed`() async throws {
        try Data("not a database, but long enough to be looked at".utf8).write(to: file)
        let store = store(Self.notes)
        try await add("secret", store)
        #expect(folder.names.count > 1)
        await store.erase()
        #expect(folder.names.isEmpty)
        await #expect(throws: StoreError.loggedOut) { try await texts(store) }
        #expect(folder.names.isEmpty)
    }

    @Test func `features that are registered while others read block no reader`() async throws {
        for round in 0..<20 {
            let store = store(Self.notes)
            try await add("\(round)", store)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<32 {
                    group.addTask {
                        if number.isMultiple(of: 4) { store.register(Self.feature(number)) }
                        let texts = try await texts(store)
                        #expect(texts.contains("\(round)"))
                    }
                }
                try await group.waitForAll()
            }
            await store.close()
        }
    }

    @Test func `many first calls at once open one database`() async throws {
        let store = store(Self.notes)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<50 { group.addTask { try await add("\(number)", store) } }
            try await group.waitForAll()
        }
        #expect(try await texts(store).count == 50)
    }
}
