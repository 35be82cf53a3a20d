import InlaySQL
import InlayServerCore
@_spi(Inlay) import InlayWire

/// The booking of impressions' events: each event once, in order, and with all its effects in the same transaction.
package struct AdBooking: Sendable {
    /// The outcome of a tracker call.
    package enum Outcome: Hashable, Sendable {
        /// The event is in the ledger.
        case booked
        /// The event is counted as refused.
        case refused(AdRefusal)
        /// The event is counted as refused, too soon, and will be booked when the tracker is called again after this
        /// time, because a rewarded video of the user still runs. The only outcome that the caller can see.
        case early(Duration)

        /// The reason that is stored; `nil` when the event was booked.
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

    /// Books the event of a token and returns the outcome after the commit.
    ///
    /// - Parameters:
    ///   - text: The token.
    ///   - detail: The text that came with the call, for example the code of an error.
    ///   - invalid: The reason why the call is invalid traffic; `nil` when it is not.
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
                try AdRefusal.count(reason, token, unitID: .noUnit, environmentID, at: moment, in: connection)
                return Outcome.refused(reason)
            }
            let entry = AdLedgerEntry(
                impression: found, event: token.event, bookedAt: moment, detail: detail)
            let check = AdEventCheck(entry: entry, token: token, invalidCall: invalid)
            var outcome = try check.outcome(connection)
            if outcome == .booked, try !entry.insert(connection) {
                try check.giveBack(connection)
                outcome = .refused(.duplicate)
            }
            if let reason = outcome.refusal {
                try AdRefusal.count(
                    reason, token, unitID: found.unitID, environmentID, at: moment, in: connection)
                return outcome
            }
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
