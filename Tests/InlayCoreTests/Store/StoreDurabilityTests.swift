import Foundation
import GRDB
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
import Testing

@_spi(Inlay) @testable import InlayCore

/// The order in which the device's store reaches the disk.
@Suite struct StoreDurabilityTests {
    private let folder: TemporaryFolder
    private let store: Store

    init() throws {
        let folder = try TemporaryFolder()
        self.folder = folder
        store = Store(location: { folder.url.appendingPathComponent("user-x.sqlite") }, clock: ManualClock())
        { _ in }
        store.adopt(StoreTests.notes)
    }

    @Test(.enabled(if: DiskWitness.isSupported))
    func `the store's file is changed only after the log behind the change has reached the disk`()
        async throws
    {
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

    private func add(_ text: String) async throws {
        try await store.write { try $0.execute(sql: "INSERT INTO note (text) VALUES (?)", arguments: [text]) }
    }
}
