@_spi(Inlay) import InlayWire
import Testing

@testable import InlayServerCore
@testable import InlayServerTesting

/// Limits on the use of a shared resource by one network.
@Suite(.timeLimit(.minutes(5))) struct CallerLimiterTests {
    private func limit(network: Int = 0, v4: Int = 0, v6: Int = 0) -> CallerLimit {
        CallerLimit("test", network, perIPv4Block: v4, perIPv6Block: v6, period: .seconds(60))
    }

    @Test func `an address and the block around it have limits of their own, and a period ends`() throws {
        let clock = TestClock(), limiter = CallerLimiter(now: { clock.now })
        let limit = limit(network: 3, v4: 5, v6: 5)
        func spend(_ caller: CallerAddress) throws { try limiter.spend(limit, from: caller) }
        for _ in 0..<3 { try spend("192.0.2.1") }
        clock.advance(by: .seconds(20))
        let refusal = #expect(throws: Refusal.self) { try spend("192.0.2.1") }
        #expect(refusal?.headers[.retryAfter] == "40" && refusal?.problem == .rateLimited)
        // A refused request does not count towards the limit of its block.
        for _ in 0..<10 { try? spend("192.0.2.1") }
        for _ in 0..<2 { try spend("192.0.2.2") }
        #expect(throws: Refusal.self) { try spend("192.0.2.3") }
        try spend("198.51.100.1")
        // An IPv6 host has a /64 to itself, and a customer often a /48.
        for host in 1...3 { try spend("2001:db8:7:1::\(host)") }
        #expect(throws: Refusal.self) { try spend("2001:db8:7:1::9") }
        for host in 1...2 { try spend("2001:db8:7:2::\(host)") }
        #expect(throws: Refusal.self) { try spend("2001:db8:7:3::1") }
        try spend("2001:db8:8:1::1")
        clock.advance(by: .seconds(40))
        try spend("192.0.2.1")
    }

    @Test func `each limit and each subject has counts of its own`() throws {
        let limiter = CallerLimiter(now: { TestClock().now })
        try limiter.spend(limit(network: 1), from: "192.0.2.1", about: "ada")
        #expect(throws: Refusal.self) {
            try limiter.spend(limit(network: 1), from: "192.0.2.1", about: "ada")
        }
        try limiter.spend(limit(network: 1), from: "192.0.2.1", about: "eve")
        try limiter.spend(CallerLimit("another", 1), from: "192.0.2.1", about: "ada")
    }

    @Test func `a refunded request and a check do not count`() throws {
        let limiter = CallerLimiter(now: { TestClock().now }), limit = limit(network: 2, v6: 3)
        for _ in 0..<9 {
            try limiter.spend(limit, from: "2001:db8::1")
            limiter.refund(limit, from: "2001:db8::1")
            try limiter.check(limit, from: "2001:db8::1")
        }
        // A refund does nothing when no request is counted.
        limiter.refund(limit, from: "2001:db8::1")
        for _ in 0..<2 { limiter.count(limit, from: "2001:db8::1") }
        #expect(throws: Refusal.self) { try limiter.check(limit, from: "2001:db8::1") }
        limiter.count(limit, from: "2001:db8:0:1::1")
        #expect(throws: Refusal.self) { try limiter.check(limit, from: "2001:db8:0:2::1") }
    }

    @Test func `a limit of zero is none, and a flood of addresses costs bounded memory`() throws {
        let clock = TestClock(), limiter = CallerLimiter(now: { clock.now })
        for _ in 0..<10_000 { try limiter.spend(limit(), from: "192.0.2.1") }
        for _ in 0..<3 { try limiter.spend(limit(network: 3), from: "192.0.2.1") }
        for number in 0..<CallerLimiter.maximumNames {
            try limiter.spend(
                limit(network: 3),
                from: "10.\(number / 65_536).\(number / 256 % 256).\(number % 256)")
        }
        // The flood has one request for each name, so it evicts no count of two or more.
        #expect(throws: Refusal.self) { try limiter.spend(limit(network: 3), from: "192.0.2.1") }
    }
}
