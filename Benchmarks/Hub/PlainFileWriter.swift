import Crypto
import Foundation

/// The baseline for storing verified files: it hashes, writes, syncs and renames one file after another with plain
/// system calls.
struct PlainFileWriter {
    /// The measured times in seconds.
    struct Seconds {
        /// The wall clock time.
        let all: Double
        /// The part of the wall clock time in SHA-256.
        let hashing: Double
        /// The processor time, including the kernel's.
        let processor: Double
    }

    private let folder: URL

    init(folder: URL) throws {
        self.folder = folder
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    /// Writes the files, returns the times, and removes the files.
    func seconds(_ contents: [Data]) throws -> Seconds {
        let (start, startProcessor) = (ContinuousClock.now, clock())
        var hashing = Duration.zero
        for data in contents {
            let hashStart = ContinuousClock.now
            let name = SHA256.hash(data: data).map { String(format: "%02x", $0) }.joined()
            hashing += ContinuousClock.now - hashStart
            try keep(data, as: folder.appendingPathComponent(name).path)
        }
        try sync(folder.path, O_RDONLY | O_DIRECTORY)
        let seconds = Seconds(
            all: (ContinuousClock.now - start) / .seconds(1), hashing: hashing / .seconds(1),
            processor: Double(clock() - startProcessor) / Double(CLOCKS_PER_SEC))
        // The next run starts with an empty folder again.
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
            try FileManager.default.removeItem(at: folder.appendingPathComponent(name))
        }
        return seconds
    }

    private func keep(_ data: Data, as path: String) throws {
        let descriptor = open(path + ".part", O_WRONLY | O_CREAT | O_EXCL, 0o600)
        guard descriptor >= 0 else { throw Self.failure() }
        defer { close(descriptor) }
        let count = data.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        guard count == data.count, fsync(descriptor) == 0, rename(path + ".part", path) == 0 else {
            throw Self.failure()
        }
    }

    private func sync(_ path: String, _ flags: Int32) throws {
        let descriptor = open(path, flags)
        guard descriptor >= 0 else { throw Self.failure() }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw Self.failure() }
    }

    private static func failure() -> CocoaError { CocoaError(.fileWriteUnknown) }
}
