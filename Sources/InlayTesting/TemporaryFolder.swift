public import Foundation

/// A temporary folder that is deleted with this object.
public final class TemporaryFolder: Sendable {
    /// The folder, inside the system's temporary directory.
    public let url: URL

    /// Creates a new empty folder.
    public init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("inlay-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// The names of the folder's files, sorted.
    public var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []).sorted()
    }
}
