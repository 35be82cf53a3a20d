import Foundation
import GRDB
import InlayDiskTesting
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
import Testing

@_spi(Inlay) @testable import InlayCore

/// The device's store on a disk whose operations are recorded, or that is full.
@Suite(.timeLimit(.minutes(5))) struct DeviceStoreTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test(.enabled(if: DiskWitness.isSupported))
    func `the store's file is changed only after the write-ahead log with the change is synced`()
        async throws
    {
        let file = folder.url.appendingPathComponent("user-x.sqlite")
        let store = Store(location: { file }, clock: ManualClock()) { _ in }
        store.register(
            StoreSchema(
                feature: "notes",
                migrations: [
                    StoreMigration("1-note", sql: "CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT)")
                ]))
        func add(_ text: String) async throws {
            try await store.write {
                try $0.execute(sql: "INSERT INTO note (text) VALUES (?)", arguments: [text])
            }
        }
        try await add("before")
        let witness = DiskWitness(folder.url)
        try await add("after")
        let written = witness.events
        #expect(
            written.contains(.write("user-x.sqlite-wal")), "The commit is in the log when the write returns.")
        #expect(!written.contains(.write("user-x.sqlite")))
        // Beyond a thousand pages SQLite moves the log into the file.
        try await add(String(repeating: "x", count: 6_000_000))
        let events = witness.events
        let change = try #require(events.firstIndex(of: .write("user-x.sqlite")))
        let log = try #require(events[..<change].lastIndex(of: .write("user-x.sqlite-wal")))
        #expect(events[log..<change].contains(.sync("user-x.sqlite-wal")))
        #expect(witness.unsynced.isDisjoint(with: ["user-x.sqlite"]))
    }

    @Test(.enabled(if: DiskWitness.isSupported))
    func `items that were enqueued before the disk was full are sent meanwhile, and none is lost`()
        async throws
    {
        let (clock, server) = (ManualClock(), ScriptedTransport())
        server.always("/v1/things", .receipts)
        let session = try await InlaySession(
            configuration: SessionConfiguration(
                environmentID: "env-1", apiKey: "key-1",
                baseURL: try #require(URL(string: "https://inlay.example")), folder: folder.url),
            transport: server, clock: clock
        ) { TestToken.unsigned(expires: clock.now() + .seconds(3600)) }
        let outbox = session.outbox
        await outbox.register(OutboxLane(name: "things", path: "/v1/things", flushAfter: .seconds(3600)))
        try await outbox.enqueue(TestItem(id: "item-1"), lane: "things")
        let disk = try FullDisk(folder.url)
        for number in 2...3 {
            await #expect(throws: StoreError.diskFull) {
                try await outbox.enqueue(TestItem(id: "item-\(number)"), lane: "things")
            }
        }
        #expect(try await outbox.pending(lane: "things").map(\.id) == ["item-1"])
        await outbox.flush(lane: "things")
        #expect(server.requests("/v1/things").flatMap(ScriptedBatch.ids) == ["item-1"])
        disk.freeSpace()
        try await outbox.enqueue(TestItem(id: "item-4"), lane: "things")
        await outbox.flush(lane: "things")
        #expect(try await outbox.isEmpty)
        // Items accepted while nothing could be recorded may be sent a second time: the server drops the copy.
        let sent = server.requests("/v1/things").flatMap(ScriptedBatch.ids)
        #expect(Set(sent) == ["item-1", "item-4"] && sent.last == "item-4")
    }
}

/// An item for the outbox.
private struct TestItem: Codable, Identifiable, Sendable {
    let id: String
}
