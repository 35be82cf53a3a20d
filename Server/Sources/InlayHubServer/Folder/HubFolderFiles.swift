import Crypto
import Foundation

/// The regular files below a folder. Links, other kinds of files and paths that collide are faults.
struct HubFolderFiles {
    private static let maximumDepth = 8
    private static let maximumFiles = 20_000

    let root: URL
    /// Paths relative to the folder, in order.
    private(set) var paths: [String] = []
    private(set) var faults = HubFaults()

    init(_ folder: URL) throws {
        root = folder.standardizedFileURL
        var info = stat()
        guard lstat(root.path, &info) == 0, info.st_mode & S_IFMT == S_IFDIR else {
            throw HubFaults(folder.path, "This is no folder.")
        }
        walk("", depth: 0)
        findCollisions()
    }

    func url(_ path: String) -> URL { root.appendingPathComponent(path) }

    /// Returns the bytes of a file; throws when there are more than `limit`. Does not follow a link that has replaced
    /// the file meanwhile.
    func data(_ path: String, limit: Int) throws -> Data {
        let file = try handle(path)
        let data = try file.read(upToCount: limit + 1) ?? Data()
        guard data.count <= limit else { throw HubFaults(path, "At most \(limit) bytes.") }
        return data
    }

    /// Returns the first bytes of a file, at most `count`.
    func head(_ path: String, count: Int) throws -> Data {
        try handle(path).read(upToCount: count) ?? Data()
    }

    /// Returns the hash and size of a file, without loading all of it.
    func blob(_ path: String, limit: Int) throws -> HubBlob {
        let file = try handle(path)
        var hash = SHA256()
        var size = 0
        while let piece = try file.read(upToCount: 1 << 20), !piece.isEmpty {
            hash.update(data: piece)
            size += piece.count
            guard size <= limit else { throw HubFaults(path, "At most \(limit) bytes.") }
        }
        return HubBlob(hash: HubBlobStore.hex(hash.finalize()), size: size)
    }

    private func handle(_ path: String) throws -> FileHandle {
        let file = open(url(path).path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard file >= 0 else { throw HubFaults(path, "It cannot be read.") }
        return FileHandle(fileDescriptor: file, closeOnDealloc: true)
    }

    private mutating func walk(_ path: String, depth: Int) {
        let url = path.isEmpty ? root : root.appendingPathComponent(path)
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: url.path) else {
            faults.add(path, "The folder cannot be read.")
            return
        }
        // Hidden files belong to the author's tools.
        for name in names.sorted() where !name.hasPrefix(".") {
            let inner = path.isEmpty ? name : path + "/" + name
            guard paths.count < Self.maximumFiles, depth < Self.maximumDepth else {
                faults.add(inner, "Too many files or folders.")
                return
            }
            visit(inner, depth: depth)
        }
    }

    private mutating func visit(_ path: String, depth: Int) {
        var info = stat()
        guard lstat(root.appendingPathComponent(path).path, &info) == 0 else {
            faults.add(path, "It cannot be read.")
            return
        }
        switch info.st_mode & S_IFMT {
        case S_IFDIR: walk(path, depth: depth + 1)
        case S_IFREG: paths.append(path)
        case S_IFLNK: faults.add(path, "A symbolic link: put the file itself here.")
        default: faults.add(path, "Neither a file nor a folder.")
        }
    }

    /// Adds a fault for each path that some file systems, archives or URLs do not distinguish from another.
    private mutating func findCollisions() {
        var seen: [String: String] = [:]
        for path in paths {
            let folded = path.precomposedStringWithCompatibilityMapping.lowercased()
            if let other = seen[folded] {
                faults.add(path, "Some systems take it for the same file as \(other).")
            } else {
                seen[folded] = path
            }
        }
    }
}
