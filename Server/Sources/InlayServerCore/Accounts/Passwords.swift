import CSodium
import Foundation
@_spi(Inlay) import InlayWire
import NIOConcurrencyHelpers
import NIOCore
import NIOPosix

/// A hasher of passwords with argon2id. One value serves operators and end users.
///
/// A hash takes tens of milliseconds on purpose, so it runs on threads of its own, as many at a time as there
/// are cores: neither requests nor memory suffer when many try to sign in. When too many wait
/// already, the next caller is asked to try again later.
package struct Passwords: Sendable {
    /// The maximum number of hashes that wait or run; more would take longer than anybody waits.
    private static let maximumWaiting = 256
    private static let waiting = NIOLockedValueBox(0)

    private let cost: PasswordCost
    private let derived = NIOLockedValueBox(0)
    private let placeholder = NIOLockedValueBox<String?>(nil)

    package init(cost: PasswordCost) {
        self.cost = cost
    }

    /// The number of argon2id runs of this value and its copies: the cost of a check, whatever the machine's load.
    var derivations: Int { derived.withLockedValue { $0 } }

    /// The threads that hash, for the whole life of the process.
    private static let threads: NIOThreadPool = {
        let threads = NIOThreadPool(numberOfThreads: max(1, System.coreCount))
        threads.start()
        return threads
    }()

    /// Returns the text to store for a password that ``PasswordRules`` accepted.
    package func hash(checked password: String) async throws -> String {
        try await Self.queued {
            derived.withLockedValue { $0 += 1 }
            return try argon2id(password)
        }
    }

    /// Whether a password matches a stored hash. Takes the same time without one, so that a stranger cannot learn
    /// which logins exist.
    package func matches(
        _ password: String, _ storedHash: String?, maximumBytes: Int = PasswordRules.maximumBytes
    ) async throws -> Bool {
        guard password.utf8.count <= maximumBytes else { return false }
        let matches = try await Self.queued {
            let text = try storedHash ?? placeholderHash()
            let bytes = Array(password.utf8CString)
            derived.withLockedValue { $0 += 1 }
            return crypto_pwhash_str_verify(text, bytes, UInt64(bytes.count - 1)) == 0
        }
        return matches && storedHash != nil
    }

    /// Whether a stored hash was made at another cost than a new one would be.
    package func isOutdated(_ storedHash: String) -> Bool {
        crypto_pwhash_str_needs_rehash(storedHash, UInt64(cost.passes), cost.bytes) != 0
    }

    /// Returns a hash that no password matches, for logins without an account.
    private func placeholderHash() throws -> String {
        try placeholder.withLockedValue { text in
            let made = try text ?? argon2id(Secret.random(bytes: 16))
            text = made
            return made
        }
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

    private func argon2id(_ password: String) throws -> String {
        // Safe to call any number of times; 1 says that it was called before.
        guard sodium_init() >= 0 else { throw PasswordError(description: "libsodium could not start.") }
        var encoded = [CChar](repeating: 0, count: Int(crypto_pwhash_STRBYTES))
        let bytes = Array(password.utf8CString)
        let result = crypto_pwhash_str_alg(
            &encoded, bytes, UInt64(bytes.count - 1), UInt64(cost.passes), cost.bytes,
            crypto_pwhash_ALG_ARGON2ID13)
        guard result == 0 else {
            throw PasswordError(description: "No memory to hash a password (\(cost.bytes >> 20) MiB).")
        }
        return String(decoding: encoded.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}

/// The argon2id limits of a password's hash, which every guess has to pay too.
package struct PasswordCost: Equatable, Sendable {
    /// Passes over the memory.
    let passes: Int
    /// The memory that a hash fills, in bytes.
    let bytes: Int

    /// libsodium's interactive limits: two passes over 64 MiB. Every server has this cost.
    package static let interactive = PasswordCost(
        passes: Int(crypto_pwhash_OPSLIMIT_INTERACTIVE), bytes: Int(crypto_pwhash_MEMLIMIT_INTERACTIVE))

    /// The lowest limits that libsodium takes, one pass over 8 KiB. Only for tests, which sign in hundreds of times.
    package static let minimum = PasswordCost(
        passes: Int(crypto_pwhash_OPSLIMIT_MIN), bytes: Int(crypto_pwhash_MEMLIMIT_MIN))
}

/// A password that could not be hashed.
struct PasswordError: Error, CustomStringConvertible {
    let description: String
}
