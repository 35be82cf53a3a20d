import Crypto
import Foundation
import InlayWire

/// A log-out that the server has not heard of.
///
/// Of the session's tokens only this is kept: it ends the session, and nobody opens anything with it.
struct UntoldLogOut: Codable, Hashable, Sendable {
    /// A session that nobody uses ends by itself after so long.
    static let useful: Duration = .seconds(90 * 24 * 3600)

    let refreshTokenHash: String
    let at: Timestamp

    init(_ session: AccountSession, at moment: Timestamp) {
        refreshTokenHash = Self.hash(session)
        at = moment
    }

    func isOf(_ session: AccountSession) -> Bool { refreshTokenHash == Self.hash(session) }

    private static func hash(_ session: AccountSession) -> String {
        SHA256.hash(data: Data(session.refreshToken.utf8)).map { byte in
            let digits = String(byte, radix: 16)
            return byte < 16 ? "0" + digits : digits
        }.joined()
    }
}
