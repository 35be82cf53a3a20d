import CSodium
import Foundation
@_spi(Inlay) import InlayWire
import NIOConcurrencyHelpers
import NIOCore
import NIOPosix

/// Passwords as argon2id, hashed with libsodium's interactive limits (64 MiB, two passes).
///
/// A hash takes tens of milliseconds on purpose, so it runs on threads of its own, as many at a time as there
/// are cores: neither requests nor memory suffer when many try to sign in. Who comes when too many wait
/// already is told to come again.
package struct Passwords: Sendable {
    /// Hashes that wait or run; more would take longer than anybody waits.
    private static let maximumWaiting = 256
    private static let waiting = NIOLockedValueBox(0)

    private let derived = NIOLockedValueBox(0)

    package init() {}

    /// The number of argon2id runs of this value and its copies: the cost of a check, whatever the machine's load.
    var derivations: Int { derived.withLockedValue { $0 } }

    /// For the whole process, for its whole life.
    private static let threads: NIOThreadPool = {
        let threads = NIOThreadPool(numberOfThreads: max(1, System.coreCount))
        threads.start()
        return threads
    }()

    /// A kept text of nobody's password, for comparing where there is nothing to compare with.
    private static let nobody = Result { try argon2id(Secret.random(bytes: 16)) }

    /// The text to keep for a password that ``PasswordRules`` let through.
    package func hash(checked password: String) async throws -> String {
        try await Self.queued {
            derived.withLockedValue { $0 += 1 }
            return try Self.argon2id(password)
        }
    }

    /// Whether a password belongs to a kept text. Takes the same time for no text at all, so that a stranger
    /// cannot learn which logins exist.
    package func matches(
        _ password: String, _ kept: String?, longest: Int = PasswordRules.maximumBytes
    ) async throws -> Bool {
        guard password.utf8.count <= longest else { return false }
        let matches = try await Self.queued {
            let text = try kept ?? Self.nobody.get()
            let bytes = Array(password.utf8CString)
            derived.withLockedValue { $0 += 1 }
            return crypto_pwhash_str_verify(text, bytes, UInt64(bytes.count - 1)) == 0
        }
        return matches && kept != nil
    }

    /// Whether a kept text was made with other limits than a new one would be.
    package static func isOutdated(_ kept: String) -> Bool {
        crypto_pwhash_str_needs_rehash(
            kept, UInt64(crypto_pwhash_OPSLIMIT_INTERACTIVE), Int(crypto_pwhash_MEMLIMIT_INTERACTIVE)) != 0
    }

    private static func queued<Result: Sendable>(
        _ work: @escaping @Sendable () throws -> Result
    ) async throws -> Result {
        let isFull = waiting.withLockedValue { count -> Bool in
            guard count < maximumWaiting else { return true }
            count += 1
            return false
        }
        guard !isFull else { throw Refusal(.unavailable, headers: [.retryAfter: "5"]) }
        defer { waiting.withLockedValue { $0 -= 1 } }
        return try await threads.runIfActive(work)
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
