import InlayBehaviors
@_spi(Inlay) import InlayWire
import Testing

@Suite struct ExpirationTests {
    static let june = "2014-06-10T00:00:00Z"
    static let january = "2014-01-01T00:00:00Z"

    @Test(arguments: [
        ("1 day 15m", june, "2014-06-11T00:15:00.000Z"),
        ("15m1d0seconds", june, "2014-06-11T00:15:00.000Z"),
        ("65minutes", june, "2014-06-10T01:05:00.000Z"),
        ("3seconds", june, "2014-06-10T00:00:03.000Z"),
        ("1 day", june, "2014-06-11T00:00:00.000Z"),
        ("0seconds", june, "2014-06-10T00:00:00.000Z"),
        ("1 day 7 hours 23 minutes 15 seconds", january, "2014-01-02T07:23:15.000Z"),
        ("1day7hours23minutes15seconds", january, "2014-01-02T07:23:15.000Z"),
        ("1d 7h 23m 15s", january, "2014-01-02T07:23:15.000Z"),
        ("9h", january, "2014-01-01T09:00:00.000Z"), ("14h", january, "2014-01-01T14:00:00.000Z"),
        ("12m", january, "2014-01-01T00:12:00.000Z"), ("47 secs", january, "2014-01-01T00:00:47.000Z"),
        ("67 mins 47s", january, "2014-01-01T01:07:47.000Z"),
        ("2014/12/25 11:12:13", january, "2014-12-25T11:12:13.000Z"),
        ("2014/02/14 16:25:43 ", january, "2014-02-14T16:25:43.000Z"),
        ("1 day", "2014-12-31T00:00:00Z", "2015-01-01T00:00:00.000Z"),
        ("1 day", "2014-06-30T00:00:00Z", "2014-07-01T00:00:00.000Z"),
        ("1 day", "2016-02-28T00:00:00Z", "2016-02-29T00:00:00.000Z"),
    ])
    func `a text and a reference time give the documented date`(
        text: String, from: String, date: String
    ) throws {
        let reference = try #require(Timestamp(rfc3339: from))
        #expect(Expiration(text)?.date(from: reference).rfc3339 == date)
    }

    @Test(arguments: [
        ("1 day 2 hr 3 minutes 4 sec", 93_784), ("1m 1m", 120), ("1 day 15m", 87_300), ("1day15m", 87_300),
        ("1d 15 m", 87_300), ("15m1d", 87_300), ("1d15m", 87_300), ("1d", 86_400), ("1 day", 86_400),
        ("30 days", 2_592_000), ("1 hr", 3600), ("15m", 900), ("30 minutes", 1800), ("15 sec", 15),
        ("3seconds", 3), ("65minutes", 3900), ("25hr", 90_000), ("0seconds", 0), ("1 DAY 2H", 93_600),
    ])
    func `values of any unit, order and spacing add up to a time`(text: String, seconds: Int) {
        #expect(Expiration(text)?.duration == .seconds(seconds))
    }

    @Test(arguments: [
        "", "abc", "15", "   ", "21341qaskljdf;lawjer;aldsv;lajsdf", "day", "2014/13/25 11:12:13",
    ])
    func `a text without any value is invalid, never a crash`(text: String) {
        #expect(Expiration(text) == nil)
    }

    @Test func `numbers that are too large are limited and do not overflow`() throws {
        let much = String(repeating: "9", count: 100)
        let text = "\(much)d \(much)h \(much)m \(much)s"
        let duration = try #require(Expiration(text)?.duration)
        #expect(duration > .seconds(1_000_000_000_000))
        #expect(Expiration(text)?.date(from: Timestamp(microseconds: .max)).microseconds == .max)
    }

    @Test func `a moment may also be written as RFC 3339`() throws {
        let moment = try #require(Timestamp(rfc3339: "2014-12-25T00:00:00Z"))
        #expect(Expiration(" 2014-12-25T02:00:00+02:00 ") == .at(moment))
        #expect(Expiration("2014/12/25 00:00:00")?.duration == nil)
    }
}
