import HTTPTypes
@_spi(Inlay) import InlayWire
import Testing

@testable import InlayServerCore
@testable import InlayServerTesting

/// Rate limits: which callers are refused, and when they may send again.
@Suite(.timeLimit(.minutes(5))) struct RateLimitTests {
    @Test func `a user who sends too much waits for Retry-After, others do not`() async throws {
        try await TestApp.run(configure: { $0.rates.perUser = 2 }) { app in
            let tenant = try await TestTenant.make(app)
            let alice = try tenant.headers(app, user: "alice"), bob = try tenant.headers(app, user: "bob")
            for _ in 0..<8 {
                #expect(try await app.send("GET", "/test/whoami", headers: alice).status == 200)
            }
            let refused = try await app.send("GET", "/test/whoami", headers: alice)
            #expect(refused.status == 429)
            #expect(try refused.code == "rate-limited")
            #expect(refused.headers["retry-after"] == "1")
            #expect(try await app.send("GET", "/test/whoami", headers: bob).status == 200)
            app.clock.advance(by: .seconds(1))
            #expect(try await app.send("GET", "/test/whoami", headers: alice).status == 200)
        }
    }

    @Test func `a secret key and an address have limits of their own`() async throws {
        try await TestApp.run(configure: { $0.rates.perKey = 1 }) { app in
            let tenant = try await TestTenant.make(app)
            for _ in 0..<4 {
                #expect(try await app.send("GET", "/test/backend", headers: tenant.backend).status == 200)
            }
            #expect(try await app.send("GET", "/test/backend", headers: tenant.backend).status == 429)
        }
        try await TestApp.run(configure: { $0.rates.perAddress = 1 }) { app in
            for _ in 0..<4 { #expect(try await app.send("GET", "/health").status == 200) }
            let refused = try await app.send("GET", "/health")
            #expect(refused.status == 429)
            #expect(refused.headers["inlay-server-time"] != nil)
        }
    }

    @Test func `a forwarded address counts only behind a proxy, and only the last one`()
        async throws
    {
        for trusts in [false, true] {
            try await TestApp.run(configure: {
                $0.rates.perAddress = 1
                $0.trustsProxy = trusts
            }) { app in
                for number in 0..<4 {
                    _ = try await app.send(
                        "GET", "/health", headers: ["X-Forwarded-For": "10.0.0.\(number), 203.0.113.5"])
                }
                let same = try await app.send(
                    "GET", "/health", headers: ["X-Forwarded-For": "10.9.9.9, 203.0.113.5"])
                #expect(same.status == 429)
                let other = try await app.send(
                    "GET", "/health", headers: ["X-Forwarded-For": "203.0.113.5, 203.0.113.6"])
                #expect(other.status == (trusts ? 200 : 429))
            }
        }
    }

    @Test func `a limit of zero is no limit`() throws {
        let clock = TestClock()
        let limiter = RateLimiter(limits: .off, now: { clock.now }), address: CallerAddress = "192.0.2.1"
        for _ in 0..<100_000 { try limiter.spend(.network(address.network)) }
    }

    @Test func `a slow rate says how long to wait`() throws {
        let clock = TestClock()
        var limits = RateLimits()
        limits.perUser = 1
        let limiter = RateLimiter(limits: limits, now: { clock.now })
        let caller = RateLimiter.Caller.user(environment: "e", "u")
        for _ in 0..<4 { try limiter.spend(caller) }
        let refusal = #expect(throws: Refusal.self) { try limiter.spend(caller) }
        #expect(refusal?.headers[.retryAfter] == "1")
        clock.advance(by: .milliseconds(999))
        #expect(throws: Refusal.self) { try limiter.spend(caller) }
        clock.advance(by: .milliseconds(1))
        try limiter.spend(caller)
        try limiter.spend(.user(environment: "other", "u"))
    }

    @Test func `a flood of addresses clears no count that is more than half used up`() throws {
        var limits = RateLimits()
        limits.perAddress = 2
        let moment = TestClock().now, address: CallerAddress = "192.0.2.1"
        let limiter = RateLimiter(limits: limits, now: { moment })
        for _ in 0..<8 { try limiter.spend(.network(address.network)) }
        #expect(throws: Refusal.self) { try limiter.spend(.network(address.network)) }
        for number in 0..<100_001 {
            try limiter.spend(.network(CallerAddress(name: "flood-\(number)").network))
        }
        #expect(throws: Refusal.self) { try limiter.spend(.network(address.network)) }
    }
}
