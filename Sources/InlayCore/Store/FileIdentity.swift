import Foundation

/// The identity of a file: its device and its number there.
///
/// An open file keeps its identity when its name is removed or given to another file.
struct FileIdentity: Hashable, Sendable {
    private let device: UInt64
    private let number: UInt64

    /// Reads the identity of the file that a path leads to; `nil` when there is none. One system call.
    init?(path: String) {
        var entry = stat()
        guard stat(path, &entry) == 0 else { return nil }
        device = UInt64(truncatingIfNeeded: entry.st_dev)
        number = UInt64(truncatingIfNeeded: entry.st_ino)
    }
}
