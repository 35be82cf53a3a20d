import InlaySQL
@_spi(Inlay) import InlayWire

/// Whether an event of an impression may be booked, and what its booking takes.
///
/// Run in the transaction that books: a check that passes has marked the view as seen, or counted the reward.
struct AdEventCheck {
    let entry: AdLedgerEntry
    let token: AdTrackerToken
    /// The reason why the call itself is invalid traffic; `nil` when it is not.
    let invalidCall: AdRefusal?

    private var impression: AdImpression { entry.impression }

    /// Returns the reason why it is refused; `nil` when it may be booked.
    func refusal(_ connection: any SQLConnection) throws -> AdRefusal? {
        if let invalid = impression.invalid ?? invalidCall { return invalid }
        if try entry.isBooked(connection) { return .copy }
        guard entry.bookedAt <= token.endsAt else { return .expired }
        if entry.event == .view { return try view(connection) }
        // An ad that cannot be drawn is never viewed, and its error is the event that operators look for.
        if entry.event == .error { return nil }
        guard try entry.isBooked(connection, as: .view) else { return .beforeView }
        let minimum = AdEventTiming.minimumAge(of: entry.event, length: impression.videoLength)
        guard entry.age >= minimum else { return .tooSoon }
        return entry.event == .reward ? try reward(connection) : nil
    }

    private func view(_ connection: any SQLConnection) throws -> AdRefusal? {
        // Whoever marks the impression books it; on another node the same statement now finds it marked.
        guard try impression.markSeen(connection) else {
            return try entry.isBooked(connection) ? .copy : .expired
        }
        guard !impression.campaignID.isEmpty else { return nil }
        if try impression.endReservation(connection) {
            try impression.hold?.release(connection)
            return nil
        }
        if try AdReservation.takeAgain(impression, in: connection) { return nil }
        try impression.markUnseen(connection)
        return .noRoom
    }

    private func reward(_ connection: any SQLConnection) throws -> AdRefusal? {
        guard let reward = try entry.reward(connection) else { return .noReward }
        guard try entry.isBooked(connection, as: .complete) else { return .beforeComplete }
        guard !reward.needsUser || !impression.userID.isEmpty else { return .noUser }
        let count = AdRewardCount(impression, at: entry.bookedAt)
        return try count.take(maximum: reward.maximumPerDay, connection) ? nil : .rewardCap
    }
}
