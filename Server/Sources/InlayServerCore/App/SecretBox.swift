package import Crypto
package import Foundation
@_spi(Inlay) import InlayWire
import NIOConcurrencyHelpers

/// A box that seals private keys for the database: AES-256-GCM with a secret that is not in the database.
///
/// The secret is a file of 32 bytes in base64 with mode 0600, made for the first thing that is sealed and never
/// again. A backup of the database alone is not enough to sign anything.
package struct SecretBox: Sendable {
    private let load: @Sendable (_ isSealing: Bool) throws -> SymmetricKey
    private let file: String?
    private let mayCreate: NIOLockedValueBox<Bool>

    /// Creates a box with its secret in a file; several nodes share one file. No file is made before
    /// ``allowSecretCreation()``.
    package init(file: String) {
        let mayCreate = NIOLockedValueBox(false)
        self.file = file
        self.mayCreate = mayCreate
        load = { isSealing in
            let secret = try Self.secret(at: file, isSealing && mayCreate.withLockedValue { $0 })
            // Something may be sealed with the secret from now on: if the file goes, that is an error, and no new one
            // is made.
            mayCreate.withLockedValue { $0 = false }
            return secret
        }
    }

    /// Creates a box with a secret of the caller's own.
    package init(secret: SymmetricKey) {
        file = nil
        mayCreate = NIOLockedValueBox(false)
        load = { _ in secret }
    }

    /// Whether there is no secret, and nothing that was sealed can be opened.
    package var isSecretMissing: Bool { file.map { !FileManager.default.fileExists(atPath: $0) } ?? false }

    /// Lets the secret be made when something is sealed. Call it only when nothing was sealed with another secret.
    package func allowSecretCreation() { mayCreate.withLockedValue { $0 = true } }

    /// Seals bytes for a context, which is not in the result; they open only with the same context.
    package func seal(_ bytes: Data, for context: String) throws -> Data {
        let box = try AES.GCM.seal(bytes, using: load(true), authenticating: Data(context.utf8))
        return box.nonce.withUnsafeBytes { Data($0) } + box.ciphertext + box.tag
    }

    /// Opens bytes that were sealed for the context.
    package func unseal(_ sealed: Data, for context: String) throws -> Data {
        do {
            let box = try AES.GCM.SealedBox(combined: sealed)
            return try AES.GCM.open(box, using: load(false), authenticating: Data(context.utf8))
        } catch is CryptoKitError {
            throw Problem(
                .unavailable, status: 503, title: "A content key cannot be opened.",
                detail: "The content secret is not the one it was sealed with. Put the right file back.")
        }
    }

    private static func secret(at path: String, _ mayCreate: Bool) throws -> SymmetricKey {
        if !FileManager.default.fileExists(atPath: path) {
            guard mayCreate else { throw missing(path) }
            try make(at: path)
        }
        guard let file = FileManager.default.contents(atPath: path) else {
            throw ConfigurationError(
                description: """
                    The content secret \(path) cannot be read. Run this as the user that owns the file.
                    """)
        }
        // A copy that was put back by hand may have been through an editor.
        let text = (try? TextFile.text(file))?.trimmingCharacters(in: .whitespacesAndNewlines) ?? ""
        guard let bytes = Data(base64Encoded: text), bytes.count == 32 else { throw damaged(path) }
        return SymmetricKey(data: bytes)
    }

    /// Not treated as a lost file: damage to the file must not cost the keys too.
    private static func damaged(_ path: String) -> ConfigurationError {
        ConfigurationError(
            description: """
                The content secret \(path) must hold 32 bytes in base64. Put the copy of the file there. If there is \
                none, move this one away; 'inlay key lost-secret' says what can be done then.
                """)
    }

    private static func missing(_ path: String) -> Problem {
        Problem(
            .unavailable, status: 503, title: "The content secret is missing.",
            detail: """
                The database holds private keys that are sealed with it, and there is no file \(path). Put the copy \
                of that file there, or name it with INLAY_CONTENT_SECRET_FILE. If it is lost for good, \
                'inlay key lost-secret' says what can be done.
                """)
    }

    /// Makes the file. Another process may make it at the same moment; the first one's stays.
    private static func make(at path: String) throws {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let bytes = SymmetricKey(size: .bits256).withUnsafeBytes { Data($0) }
        let temporary = path + "." + Secret.id("")
        defer { unlink(temporary) }
        let file = open(temporary, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw ConfigurationError(description: "The file \(path) cannot be made.") }
        defer { close(file) }
        let text = Data((bytes.base64EncodedString() + "\n").utf8)
        let written = text.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
        guard written == text.count, fsync(file) == 0 else {
            throw ConfigurationError(description: "The file \(path) cannot be written.")
        }
        guard link(temporary, path) == 0 || errno == EEXIST else {
            throw ConfigurationError(description: "The file \(path) cannot be made.")
        }
    }
}
