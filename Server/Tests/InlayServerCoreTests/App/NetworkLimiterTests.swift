@_spi(Inlay) import InlayWire
import Testing

@testable import InlayServerCore
@testable import InlayServerTesting

/// What one network may use of something that others need too.
@Suite(.timeLimit(.minutes(2))) struct NetworkLimiterTests {
    private func limiter(
        _ clock: TestClock, address: Int = 0, block: Int = 0, total: Int = 0
    ) -> NetworkLimiter {
        NetworkLimiter(
            .init(
                maximumPerAddress: address, maximumPerBlock: block, maximumInTotal: total,
                period: .seconds(60)),
            now: { clock.now })
    }

    @Test func `an address and the block around it have limits of their own, and a period ends`() throws {
        let clock = TestClock(), limiter = limiter(clock, address: 3, block: 5)
        for _ in 0..<3 { try limiter.spend(from: "192.0.2.1") }
        clock.advance(by: .seconds(20))
        let refusal = #expect(throws: Refusal.self) { try limiter.spend(from: "192.0.2.1") }
        #expect(refusal?.headers[.retryAfter] == "40" && refusal?.problem == .rateLimited)
        // What is refused takes nothing from the neighbours.
        for _ in 0..<10 { try? limiter.spend(from: "192.0.2.1") }
        for _ in 0..<2 { try limiter.spend(from: "192.0.2.2") }
        #expect(throws: Refusal.self) { try limiter.spend(from: "192.0.2.3") }
        try limiter.spend(from: "198.51.100.1")
        // An IPv6 host has a /64 to itself, and a customer often a /48.
        for host in 1...3 { try limiter.spend(from: "2001:db8:7:1::\(host)") }
        #expect(throws: Refusal.self) { try limiter.spend(from: "2001:db8:7:1::9") }
        for host in 1...2 { try limiter.spend(from: "2001:db8:7:2::\(host)") }
        #expect(throws: Refusal.self) { try limiter.spend(from: "2001:db8:7:3::1") }
        try limiter.spend(from: "2001:db8:8:1::1")
        clock.advance(by: .seconds(40))
        try limiter.spend(from: "192.0.2.1")
    }

    @Test func `of a total one network has its share, and what is left is for others`() throws {
        let clock = TestClock(), limiter = limiter(clock, total: 20)
        func admitted(_ address: String, of count: Int = 30, about subject: String = "ada") -> Int {
            (0..<count).count { _ in (try? limiter.spend(from: address, about: subject)) != nil }
        }
        #expect(admitted("192.0.2.1") == 5)
        #expect(admitted("192.0.2.9") == 0, "the same /24")
        #expect(admitted("198.51.100.1") == 3)
        #expect(admitted("2001:db8::1") == 3)
        // Each subject has a total of its own.
        #expect(admitted("192.0.2.1", about: "eve") == 5)
        // Even after a hundred strangers somebody else may ask once a period.
        let others = (0..<6).map { admitted("203.0.\($0).1", of: 1) }
        #expect(others == [1, 1, 1, 1, 1, 1])
        clock.advance(by: .seconds(60))
        #expect(admitted("192.0.2.1") == 5)
    }

    @Test func `a limit of zero is none, and a flood of addresses costs bounded memory`() throws {
        let clock = TestClock(), open = limiter(clock)
        for _ in 0..<10_000 { try open.spend(from: "192.0.2.1") }
        let limited = limiter(clock, address: 3)
        for _ in 0..<3 { try limited.spend(from: "192.0.2.1") }
        for number in 0..<NetworkLimiter.maximumNames {
            try limited.spend(from: "10.\(number / 65_536).\(number / 256 % 256).\(number % 256)")
        }
        // The flood has one for each name: it clears no count of two or more.
        #expect(throws: Refusal.self) { try limited.spend(from: "192.0.2.1") }
    }

    @Test(arguments: [
        ("192.0.2.77", "192.0.2.0/24"), ("::ffff:192.0.2.77", "192.0.2.0/24"),
        ("2001:db8:7:1::1", "20-1-d-b8-0-7/48"), ("local", "local"), ("1.2.3.example", "1.2.3.example"),
    ])
    func `a block is a /24 or a /48`(_ address: String, _ block: String) {
        #expect(CallerNetwork.block(of: address) == block)
    }

    @Test func `a range holds the addresses of its prefix, in either form`() throws {
        let v4 = try #require(NetworkRange("192.0.2.128/25")),
            v6 = try #require(NetworkRange("2001:db8::/33"))
        for address in ["192.0.2.128", "192.0.2.255", "::ffff:192.0.2.200"] { #expect(v4.contains(address)) }
        for address in ["192.0.2.127", "192.0.3.128", "2001:db8::1", "", "local"] {
            #expect(!v4.contains(address), "\(address)")
        }
        #expect(
            v6.contains("2001:db8:7fff::1") && !v6.contains("2001:db8:8000::1") && !v6.contains("192.0.2.1"))
        let one = try #require(NetworkRange("203.0.113.9"))
        #expect(one.contains("203.0.113.9") && !one.contains("203.0.113.8"))
        let all = try #require(NetworkRange("0.0.0.0/0"))
        #expect(all.contains("203.0.113.9") && !all.contains("::1"))
        for text in ["", "192.0.2.0/33", "192.0.2.0/-1", "192.0.2/24", "2001:db8::/129", "a/8", "192.0.2.0/"]
        {
            #expect(NetworkRange(text) == nil, "\(text)")
        }
    }
}
