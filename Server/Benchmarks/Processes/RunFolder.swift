import Foundation

/// The one folder that holds everything a run writes, its children's files too, so that whatever ends the
/// run can remove all of it.
enum RunFolder {
    /// Makes it, and makes it the temporary folder of this process and its children.
    static func make() throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("inlay-bench-\(getpid())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        setenv("TMPDIR", folder.path, 1)
        return folder
    }
}
