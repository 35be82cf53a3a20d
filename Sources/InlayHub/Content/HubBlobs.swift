import Foundation
import InlayCore

/// The files of all versions on this device, each under the hash of its bytes.
///
/// A file that several versions share is there once. What is under a hash was verified before it came
/// here, and is verified again whenever it is read.
struct HubBlobs: Sendable {
    private let files: URL
    private let incoming: URL

    /// Makes the folders, and throws away what an interrupted download left half done.
    init(_ folder: URL) throws(HubError) {
        files = folder.appendingPathComponent("files")
        incoming = folder.appendingPathComponent("incoming")
        try? FileManager.default.removeItem(at: incoming)
        try makeFolders()
    }

    /// Whether the file was fetched already.
    func has(_ file: HubFile) -> Bool { DurableFiles.exists(place(file), length: file.length) }

    /// Keeps the bytes of a file; they must have been verified.
    func add(_ data: Data, as file: HubFile) throws(HubError) {
        guard !has(file) else { return }
        // They may have been removed since, which must not end every later download.
        try makeFolders()
        let part = incoming.appendingPathComponent(UUID().uuidString)
        try DurableFiles.create(data, at: part)
        // A file of another length can only be a leftover: the name is the hash.
        try DurableFiles.move(part, to: place(file), isSynced: false)
    }

    /// Returns when every file that was added is on the disk under its name.
    func sync() throws(HubError) { try DurableFiles.sync(folder: files) }

    /// The bytes of a file, hashed now; `nil` when it is missing or not what its name says. A damaged file
    /// is removed, so that it is fetched again.
    func verified(_ file: HubFile) -> Data? {
        guard let data = DurableFiles.read(place(file), length: file.length),
            FileHash.hex(data) == file.sha256
        else {
            try? FileManager.default.removeItem(at: place(file))
            return nil
        }
        return data
    }

    /// Deletes every file but these.
    func prune(keeping hashes: Set<String>) {
        for name in DurableFiles.names(in: files) where !hashes.contains(name) {
            try? FileManager.default.removeItem(at: files.appendingPathComponent(name))
        }
    }

    private func makeFolders() throws(HubError) {
        for folder in [files, incoming] { try DurableFiles.makeFolder(folder) }
    }

    private func place(_ file: HubFile) -> URL { files.appendingPathComponent(file.sha256) }
}
