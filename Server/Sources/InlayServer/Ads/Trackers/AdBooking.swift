import InlaySQL
import InlayWire

/// Books events of impressions, each once, in order, and all that follows from one in the same transaction.
package struct AdBooking: Sendable {
    /// What became of a tracker; the caller of the address never learns it.
    package enum Outcome: Hashable, Sendable {
        /// It is in the ledger.
        case booked
        /// It is among the refused.
        case refused(AdRefusal)
    }

    let database: any SQLDatabase
    let keys: AdKeyStore
    let catalog: AdCatalog
    let counts: AdRefusalCounts
    let now: @Sendable () -> Timestamp
    /// Called when a notice was queued.
    let wake: @Sendable () -> Void

    /// Books the event that a token stands for; returns after the commit.
    package func book(_ text: String, detail: String? = nil) async throws -> Outcome {
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
                [.text(environmentID), .text(token.impressionID)]
            ).map(AdImpression.init)
            guard let found else {
                let reason = token.endsAt < moment ? AdRefusal.expired : .unknownImpression
                try AdRefusal.keep(reason, token, unitID: "", environmentID, at: moment, in: connection)
                return Outcome.refused(reason)
            }
            let entry = AdLedgerEntry(
                impression: found, event: token.event, bookedAt: moment, detail: detail)
            if let reason = try refusal(of: entry, token, connection) {
                try AdRefusal.keep(
                    reason, token, unitID: found.unitID, environmentID, at: moment, in: connection)
                return .refused(reason)
            }
            try entry.insert(connection)
            try entry.queueNotices(signer, connection)
            return .booked
        }
        if outcome == .booked, token.event == .view || token.event == .reward { wake() }
        return outcome
    }

    private func refuse(_ reason: AdRefusal, _ environmentID: String = "") -> Outcome {
        counts.add(reason, environmentID)
        return .refused(reason)
    }

    private func refusal(
        of entry: AdLedgerEntry, _ token: AdTrackerToken, _ connection: any SQLConnection
    ) throws -> AdRefusal? {
        if try entry.isBooked(connection) { return .copy }
        guard entry.bookedAt <= token.endsAt else { return .expired }
        if entry.event == .view {
            // Whoever closes the impression books it; on another node the same statement now finds it closed.
            if try entry.impression.close(connection) { return nil }
            return try entry.isBooked(connection) ? .copy : .expired
        }
        // What cannot be drawn is never viewed, and its error is the one that people look for.
        if entry.event == .error { return nil }
        guard try entry.isBooked(connection, as: .view) else { return .beforeView }
        switch entry.event {
        case .click: return entry.age < Self.leastAgeOfClick ? .tooSoon : nil
        case .reward:
            guard try entry.reward(connection) != nil else { return .noReward }
            return try entry.isBooked(connection, as: .complete) ? nil : .beforeComplete
        default: return nil
        }
    }

    /// Nobody sees an ad and reacts to it within this time after it was handed out.
    ///
    /// From the answer and not from the view: a view may have waited in the device's outbox, so the two may
    /// arrive together. What is counted from the answer can only be longer than what the person had.
    static let leastAgeOfClick: Duration = .milliseconds(200)
}
