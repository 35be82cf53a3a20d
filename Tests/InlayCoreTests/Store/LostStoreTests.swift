import Foundation
import GRDB
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
import Testing

@_spi(Inlay) @testable import InlayCore

/// Stores whose files are moved, deleted or replaced while they are open.
@Suite struct LostStoreTests {
    /// A way in which an open store loses the files of `user-x.sqlite`.
    enum Loss: String, CaseIterable, Sendable {
        case folderRemoved, folderMoved, fileRemoved, fileReplaced, everyFileRemoved

        func apply(_ folder: URL) throws {
            let (files, file) = (FileManager.default, folder.appendingPathComponent("user-x.sqlite"))
            switch self {
            case .folderRemoved: try files.removeItem(at: folder)
            case .folderMoved: try files.moveItem(at: folder, to: folder.appendingPathExtension("moved"))
            case .fileRemoved: try files.removeItem(at: file)
            case .fileReplaced:
                let copy = folder.appendingPathComponent("copy")
                try files.copyItem(at: file, to: copy)
                try files.removeItem(at: file)
                try files.moveItem(at: copy, to: file)
            case .everyFileRemoved:
                for suffix in ["", "-wal", "-shm"] { try files.removeItem(atPath: file.path + suffix) }
            }
        }
    }

    private let root: TemporaryFolder
    private let folder: URL
    private let incidents = Locked<[StoreIncident]>([])

    init() throws {
        root = try TemporaryFolder()
        folder = root.url.appendingPathComponent("inlay")
    }

    private var file: URL { folder.appendingPathComponent("user-x.sqlite") }

    private func store() -> Store {
        let (file, incidents) = (file, incidents)
        let store = Store(location: { file }, clock: ManualClock()) { incident in
            incidents.withLock { $0.append(incident) }
        }
        store.register(StoreTests.notes)
        return store
    }

    private func add(_ text: String, _ store: Store) async throws {
        try await store.write { try Self.add(text, $0) }
    }

    private static func add(_ text: String, _ database: Database) throws {
        try database.execute(sql: "INSERT INTO note (text) VALUES (?)", arguments: [text])
    }

    private func texts(_ store: Store) async throws -> [String] {
        try await store.read { try String.fetchAll($0, sql: "SELECT text FROM note ORDER BY id") }
    }

    @Test(arguments: Loss.allCases)
    func `writes after the files were lost survive a restart, and the loss is reported once`(
        loss: Loss
    ) async throws {
        let first = store()
        try await add("a", first)
        try loss.apply(folder)
        try await add("b", first)
        try await add("c", first)
        await first.close()
        #expect(try await texts(store()).suffix(2) == ["b", "c"])
        #expect(incidents.withLock { $0 } == [.lost(file)])
    }

    @Test(arguments: Loss.allCases)
    func `a read after the files were lost finds what the next run would find`(loss: Loss) async throws {
        let first = store()
        try await add("a", first)
        try loss.apply(folder)
        let found = try await texts(first)
        await first.close()
        #expect(try await texts(store()) == found)
        if loss != .fileReplaced { #expect(found.isEmpty) }
    }

    // Apple's SQLite gives up its open files itself when one of them is deleted.
    #if !canImport(Darwin)
        @Test(arguments: ["-wal", "-shm"])
        func `when the write-ahead log or its index is removed, nothing is lost`(
            suffix: String
        ) async throws {
            let first = store()
            try await add("a", first)
            try FileManager.default.removeItem(atPath: file.path + suffix)
            try await add("b", first)
            #expect(try await texts(first) == ["a", "b"])
            await first.close()
            #expect(try await texts(store()) == ["a", "b"])
            #expect(incidents.withLock { $0 } == [.lost(file)])
        }
    #endif

    @Test func `a write whose files are lost before its commit ends is done again in the new store`()
        async throws
    {
        let first = store()
        try await add("a", first)
        let (isFirst, folder) = (Locked(true), folder)
        try await first.write { database in
            try Self.add("b", database)
            let isNow = isFirst.withLock { isFirst in
                defer { isFirst = false }
                return isFirst
            }
            if isNow { try FileManager.default.removeItem(at: folder) }
        }
        await first.close()
        #expect(try await texts(store()) == ["b"])
    }

    @Test func `a store whose files are lost on every try throws an error and does not loop`() async throws {
        let first = store()
        let folder = folder
        await #expect(throws: StoreError.filesLost) {
            try await first.write { database in
                try Self.add("a", database)
                try FileManager.default.removeItem(at: folder)
            }
        }
        try await add("b", first)
        #expect(try await texts(first) == ["b"])
    }

    @Test func `many callers that find the files lost at once begin one new store`() async throws {
        let first = store()
        try await add("a", first)
        try FileManager.default.removeItem(at: folder)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<50 { group.addTask { try await add("\(number)", first) } }
            try await group.waitForAll()
        }
        await first.close()
        #expect(try await texts(store()).count == 50)
        #expect(incidents.withLock { $0 } == [.lost(file)])
    }

    @Test func `onRenewal writes its values first into a renewed store, and into no other`() async throws {
        let first = store()
        first.onRenewal { try Self.add("held", $0) }
        try await add("a", first)
        #expect(try await texts(first) == ["a"])
        try FileManager.default.removeItem(at: folder)
        try await add("b", first)
        try await add("c", first)
        #expect(try await texts(first) == ["held", "b", "c"])
    }

    @Test func `a store that is lost during its renewal is renewed again`() async throws {
        let first = store()
        try await add("a", first)
        let (isFirst, folder) = (Locked(true), folder)
        first.onRenewal { database in
            try Self.add("held", database)
            let isNow = isFirst.withLock { isFirst in
                defer { isFirst = false }
                return isFirst
            }
            guard isNow else { return }
            try FileManager.default.removeItem(at: folder)
            // The error of Apple's SQLite after an open file was deleted.
            throw DatabaseError(resultCode: .SQLITE_IOERR)
        }
        try FileManager.default.removeItem(at: folder)
        try await add("b", first)
        #expect(try await texts(first) == ["held", "b"])
        #expect(incidents.withLock { $0 } == [.lost(file), .lost(file)])
    }

    @Test func `a file behind a symbolic link is in place, with the log beside its target`() async throws {
        let target = root.url.appendingPathComponent("target.sqlite")
        try Data().write(to: target)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(at: file, withDestinationURL: target)
        let first = store()
        try await add("a", first)
        #expect(try await texts(first) == ["a"])
        #expect(incidents.withLock { $0 }.isEmpty)
    }

    @Test func `a folder that is made anew cannot be opened by other accounts of the machine`() async throws {
        let first = store()
        try await add("a", first)
        try FileManager.default.removeItem(at: folder)
        try await add("b", first)
        let access = try FileManager.default.attributesOfItem(atPath: folder.path)[.posixPermissions]
        #expect(access as? Int == 0o700)
    }

    @Test func `closing a store whose files were moved leaves those of the store in its place alone`()
        async throws
    {
        let (old, new) = (store(), store())
        try await add("a", old)
        try Loss.folderMoved.apply(folder)
        try await add("b", new)
        await old.close()
        for suffix in ["", "-wal", "-shm"] {
            #expect(FileManager.default.fileExists(atPath: file.path + suffix), "\(suffix)")
        }
        #expect(try await texts(new) == ["b"])
    }

    @Test func `an erased store whose files were lost leaves no file behind`() async throws {
        let first = store()
        try await add("a", first)
        try Loss.everyFileRemoved.apply(folder)
        try await add("b", first)
        await first.erase()
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
        await #expect(throws: StoreError.loggedOut) { try await texts(first) }
    }

    @Test func `a renewed store of the device has the clock offset that an earlier run measured`()
        async throws
    {
        let fixture = try SessionFixture()
        let first = try await fixture.session()
        await first.device.setClockOffset(.seconds(3600))
        first.work.end()
        await first.device.store.close()
        let second = try await fixture.session()
        try FileManager.default.removeItem(at: fixture.folder.url)
        #expect(await second.device.clockOffset() == .seconds(3600))
    }

    @Test func `an installation keeps its subject when the folder is removed under a session`() throws {
        let token = InstallationToken.make(in: folder)
        try FileManager.default.removeItem(at: folder)
        InstallationToken.restore(in: folder)
        #expect(InstallationToken.make(in: folder) == token)
        // Nothing is restored in a folder that no session of this process used.
        let other = root.url.appendingPathComponent("other")
        InstallationToken.restore(in: other)
        #expect(!FileManager.default.fileExists(atPath: other.path))
    }
}
