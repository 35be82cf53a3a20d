import Crypto
import Foundation

/// PBKDF2 with HMAC-SHA-256: one block, which is all a 256-bit key needs.
///
/// Made from swift-crypto's HMAC because its own key derivation is not on Apple's systems.
enum PassphraseKey {
    static func derive(_ passphrase: String, salt: Data, iterations: Int) -> SymmetricKey {
        let prf = HMAC<SHA256>(key: SymmetricKey(data: Data(passphrase.utf8)))
        var keyed = prf
        keyed.update(data: salt + Data([0, 0, 0, 1]))
        var link = Array(keyed.finalize())
        var sum = link
        for _ in 1..<max(iterations, 1) {
            // A copy of the keyed state: the passphrase is not hashed again each time.
            var next = prf
            next.update(data: link)
            link = Array(next.finalize())
            for index in sum.indices { sum[index] ^= link[index] }
        }
        return SymmetricKey(data: sum)
    }
}
