@_spi(Inlay) import InlayWire
import Testing

@Suite struct RFC3339Tests {
    @Test(arguments: [
        (0, "1970-01-01T00:00:00.000Z"), (1_402_358_400_000_000, "2014-06-10T00:00:00.000Z"),
        (951_782_399_999_999, "2000-02-28T23:59:59.999Z"), (951_782_400_000_000, "2000-02-29T00:00:00.000Z"),
        (-1, "1969-12-31T23:59:59.999Z"), (4_107_542_400_123_000, "2100-03-01T00:00:00.123Z"),
        (Int64.max, "9999-12-31T23:59:59.999Z"), (.min, "0000-01-01T00:00:00.000Z"),
    ])
    func `a moment is written in UTC with milliseconds`(microseconds: Int64, text: String) {
        #expect(Timestamp(microseconds: microseconds).rfc3339 == text)
    }

    @Test(arguments: [
        ("2014-06-10T00:00:00.000Z", 1_402_358_400_000_000),
        ("2014-06-10T02:00:00+02:00", 1_402_358_400_000_000),
        ("2014-06-09T19:30:00-04:30", 1_402_358_400_000_000), ("1970-01-01T00:00:00.1234567Z", 123_456),
        ("1969-12-31t23:59:59z", -1_000_000), ("2016-12-31T23:59:60Z", 1_483_228_800_000_000),
    ])
    func `every form of RFC 3339 is read`(text: String, microseconds: Int64) {
        #expect(Timestamp(rfc3339: text)?.microseconds == microseconds)
    }

    @Test(arguments: [
        "", "2014-06-10", "2014-06-10T00:00:00", "2014-13-10T00:00:00Z", "2014-02-29T00:00:00Z",
        "2014-06-10T24:00:00Z", "2014-06-10T00:00:00.Z", "2014-06-10T00:00:00Zx", "x014-06-10T00:00:00Z",
        "2014-06-10T00:00:00+2:00", "2014-06-10T00:00:61Z",
    ])
    func `any other text is refused`(text: String) { #expect(Timestamp(rfc3339: text) == nil) }

    @Test func `formatted timestamps are parsed unchanged`() {
        var microseconds: Int64 = -62_167_219_200_000_000
        while microseconds < 253_402_300_799_000_000 {
            let moment = Timestamp(microseconds: microseconds)
            #expect(Timestamp(rfc3339: moment.rfc3339) == moment)
            microseconds += 1_234_567_890_123_000
        }
    }
}
