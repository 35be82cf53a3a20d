import Crypto
import Foundation

/// The owner of a session: one user of one environment.
package struct UserIdentity: Hashable, Sendable {
    /// The beginning of the names of the user's files; reveals nothing about the user.
    package let fileStem: String

    package init(environmentID: String, subject: String) {
        // Both are hashed to one length first, so that no pair of ids can imitate another pair.
        var hash = SHA256()
        hash.update(data: Data(SHA256.hash(data: Data(environmentID.utf8))))
        hash.update(data: Data(SHA256.hash(data: Data(subject.utf8))))
        fileStem = "user-" + Self.hex(hash.finalize())
    }

    /// Returns the beginning of the names of the files that outlive users.
    package static func deviceStem(environmentID: String) -> String {
        "device-" + hex(SHA256.hash(data: Data(environmentID.utf8)))
    }

    private static func hex(_ digest: SHA256.Digest) -> String {
        digest.prefix(16).map { String(format: "%02x", $0) }.joined()
    }
}
