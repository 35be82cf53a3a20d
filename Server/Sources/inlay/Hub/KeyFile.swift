import Foundation
@_spi(Inlay) import InlayHubServer
import InlayServer
import InlayServerCore
@_spi(Inlay) import InlayTrust
@_spi(Inlay) import InlayWire

/// Files with private keys that only their owner can read.
enum KeyFile {
    /// Reads the key of a file. Throws when others can read the file.
    static func read(_ path: String) throws -> TrustKeyPair {
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: path) else {
            throw CommandError("There is no file \(path).")
        }
        let permissions = attributes[.posixPermissions] as? Int ?? 0o777
        guard permissions & 0o077 == 0 else {
            throw CommandError("Others can read \(path). Run: chmod 600 \(path)")
        }
        return try TrustKeyPair(fileText: String(textFileAt: path))
    }

    /// Reads the key of a file, or creates the file with a new key.
    static func readOrMake(_ path: String, _ kind: TrustKeyPair.Kind) throws -> TrustKeyPair {
        if FileManager.default.fileExists(atPath: path) { return try read(path) }
        let pair = TrustKeyPair.generate(kind)
        let isMade = FileManager.default.createFile(
            atPath: path, contents: Data(pair.fileText.utf8), attributes: [.posixPermissions: 0o600])
        guard isMade else { throw CommandError("The file \(path) cannot be made.") }
        return pair
    }
}
