import Foundation
import InlayCore

/// The files of all versions on this device, each under the hash of its bytes.
///
/// A file that several versions share is stored once. A file was verified before it was stored under its hash, and is
/// verified again whenever it is read.
struct HubBlobs: Sendable {
    private let files: URL
    private let incoming: URL

    /// Creates the folders, and deletes what an interrupted download left.
    init(_ folder: URL) throws(HubError) {
        files = folder.appendingPathComponent("files")
        incoming = folder.appendingPathComponent("incoming")
        try? FileManager.default.removeItem(at: incoming)
        try makeFolders()
    }

    /// Whether the file was fetched already.
    func has(_ file: HubFile) -> Bool { HubFileSystem.exists(place(file), length: file.length) }

    /// Stores the bytes of a file; they must have been verified.
    func add(_ data: Data, as file: HubFile) throws(HubError) {
        // A stored file that cannot be opened is replaced, so that its version can be read again.
        guard verified(file) == nil else { return }
        // The folders may have been removed since, which must not make every later download fail.
        try makeFolders()
        let part = incoming.appendingPathComponent(UUID().uuidString)
        try HubFileSystem.create(data, at: part)
        // A file of another length can only be a leftover: the name is the hash.
        try HubFileSystem.move(part, to: place(file), isSynced: false)
    }

    /// Returns when every file that was added is on the disk under its name.
    func sync() throws(HubError) { try HubFileSystem.sync(folder: files) }

    /// Returns the bytes of a file, hashed now; `nil` when it is missing, cannot be read or does not match its hash. A
    /// damaged file is removed, so that it is fetched again; one that cannot be opened now is kept.
    func verified(_ file: HubFile) -> Data? {
        switch HubFileSystem.outcome(of: place(file), length: file.length) {
        case .bytes(let data) where FileHash.hex(data) == file.sha256: return data
        case .bytes, .damaged: try? FileManager.default.removeItem(at: place(file))
        // Nothing is wrong with a file that cannot be opened because too many files are open or the device is locked.
        case .unopened: break
        }
        return nil
    }

    /// Deletes every file but these.
    func prune(keeping hashes: Set<String>) {
        for name in HubFileSystem.names(in: files) where !hashes.contains(name) {
            try? FileManager.default.removeItem(at: files.appendingPathComponent(name))
        }
    }

    private func makeFolders() throws(HubError) {
        for folder in [files, incoming] { try HubFileSystem.makeFolder(folder) }
    }

    private func place(_ file: HubFile) -> URL { files.appendingPathComponent(file.sha256) }
}
