@_spi(Inlay) import InlayWire

/// The number of impressions that a campaign may have served by a moment.
///
/// Even pacing is linear from the start to the end of the campaign, and through each day: a campaign is never
/// more than one impression ahead, and behind only when there are too few requests.
enum AdPace {
    private static let day: Int64 = 86_400_000_000

    /// The day (UTC) of a moment, counted from 1970.
    static func day(of moment: Timestamp) -> Int64 {
        let (quotient, remainder) = moment.microseconds.quotientAndRemainder(dividingBy: day)
        return remainder < 0 ? quotient - 1 : quotient
    }

    /// Whether the campaign is enabled and the moment is between its start and its end.
    static func isRunning(_ campaign: AdCampaign, at moment: Timestamp) -> Bool {
        campaign.isEnabled && campaign.startsAt.map { $0 <= moment } ?? true
            && campaign.endsAt.map { moment < $0 } ?? true
    }

    /// Returns the number of impressions in total that are allowed by the moment.
    static func allowed(_ campaign: AdCampaign, at moment: Timestamp) -> Int64 {
        guard let goal = campaign.goal else { return .max }
        guard campaign.pacing == .even, let start = campaign.startsAt, let end = campaign.endsAt else {
            return goal
        }
        return paced(goal, moment.microseconds - start.microseconds, end.microseconds - start.microseconds)
    }

    /// Returns the number of impressions of the moment's day that are allowed by the moment.
    static func allowedToday(_ campaign: AdCampaign, at moment: Timestamp) -> Int64 {
        guard let goal = campaign.dailyGoal else { return .max }
        guard campaign.pacing == .even else { return goal }
        return paced(goal, moment.microseconds - day(of: moment) * day, day)
    }

    /// Returns the linear share of the goal, rounded down, and one more for the next impression.
    private static func paced(_ goal: Int64, _ elapsed: Int64, _ duration: Int64) -> Int64 {
        guard elapsed > 0, duration > 0 else { return elapsed < 0 ? 0 : min(goal, 1) }
        guard elapsed < duration else { return goal }
        let (high, low) = goal.multipliedFullWidth(by: elapsed)
        return min(goal, duration.dividingFullWidth((high, low)).quotient + 1)
    }
}
