import InlaySQL
@_spi(Inlay) import InlayWire

/// The check whether an event of an impression may be booked.
///
/// It runs in the transaction of the booking: a check that passes has marked the impression as seen, or counted the
/// reward.
struct AdEventCheck {
    let entry: AdLedgerEntry
    let token: AdTrackerToken
    /// The reason why the call itself is invalid traffic; `nil` when it is not.
    let invalidCall: AdRefusal?

    private var impression: AdImpression { entry.impression }

    /// Returns the outcome of the call; with ``AdBooking/Outcome/booked`` the entry has yet to be inserted.
    func outcome(_ connection: any SQLConnection) throws -> AdBooking.Outcome {
        if let invalid = impression.invalid ?? invalidCall { return .refused(invalid) }
        if try entry.isBooked(connection) { return .refused(.duplicate) }
        guard entry.bookedAt <= token.endsAt else { return .refused(.expired) }
        if entry.event == .view { return try view(connection) }
        // An ad that cannot be drawn is never viewed, and its error is the event that operators look for.
        if entry.event == .error { return .booked }
        guard let viewedAt = try entry.moment(of: .view, connection) else { return .refused(.beforeView) }
        let minimum = AdEventTiming.minimumAge(of: entry.event, length: impression.videoLength)
        guard entry.age >= minimum else { return .refused(.tooSoon) }
        switch entry.event {
        case .complete: return try complete(minimum - (entry.bookedAt - viewedAt), connection)
        case .reward: return try reward(connection).map { AdBooking.Outcome.refused($0) } ?? .booked
        default: return .booked
        }
    }

    /// Gives the reward of a check that passed back to the day's count: the event was not booked after all.
    func giveBack(_ connection: any SQLConnection) throws {
        if entry.event == .reward { try AdRewardCount(impression, at: entry.bookedAt).giveBack(connection) }
    }

    private func view(_ connection: any SQLConnection) throws -> AdBooking.Outcome {
        let time = try isRewarded(connection) ? AdRewardedTime(impression, at: entry.bookedAt) : nil
        if let wait = try time?.take(connection) { return .early(wait) }
        guard let reason = try seen(connection) else { return .booked }
        try time?.giveBack(connection)
        return .refused(reason)
    }

    /// Returns the outcome of the end of a video. The end of a rewarded video is booked no sooner than the video's
    /// length after its view: the time before a view that comes together with the end may have been another video's.
    private func complete(_ wait: Duration, _ connection: any SQLConnection) throws -> AdBooking.Outcome {
        guard wait > .zero, try isRewarded(connection) else { return .booked }
        return wait <= AdRewardedTime.maximum ? .early(wait) : .refused(.tooSoon)
    }

    /// Whether the user can earn a reward with the video. Only such videos take rewarded time.
    private func isRewarded(_ connection: any SQLConnection) throws -> Bool {
        guard impression.videoLength != nil, let reward = try entry.reward(connection) else { return false }
        return canEarn(reward)
    }

    private func canEarn(_ reward: AdUnit.Reward) -> Bool { !reward.needsUser || !impression.userID.isEmpty }

    private func seen(_ connection: any SQLConnection) throws -> AdRefusal? {
        // The node that marks the impression books it; the same statement on another node then finds it marked.
        guard try impression.markSeen(connection) else {
            return try entry.isBooked(connection) ? .duplicate : .expired
        }
        guard !impression.campaignID.isEmpty else { return nil }
        if try impression.endReservation(connection) {
            try impression.hold?.release(connection)
            return nil
        }
        if try AdReservation.takeAgain(impression, in: connection) { return nil }
        try impression.markUnseen(connection)
        return .noCapacity
    }

    private func reward(_ connection: any SQLConnection) throws -> AdRefusal? {
        guard let reward = try entry.reward(connection) else { return .noReward }
        guard try entry.isBooked(connection, as: .complete) else { return .beforeComplete }
        guard canEarn(reward) else { return .noUser }
        let count = AdRewardCount(impression, at: entry.bookedAt)
        return try count.take(maximum: reward.maximumPerDay, connection) ? nil : .rewardCap
    }
}
