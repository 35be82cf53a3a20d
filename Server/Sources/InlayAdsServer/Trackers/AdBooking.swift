import InlaySQL
import InlayServerCore
@_spi(Inlay) import InlayWire

/// Books events of impressions, each once, in order, and all that follows from one in the same transaction.
package struct AdBooking: Sendable {
    /// The outcome of a tracker call.
    package enum Outcome: Hashable, Sendable {
        /// It is in the ledger.
        case booked
        /// It is among the refused.
        case refused(AdRefusal)
        /// It is among the refused as too soon, and will be booked when it comes again after this time: a rewarded
        /// video of the user still runs. The one outcome that the caller learns.
        case early(Duration)

        /// The reason under which it is kept; `nil` when it was booked.
        var refusal: AdRefusal? {
            switch self {
            case .booked: nil
            case .refused(let reason): reason
            case .early: .tooSoon
            }
        }
    }

    let database: any SQLDatabase
    let keys: AdKeyStore
    let catalog: AdCatalog
    let counts: AdRefusalCounts
    let now: @Sendable () -> Timestamp
    /// Called when a notice was queued.
    let wake: @Sendable () -> Void

    /// Books the event that a token stands for; returns after the commit.
    ///
    /// - Parameters:
    ///   - detail: What came with the call.
    ///   - invalid: Why the call is invalid traffic; `nil` when it is not.
    package func book(
        _ text: String, detail: String? = nil, invalid: AdRefusal? = nil
    ) async throws -> Outcome {
        guard let (token, bytes) = AdTrackerToken.read(text) else { return refuse(.malformed) }
        guard let key = try await keys.key(token.keyID, .tracker) else { return refuse(.unknownKey) }
        guard AdTrackerToken.isSigned(bytes, by: key) else {
            return refuse(.wrongSignature, key.environmentID)
        }
        let environmentID = key.environmentID
        let signer = token.event == .reward ? try await keys.current(environmentID, .reward) : nil
        let moment = now()
        let outcome = try await database.write { connection in
            let found = try connection.row(
                "SELECT * FROM ad_impressions WHERE environment_id = ? AND id = ?",
                [.id(environmentID), .id(token.impressionID)]
            ).map(AdImpression.init)
            guard let found else {
                let reason = token.endsAt < moment ? AdRefusal.expired : .unknownImpression
                try AdRefusal.keep(reason, token, unitID: .noUnit, environmentID, at: moment, in: connection)
                return Outcome.refused(reason)
            }
            let entry = AdLedgerEntry(
                impression: found, event: token.event, bookedAt: moment, detail: detail)
            let check = AdEventCheck(entry: entry, token: token, invalidCall: invalid)
            let outcome = try check.outcome(connection)
            if let reason = outcome.refusal {
                try AdRefusal.keep(
                    reason, token, unitID: found.unitID, environmentID, at: moment, in: connection)
                return outcome
            }
            try entry.insert(connection)
            try entry.queueNotices(signer, connection)
            return .booked
        }
        if outcome == .booked, token.event == .view || token.event == .reward { wake() }
        return outcome
    }

    private func refuse(_ reason: AdRefusal, _ environmentID: EnvironmentID = .noEnvironment) -> Outcome {
        counts.add(reason, environmentID)
        return .refused(reason)
    }
}
