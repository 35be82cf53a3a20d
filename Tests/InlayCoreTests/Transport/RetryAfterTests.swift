@_spi(Inlay) import InlayWire
import Testing

@_spi(Inlay) @testable import InlayCore

@Suite struct RetryAfterTests {
    // 6 November 1994, 08:49:07 UTC.
    let now = Timestamp(seconds: 784_111_747)

    @Test(arguments: [
        ("0", Duration.zero), ("120", .seconds(120)), (" 5 ", .seconds(5)),
        ("Sun, 06 Nov 1994 08:49:37 GMT", .seconds(30)),
        ("Sun, 06 Nov 1994 08:00:00 GMT", .zero),
        ("999999999999999999999999", RetryAfter.maximum), ("100000", RetryAfter.maximum),
        ("Sun, 06 Nov 2094 08:49:37 GMT", RetryAfter.maximum),
    ])
    func `seconds and dates are read, at most 24 hours`(text: String, wait: Duration) {
        #expect(RetryAfter.parse(text, now: now) == wait)
    }

    @Test(arguments: [nil, "", "soon", "-5", "1.5", "Sun, 99 Nov 1994 08:49:37 GMT"])
    func `any other text is nil`(text: String?) {
        #expect(RetryAfter.parse(text, now: now) == nil)
    }
}
