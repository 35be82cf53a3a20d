import Foundation
import InlayCore

/// A file of the session's folder that other accounts of the machine cannot read.
struct PrivateFile: Sendable {
    private let folder: URL
    private let file: URL

    /// Each application of an environment has files of its own.
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

    /// Keeps the data in place of what was there; `nil` removes it.
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
