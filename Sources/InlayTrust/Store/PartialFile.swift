#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif
import Foundation

/// A file that is written beside its destination and renamed when it is complete.
///
/// Its writer holds a lock on it for as long as it is open. The system releases the lock when the process ends
/// in any way, so an unlocked partial file belongs to nobody and can be removed.
struct PartialFile {
    /// The address of the partial file.
    let url: URL
    /// The open file. The owner closes it.
    let descriptor: Int32

    /// Creates an empty, locked file in the folder of a destination.
    init(beside destination: URL, permissions: mode_t) throws {
        url = destination.deletingLastPathComponent()
            .appendingPathComponent(".\(UUID().uuidString)\(Self.suffix)")
        descriptor = open(url.path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, permissions)
        guard descriptor >= 0 else { throw DurableFile.Failure("cannot make", url.path) }
        // A file system without locks loses only the protection against a second client of the same folder,
        // which the store does not support anyway.
        _ = flock(descriptor, LOCK_EX | LOCK_NB)
    }

    /// Removes the partial files of a folder whose writers ended without finishing them.
    static func removeAbandoned(in folder: URL) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        for name in names where isPartial(name) {
            let path = folder.appendingPathComponent(name).path
            let file = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
            guard file >= 0 else { continue }
            if flock(file, LOCK_EX | LOCK_NB) == 0 { unlink(path) }
            close(file)
        }
    }

    private static let suffix = ".part"

    private static func isPartial(_ name: String) -> Bool {
        name.hasPrefix(".") && name.hasSuffix(suffix)
            && UUID(uuidString: String(name.dropFirst().dropLast(suffix.count))) != nil
    }
}
