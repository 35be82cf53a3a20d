import Foundation
import InlayCore

/// A file in the session's folder that is readable only by the user account that runs the app.
struct PrivateFile: Sendable {
    private let folder: URL
    private let file: URL

    /// Each application of an environment has its own files.
    init(_ name: String, _ configuration: DevicesConfiguration) {
        folder = configuration.session.folder
        let stem = UserIdentity.deviceStem(
            environmentID: "\(configuration.session.environmentID)/\(configuration.applicationID)")
        file = folder.appendingPathComponent("\(name)-\(stem)")
    }

    func load() throws -> Data? {
        guard FileManager.default.fileExists(atPath: file.path) else { return nil }
        return try Data(contentsOf: file)
    }

    /// Replaces the file's content; `nil` removes the file.
    func save(_ data: Data?) throws {
        guard let data else {
            guard FileManager.default.fileExists(atPath: file.path) else { return }
            return try FileManager.default.removeItem(at: file)
        }
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        #if canImport(Darwin)
            try data.write(to: file, options: [.atomic, .completeFileProtectionUntilFirstUserAuthentication])
        #else
            try data.write(to: file, options: .atomic)
        #endif
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
    }
}
