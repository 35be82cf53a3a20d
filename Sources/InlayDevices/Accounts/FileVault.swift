import Foundation
import InlayCore

/// Keeps the log-in as a file of the session's folder, which other accounts of the machine cannot read.
struct FileVault: AccountVault {
    private let folder: URL
    private let file: URL

    init(_ configuration: DevicesConfiguration) {
        folder = configuration.session.folder
        // Each application of an environment logs in for itself.
        let stem = UserIdentity.deviceStem(
            environmentID: "\(configuration.session.environmentID)/\(configuration.applicationID)")
        file = folder.appendingPathComponent("log-in-\(stem)")
    }

    func load() async throws -> Data? {
        guard FileManager.default.fileExists(atPath: file.path) else { return nil }
        return try Data(contentsOf: file)
    }

    func save(_ data: Data?) async throws {
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
