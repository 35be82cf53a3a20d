import Foundation

/// The folder of all files that a run and its children write, so that they are removed also after an error or a signal.
enum RunFolder {
    /// Creates the folder and makes it the temporary folder of this process and its children.
    static func make() throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("inlay-bench-\(getpid())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        setenv("TMPDIR", folder.path, 1)
        return folder
    }
}
