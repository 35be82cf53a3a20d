package import Foundation

/// The files of an open SQLite database, with a check that their names still lead to them.
///
/// SQLite goes on with the files that it has opened. What is written after a name was removed, or given to another
/// file, is in files that the next start does not find.
package struct DatabaseFiles: Sendable {
    private struct File: Sendable {
        let path: String
        let identity: FileIdentity?

        init(path: String) {
            self.path = path
            identity = FileIdentity(path: path)
        }

        var isInPlace: Bool { identity != nil && FileIdentity(path: path) == identity }
    }

    private let files: [File]

    /// Records the identities of the database's file and of the files beside it with these suffixes; all must be open.
    package init(_ database: URL, companions suffixes: [String] = []) {
        // SQLite keeps the companions beside the file that a symbolic link points to.
        let target = database.resolvingSymlinksInPath().path
        files = [File(path: database.path)] + suffixes.map { File(path: target + $0) }
    }

    /// Whether each file is still found under its name. Costs one system call for each file.
    package var areInPlace: Bool { files.allSatisfy(\.isInPlace) }
}

/// The identity of a file: its device and inode number.
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
