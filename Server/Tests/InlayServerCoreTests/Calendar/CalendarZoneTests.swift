import Foundation
@_spi(Inlay) import InlayWire
import Testing

@testable import InlayServerCore
@testable import InlayServerTesting
@testable import InlayWorkbench

@Suite struct CalendarZoneTests {
    private func zone(_ name: String) throws -> CalendarZone { try #require(CalendarZone(name)) }

    private func time(_ text: String) throws -> Timestamp { try #require(Timestamp(rfc3339: text)) }

    @Test func `a day of the calendar is the same as its date, also before 1970 and in leap years`() throws {
        let dates = [(1970, 1, 1, 0), (1969, 12, 31, -1), (2000, 2, 29, 11_016), (2026, 11, 22, 20_779)]
        for (year, month, day, number) in dates {
            let found = try #require(CalendarDay(year: year, month: month, day: day))
            #expect(found.number == number && found.parts == (year, month, day))
        }
        for (year, month, day) in [(2026, 2, 29), (2026, 13, 1), (2026, 4, 31), (2026, 0, 1), (2026, 1, 0)] {
            #expect(CalendarDay(year: year, month: month, day: day) == nil)
        }
        #expect(CalendarZone.utc.day(of: Timestamp(microseconds: -1)).number == -1)
        #expect(CalendarZone.utc.day(of: Timestamp(microseconds: 86_399_999_999)).number == 0)
    }

    @Test(arguments: ["Europe/Kyiv", "Asia/Kolkata", "America/Argentina/Buenos_Aires", "UTC"])
    func `a name of the time zone database is a zone`(name: String) {
        #expect(CalendarZone(name)?.name == name)
    }

    @Test(arguments: ["", "Europe", "Berlin", "GMT+2", "Europe/berlin ", "../etc/passwd", "UTC\u{0}"])
    func `a name that no zone has is refused`(name: String) { #expect(CalendarZone(name) == nil) }

    @Test func `a day has 23, 24 or 25 hours, and no hour is lost`() throws {
        let berlin = try zone("Europe/Berlin")
        let dates = [(3, 29, 23), (10, 25, 25), (11, 22, 24)]
        for (month, day, hours) in dates {
            let date = try #require(CalendarDay(year: 2026, month: month, day: day))
            let buckets = berlin.hours(of: date)
            #expect(buckets.count == hours)
            #expect(buckets.until == berlin.start(of: date.adding(1)))
            #expect(buckets.starts.allSatisfy { berlin.day(of: $0) == date })
        }
    }

    @Test(arguments: [
        // Santiago's clocks skip the hour after midnight.
        ("America/Santiago", "2026-09-06T04:00:00Z", 2026, 9, 6),
        ("Europe/Berlin", "2026-11-21T23:00:00Z", 2026, 11, 22),
        ("Asia/Kathmandu", "2026-11-21T18:15:00Z", 2026, 11, 22),
        ("UTC", "2026-11-22T00:00:00Z", 2026, 11, 22),
        ("Pacific/Kiritimati", "2026-11-21T10:00:00Z", 2026, 11, 22),
    ])
    func `a day begins at its first moment`(name: String, start: String, year: Int, month: Int, day: Int)
        throws
    {
        let zone = try zone(name), start = try time(start)
        let date = try #require(CalendarDay(year: year, month: month, day: day))
        #expect(zone.start(of: date) == start)
        #expect(zone.day(of: start) == date)
        #expect(zone.day(of: start + .microseconds(-1)) == date.adding(-1))
    }

    @Test(arguments: [
        ("2026-03-29T02:30", "2026-03-29T01:30:00Z"), ("2026-10-25T02:30", "2026-10-25T00:30:00Z"),
        ("2026-10-25T03:00", "2026-10-25T02:00:00Z"), ("2026-11-22", "2026-11-21T23:00:00Z"),
        ("2026-11-22 14:05", "2026-11-22T13:05:00Z"), ("2026-07-01T14:05:09", "2026-07-01T12:05:09Z"),
        ("٢٠٢٦-١١-٢٢ ١٤:٠٥", "2026-11-22T13:05:00Z"), ("２０２６-１１-２２", "2026-11-21T23:00:00Z"),
    ])
    func `a local time is one moment, also where clocks skip or repeat it`(typed: String, moment: String)
        throws
    {
        #expect(TypedText.moment(typed, in: try zone("Europe/Berlin")) == (try time(moment)))
    }

    @Test func `a moment that a form shows is read back as the same moment`() throws {
        for name in ["Europe/Berlin", "Asia/Kathmandu", "America/St_Johns", "Pacific/Chatham"] {
            let zone = try zone(name)
            for hour in 0..<(366 * 24) {
                let moment = try time("2026-01-01T00:00:00Z") + .seconds(3_600 * hour)
                let back = try #require(TypedText.moment(TypedText.field(moment, in: zone), in: zone))
                // Only the second of two equal local times, after clocks went back, is read as another moment.
                #expect(back == moment || zone.local(back) == zone.local(moment))
            }
        }
    }

    @Test
    func `spans find their moments, and their SQL expression has one branch for each run of equal days`()
        throws
    {
        let berlin = try zone("Europe/Berlin")
        let first = try #require(CalendarDay(year: 2026, month: 9, day: 25))
        let buckets = berlin.days(first...first.adding(59))
        #expect(buckets.index(of: buckets.from + .microseconds(-1)) == nil)
        #expect(buckets.index(of: buckets.until) == nil)
        for (place, start) in buckets.starts.enumerated() {
            #expect(buckets.index(of: start) == place)
            #expect(buckets.index(of: buckets.boundaries[place + 1] + .microseconds(-1)) == place)
        }
        // Thirty days of summer, one of 25 hours, and the days of winter: three branches.
        #expect(buckets.expression("t").sql.split(separator: "WHEN").count == 4)
    }

    @Test func `a page writes dates in one way`() throws {
        let berlin = try zone("Europe/Berlin")
        let moment = Moment(
            try time("2026-11-21T23:10:00Z"), now: try time("2027-11-21T23:10:00Z"), in: berlin)
        #expect(moment.exact == "22 Nov 2026, 00:10 Europe/Berlin" && moment.words == "22 Nov 2026")
        #expect(moment.machine == "2026-11-21T23:10:00Z")
        #expect(berlin.day(of: try time("2026-11-21T23:10:00Z")).shortText == "22 Nov")
    }
}
