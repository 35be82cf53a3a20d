import Foundation
import InlayCore

/// File writes after which a crash or a power cut leaves the old file or the new one, never a part.
enum HubFileSystem {
    /// Writes a new file and returns when it is on the disk. Never follows a link, never overwrites.
    static func create(_ data: Data, at url: URL) throws(HubError) {
        let descriptor = open(url.path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure("open", url) }
        do throws(HubError) {
            try write(data, to: descriptor, url)
            guard fsync(descriptor) == 0 else { throw failure("fsync", url) }
        } catch {
            close(descriptor)
            unlink(url.path)
            throw error
        }
        // Some file systems report a full disk only here.
        guard close(descriptor) == 0 else {
            let error = failure("close", url)
            unlink(url.path)
            throw error
        }
    }

    /// Moves a file into place, and returns when the move is on the disk. A caller that moves many files passes
    /// `isSynced: false` and syncs once.
    static func move(_ source: URL, to target: URL, isSynced: Bool = true) throws(HubError) {
        guard rename(source.path, target.path) == 0 else { throw failure("rename", target) }
        if isSynced { try sync(folder: target.deletingLastPathComponent()) }
    }

    /// Replaces a file in one step.
    static func replace(_ data: Data, at url: URL) throws(HubError) {
        let fresh = url.appendingPathExtension("new")
        // Left by a crash of an earlier run; nobody else writes here.
        unlink(fresh.path)
        try create(data, at: fresh)
        try move(fresh, to: url)
    }

    /// Reads a regular file of exactly this length, or of any when it is `nil`; `nil` for anything else.
    static func read(_ url: URL, length: Int? = nil, limit: Int = .max) -> Data? {
        guard case .bytes(let data) = outcome(of: url, length: length, limit: limit) else { return nil }
        return data
    }

    /// The outcome of an attempt to read a file.
    enum ReadOutcome {
        case bytes(Data)
        /// It is no regular file, has another length, or its bytes cannot be read.
        case damaged
        /// There is no file, or it cannot be opened now.
        case unopened
    }

    /// Reads a file as `read` does, and distinguishes why there are no bytes.
    static func outcome(of url: URL, length: Int? = nil, limit: Int = .max) -> ReadOutcome {
        let descriptor = open(url.path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        // A link is no regular file, and is not followed.
        guard descriptor >= 0 else { return errno == ELOOP ? .damaged : .unopened }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return .damaged }
        let size = Int(status.st_size)
        guard length.map({ $0 == size }) ?? (size <= limit) else { return .damaged }
        var data = Data(count: size)
        let isWhole = data.withUnsafeMutableBytes { buffer -> Bool in
            var done = 0
            while done < size {
                let count = Foundation.read(descriptor, buffer.baseAddress?.advanced(by: done), size - done)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return false }
                done += count
            }
            return true
        }
        return isWhole ? .bytes(data) : .damaged
    }

    /// Whether a regular file of this length is there.
    static func exists(_ url: URL, length: Int) -> Bool {
        var status = stat()
        return lstat(url.path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
            && Int(status.st_size) == length
    }

    static func makeFolder(_ url: URL) throws(HubError) {
        do {
            try FileManager.default.createDirectory(
                at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw .storage("\(url.lastPathComponent): \(error.localizedDescription)")
        }
    }

    /// Returns the names in a folder, sorted; empty when there is no folder.
    static func names(in folder: URL) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
    }

    /// Syncs a folder, so that its entries survive a power cut.
    static func sync(folder: URL) throws(HubError) {
        let descriptor = open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure("open", folder) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw failure("fsync", folder) }
    }

    private static func write(_ data: Data, to descriptor: Int32, _ url: URL) throws(HubError) {
        let fault = data.withUnsafeBytes { buffer -> HubError? in
            var done = 0
            while done < buffer.count {
                let rest = buffer.count - done
                let count = Foundation.write(descriptor, buffer.baseAddress?.advanced(by: done), rest)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return failure("write", url) }
                done += count
            }
            return nil
        }
        if let fault { throw fault }
    }

    private static func failure(_ call: String, _ url: URL) -> HubError {
        let code = errno
        // A limit on the file or on the user is the same as a full disk to the caller.
        if [ENOSPC, EDQUOT, EFBIG].contains(code) { return .diskFull }
        return .storage("\(call) \(url.lastPathComponent): \(String(cString: strerror(code)))")
    }
}
