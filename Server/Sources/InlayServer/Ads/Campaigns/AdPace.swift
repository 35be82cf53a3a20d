import InlayWire

/// How many impressions a campaign may have taken by a moment.
///
/// An even pace is a straight line from the start to the end, and through each day: at every moment a
/// campaign is at most one impression ahead of its line, and behind it only for want of requests.
enum AdPace {
    private static let day: Int64 = 86_400_000_000

    /// The day (UTC) of a moment, counted from 1970.
    static func day(of moment: Timestamp) -> Int64 {
        let (quotient, remainder) = moment.microseconds.quotientAndRemainder(dividingBy: day)
        return remainder < 0 ? quotient - 1 : quotient
    }

    /// Whether the campaign runs at the moment at all.
    static func isRunning(_ campaign: AdCampaign, at moment: Timestamp) -> Bool {
        campaign.isEnabled && campaign.startsAt.map { $0 <= moment } ?? true
            && campaign.endsAt.map { moment < $0 } ?? true
    }

    /// In all, by this moment.
    static func allowed(_ campaign: AdCampaign, at moment: Timestamp) -> Int64 {
        guard let goal = campaign.goal else { return .max }
        guard campaign.pacing == .even, let start = campaign.startsAt, let end = campaign.endsAt else {
            return goal
        }
        return line(goal, moment.microseconds - start.microseconds, end.microseconds - start.microseconds)
    }

    /// Of this day's, by this moment.
    static func allowedToday(_ campaign: AdCampaign, at moment: Timestamp) -> Int64 {
        guard let goal = campaign.dailyGoal else { return .max }
        guard campaign.pacing == .even else { return goal }
        return line(goal, moment.microseconds - day(of: moment) * day, day)
    }

    /// The whole impressions that are due, and the one that is next.
    private static func line(_ goal: Int64, _ elapsed: Int64, _ whole: Int64) -> Int64 {
        guard elapsed > 0, whole > 0 else { return elapsed < 0 ? 0 : min(goal, 1) }
        guard elapsed < whole else { return goal }
        let (high, low) = goal.multipliedFullWidth(by: elapsed)
        return min(goal, whole.dividingFullWidth((high, low)).quotient + 1)
    }
}
