@_spi(Inlay) import InlayWire
import Testing

@testable import InlayDevicesServer
@testable import InlayServerCore
@testable import InlayServerTesting

/// Limits on the requests of one network address, whichever user they concern.
@Suite(.timeLimit(.minutes(3))) struct AttemptTests {
    @Test(arguments: CallerLimit.all)
    func `an address has a maximum number of requests of each kind in a period`(_ limit: CallerLimit) throws {
        let time = TestClock(CardsServerFixture.start)
        let limiter = CallerLimiter(now: { time.now })
        for _ in 0..<limit.maximumPerNetwork { try limiter.spend(limit, from: "192.0.2.1") }
        time.advance(by: .seconds(2))
        let refusal = #expect(throws: Refusal.self) { try limiter.spend(limit, from: "192.0.2.1") }
        #expect(refusal?.headers[.retryAfter] == "\(limit.period.components.seconds - 2)")
        // The limit applies neither to other addresses nor to other kinds of request.
        try limiter.spend(limit, from: "192.0.2.2")
        for other in CallerLimit.all where other != limit { try limiter.spend(other, from: "192.0.2.1") }
        time.advance(by: limit.period - .seconds(2))
        try limiter.spend(limit, from: "192.0.2.1")
    }

    @Test func `another address of the same IPv6 network is the same caller`() throws {
        let limiter = CallerLimiter(now: { CardsServerFixture.start })
        for host in 1...60 {
            try limiter.spend(.requestedMails, from: "2001:db8:0:7::\(String(host, radix: 16))")
        }
        #expect(throws: Refusal.self) {
            try limiter.spend(.requestedMails, from: "2001:db8:0:7:ffff::1%eth0")
        }
        try limiter.spend(.requestedMails, from: "2001:db8:0:8::1")
    }

    @Test func `a whole IPv6 /48 tries a hundred codes for one address, however many networks are in it`()
        throws
    {
        let time = TestClock(CardsServerFixture.start)
        let limiter = CallerLimiter(now: { time.now })
        func guess(_ address: CallerAddress, about email: String = "ada@example.com") throws {
            try limiter.spendMailCode(from: address, about: email, of: Self.application)
        }
        // A network's attempts beyond its own twenty do not count towards the hundred of the /48.
        for count in 0..<100 { try? guess("2001:db8:7:0::\(count)") }
        for network in 1...4 { for host in 0..<20 { try guess("2001:db8:7:\(network)::\(host)") } }
        #expect(throws: Refusal.self) { try guess("2001:db8:7:5::1") }
        try guess("2001:db8:7:5::1", about: "eve@example.com")
        try guess("2001:db8:8:5::1")
        time.advance(by: .seconds(900))
        try guess("2001:db8:7:5::1")
        // Each IPv4 address is limited by itself, in either form: the rest of its /24 may belong to others.
        for host in 1...20 { for _ in 0..<10 { try guess("192.0.2.\(host)") } }
        for host in 1...20 { for _ in 0..<10 { try guess("::ffff:192.0.2.\(host)") } }
    }

    @Test(arguments: [(1, 2), (3, 6)])
    func `a flood of names evicts no count that is at least twice its own count for each name`(
        _ each: Int, _ count: Int
    ) throws {
        let maximum = 500
        let limiter = CallerLimiter(maximumNames: maximum, now: { CardsServerFixture.start })
        func ask(_ network: Int) throws {
            try limiter.spend(.requestedMails, from: "10.0.\(network / 256).\(network % 256)")
        }
        for _ in 0..<count { try ask(0) }
        for network in 1...maximum { for _ in 0..<each { try ask(network) } }
        for _ in count..<CallerLimit.requestedMails.maximumPerNetwork { try ask(0) }
        #expect(throws: Refusal.self) { try ask(0) }
    }

    private static let application = DeviceApplication(
        id: "app_x", environmentID: "e", name: "Lighthouse", opensAtOnce: true, pairsUnproven: false,
        minimumPasswordLength: 15, hasLogo: false, createdAt: Timestamp(microseconds: 0), revokedAt: nil)

    @Test func `one network address can request only sixty mails, to known and unknown users alike`()
        async throws
    {
        try await DeviceSite.run { site in
            _ = try await site.proven("known@example.com")
            var answers: [Int] = []
            for index in 0..<60 {
                let email = index.isMultiple(of: 2) ? "known@example.com" : "nobody\(index)@example.com"
                answers.append(try await reset(site, email).status)
            }
            #expect(Set(answers) == [202])
            let refused = [
                try await reset(site, "known@example.com"), try await reset(site, "nobody@example.com"),
            ]
            #expect(refused.map(\.status) == [429, 429])
            #expect(refused.allSatisfy { $0.headers["retry-after"] == "900" })
            #expect(try refused[0].problem == refused[1].problem)
            site.app.clock.advance(by: .seconds(900))
            #expect(try await reset(site, "known@example.com").status == 202)
        }
    }

    private func reset(_ site: DeviceSite, _ email: String) async throws -> TestAppResponse {
        try await site.send("POST", "/v1/devices/password/reset", ["email": email])
    }
}
