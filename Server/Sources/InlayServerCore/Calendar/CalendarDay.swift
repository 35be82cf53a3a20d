/// A day of the calendar, in the time zone that the caller chooses; see ``CalendarZone/day(of:)``.
package struct CalendarDay: Hashable, Comparable, Sendable, Codable {
    /// Days since 1 January 1970.
    package let number: Int

    /// The day by its number since 1 January 1970.
    package init(number: Int) { self.number = number }

    /// A date of the Gregorian calendar; `nil` for one that does not exist.
    package init?(year: Int, month: Int, day: Int) {
        guard (1...9_999).contains(year), (1...12).contains(month), day >= 1 else { return nil }
        // Years are counted from March, so that the leap day is the last day of a year.
        let shifted = month > 2 ? year : year - 1
        let era = shifted / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        number = era * 146_097 + dayOfEra - 719_468
        guard parts == (year, month, day) else { return nil }
    }

    /// The day this many days later.
    package func adding(_ days: Int) -> CalendarDay { CalendarDay(number: number + days) }

    /// Year, month and day of the month.
    package var parts: (year: Int, month: Int, day: Int) {
        let shifted = number + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
    }

    package static func < (left: Self, right: Self) -> Bool { left.number < right.number }
}
