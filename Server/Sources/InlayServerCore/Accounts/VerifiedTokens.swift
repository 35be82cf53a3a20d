import Crypto
import Foundation
@_spi(Inlay) import InlayWire
import NIOConcurrencyHelpers

/// A cache of tokens that were verified lately: an app sends the same one with every request, and a signature costs a
/// hundred times as much as a lookup.
///
/// A cached token still expires at its `exp`, and counts only for the copy of the key that it was verified with, so a
/// revoked or changed key ends it too. Two generations bound the memory.
final class VerifiedTokens: Sendable {
    private struct Entry {
        let verified: TokenVerifier.Verified
        let copyID: UUID
    }

    private struct State {
        var young: [SHA256.Digest: Entry] = [:]
        var old: [SHA256.Digest: Entry] = [:]
    }

    private static let generationSize = 20_000
    private let state = NIOLockedValueBox(State())

    func verified(
        _ token: String, environmentID: EnvironmentID, apiKeyID: String, keys: VerificationKeys,
        at now: Timestamp,
        verify: () throws -> TokenVerifier.Verified
    ) throws -> TokenVerifier.Verified {
        let name = SHA256.hash(data: Data("\(environmentID)\n\(apiKeyID)\n\(token)".utf8))
        let known = state.withLockedValue { $0.young[name] ?? $0.old[name] }
        if let known, known.copyID == keys.copyID, now < known.verified.expiresAt { return known.verified }
        let verified = try verify()
        state.withLockedValue { state in
            if state.young.count >= Self.generationSize {
                state.old = state.young
                state.young = [:]
            }
            state.young[name] = Entry(verified: verified, copyID: keys.copyID)
        }
        return verified
    }
}
