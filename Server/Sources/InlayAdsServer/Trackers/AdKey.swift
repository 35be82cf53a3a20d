import Crypto
import Foundation
import InlaySQL
import InlayServerCore
@_spi(Inlay) import InlayWire

/// A key that signs trackers or rewards.
///
/// It signs until it retires, and its signatures are accepted until it ends, so that signed data may arrive late.
struct AdKey: Sendable {
    /// The kind of data that a key signs.
    enum Purpose: String, Sendable {
        /// Trackers: HMAC-SHA-256, checked by this server only.
        case tracker
        /// Rewards: Ed25519, checked by the app's own server.
        case reward

        /// The time for which the key signs.
        var life: Duration { self == .tracker ? .seconds(7 * 86_400) : .seconds(30 * 86_400) }
        /// The time for which its signatures are accepted afterwards.
        var overlap: Duration { self == .tracker ? .seconds(2 * 86_400) : .seconds(7 * 86_400) }
    }

    /// The number of bytes of an id.
    static let idBytes = 6

    let environmentID: EnvironmentID
    /// Twelve hexadecimal digits.
    let id: String
    let purpose: Purpose
    /// 32 bytes.
    let secret: Data
    let createdAt: Timestamp
    let retiresAt: Timestamp
    let endsAt: Timestamp

    static func make(_ environmentID: EnvironmentID, _ purpose: Purpose, at moment: Timestamp) -> AdKey {
        let secret =
            switch purpose {
            case .tracker: SymmetricKey(size: .bits256).withUnsafeBytes { Data($0) }
            case .reward: Curve25519.Signing.PrivateKey().rawRepresentation
            }
        let id = SymmetricKey(size: .init(bitCount: idBytes * 8)).withUnsafeBytes { hex($0) }
        let retiresAt = moment + purpose.life
        return AdKey(
            environmentID: environmentID, id: id, purpose: purpose, secret: secret, createdAt: moment,
            retiresAt: retiresAt, endsAt: retiresAt + purpose.overlap)
    }

    /// The public half of a reward key, as raw bytes in base64; `nil` for a tracker key.
    var publicText: String? {
        guard purpose == .reward else { return nil }
        return (try? Curve25519.Signing.PrivateKey(rawRepresentation: secret))?.publicKey.rawRepresentation
            .base64EncodedString()
    }

    static func hex(_ bytes: some Sequence<UInt8>) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(
            decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}
