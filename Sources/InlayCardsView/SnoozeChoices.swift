import Foundation
@_spi(Inlay) import InlaySurface
@_spi(Inlay) import InlayWire

/// The times that a snooze picker offers, in the user's time zone.
struct SnoozeChoices {
    let now: Timestamp
    let environment: SurfaceEnvironment

    /// The choices, soonest first. This evening (18:00) is offered until 17:00, when it would be within the next hour.
    var all: [(name: CardString, moment: Timestamp)] {
        var choices: [(CardString, Timestamp)] = [(.snoozeInOneHour, now + .seconds(3600))]
        if let evening = next(hour: 18, after: 0), evening > now + .seconds(3600) {
            choices.append((.snoozeThisEvening, evening))
        }
        if let morning = next(hour: 9, after: 1) { choices.append((.snoozeTomorrowMorning, morning)) }
        if let week = next(hour: 9, after: 7) { choices.append((.snoozeNextWeek, week)) }
        return choices
    }

    /// The initial value of the field: tomorrow morning.
    var suggestion: Timestamp { next(hour: 9, after: 1) ?? now + .seconds(86_400) }

    // By the calendar, because a day may have 23 or 25 hours.
    private func next(hour: Int, after days: Int) -> Timestamp? {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = SurfaceDate.zone(environment.timeZone)
        let today = calendar.startOfDay(for: SurfaceDate.date(now))
        guard let day = calendar.date(byAdding: .day, value: days, to: today),
            let moment = calendar.date(bySettingHour: hour, minute: 0, second: 0, of: day)
        else { return nil }
        return Timestamp(seconds: moment.timeIntervalSince1970)
    }
}
