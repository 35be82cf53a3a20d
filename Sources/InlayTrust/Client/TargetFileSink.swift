import Foundation

/// A target that is downloaded into a file: hashed as it arrives, in place only when it is verified and on disk.
final class TargetFileSink: DownloadSink, @unchecked Sendable {
    // `@unchecked`: `Download` calls `write` under its lock; `finish` and `abandon` come after the last of them.
    private let target: TargetFile
    private let destination: URL
    private let part: URL
    private let handle: FileHandle
    private var digest: FileDigest
    private var length = 0

    init(_ target: TargetFile, to destination: URL) throws(TrustError) {
        (self.target, self.destination) = (target, destination)
        digest = FileDigest(for: target.hashes)
        do {
            try FileManager.default.createDirectory(
                at: destination.deletingLastPathComponent(), withIntermediateDirectories: true)
            let file = try PartialFile(beside: destination, permissions: 0o644)
            part = file.url
            handle = FileHandle(fileDescriptor: file.descriptor, closeOnDealloc: true)
        } catch { throw TrustError(.storage, "\(error)", file: target.path) }
    }

    func write(_ data: Data) throws {
        digest.update(data)
        length += data.count
        try handle.write(contentsOf: data)
    }

    func finish() throws(TrustError) {
        guard length == target.length, digest.matches(target.hashes) else {
            throw TrustError(.signature, "the bytes are not the signed ones", file: target.path)
        }
        do {
            try handle.synchronize()
            // Closed after the rename: until then the lock keeps another client from removing the file.
            try DurableFile.promote(part, to: destination)
            try handle.close()
        } catch { throw TrustError(.storage, "\(error)", file: target.path) }
    }

    func abandon() {
        try? handle.close()
        try? FileManager.default.removeItem(at: part)
    }
}
