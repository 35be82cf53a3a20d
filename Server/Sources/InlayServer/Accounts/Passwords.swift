import CSodium
import Foundation
import InlayWire
import NIOPosix

/// Passwords of operators, kept as argon2id with libsodium's interactive limits (64 MiB).
///
/// A hash takes tens of milliseconds on purpose, so it runs on threads of its own, two at a time:
/// neither requests nor memory suffer when many try to sign in.
package struct Passwords: Sendable {
    /// The shortest password an operator may choose.
    package static let shortest = 10
    private static let longest = 256

    /// Two for the whole process, for its whole life.
    private static let threads: NIOThreadPool = {
        let threads = NIOThreadPool(numberOfThreads: 2)
        threads.start()
        return threads
    }()

    /// The text to keep for a password; throws `invalid-value` for one that is too short or long.
    package func hash(_ password: String) async throws -> String {
        guard (Self.shortest...Self.longest).contains(password.utf8.count) else {
            throw Problem.invalidValue("password", "\(Self.shortest) to \(Self.longest) characters.")
        }
        return try await Self.threads.runIfActive { try Self.argon2id(password) }
    }

    /// Whether a password belongs to a kept text. Takes the same time for no text at all, so that a stranger
    /// cannot learn which logins exist.
    func matches(_ password: String, _ kept: String?) async throws -> Bool {
        guard password.utf8.count <= Self.longest else { return false }
        let text = if let kept { kept } else { try await hash("nobody has this one") }
        let matches = try await Self.threads.runIfActive {
            let bytes = Array(password.utf8CString)
            return crypto_pwhash_str_verify(text, bytes, UInt64(bytes.count - 1)) == 0
        }
        return matches && kept != nil
    }

    private static func argon2id(_ password: String) throws -> String {
        // Safe to call any number of times; 1 says that it was called before.
        guard sodium_init() >= 0 else { throw PasswordError(description: "libsodium could not start.") }
        var kept = [CChar](repeating: 0, count: Int(crypto_pwhash_STRBYTES))
        let bytes = Array(password.utf8CString)
        let result = crypto_pwhash_str_alg(
            &kept, bytes, UInt64(bytes.count - 1), UInt64(crypto_pwhash_OPSLIMIT_INTERACTIVE),
            Int(crypto_pwhash_MEMLIMIT_INTERACTIVE), crypto_pwhash_ALG_ARGON2ID13)
        guard result == 0 else { throw PasswordError(description: "No memory to hash a password (64 MiB).") }
        return String(decoding: kept.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}

/// A password that could not be hashed.
struct PasswordError: Error, CustomStringConvertible {
    let description: String
}
