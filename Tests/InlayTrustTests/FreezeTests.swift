import Foundation
@_spi(Inlay) import InlayCore
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayTrust
@_spi(Inlay) import InlayWire
import Testing

/// The refusal of expired metadata, behind which an attacker may withhold newer metadata.
@Suite struct FreezeTests {
    @Test(arguments: [(8, TopLevelRole.timestamp), (31, .snapshot), (91, .targets), (366, .root)])
    func `expired metadata of each role is refused`(days: Int, role: TopLevelRole) async throws {
        var lifetimes = TrustLifetimes()
        // Only the role under test expires.
        if role != .timestamp { lifetimes.timestamp = .days(9_000) }
        if role != .snapshot { lifetimes.snapshot = .days(9_000) }
        if role != .targets { lifetimes.targets = .days(9_000) }
        if role != .root { lifetimes.root = .days(9_000) }
        let fixture = try TrustFixture(lifetimes: lifetimes)
        fixture.clock.set(to: .start + .days(days))
        let error = await #expect(throws: TrustError.self) { try await fixture.client().refresh() }
        #expect(error?.threat == .freeze)
        #expect(error?.file == role.rawValue)
    }

    @Test func `metadata expires exactly at its expiry`() async throws {
        let fixture = try TrustFixture()
        fixture.clock.set(to: .start + .days(7) + .seconds(-1))
        try await fixture.client().refresh()
        fixture.clock.set(to: .start + .days(7))
        #expect(await fixture.threat { try await fixture.client().refresh() } == .freeze)
    }

    @Test func `an update uses the time of its start for all expiry checks`() async throws {
        let fixture = try TrustFixture()
        // While the update runs, the clock passes the expiry of everything.
        let slow = ClockSettingFetcher(
            server: fixture.server, clock: fixture.clock, to: .start + .days(4_000))
        #expect(await fixture.threat { try await fixture.client(mirrors: [slow]).refresh() } == nil)
        #expect(await fixture.threat { try await fixture.client(mirrors: [slow]).refresh() } == .freeze)
    }

    @Test func `a mirror that withholds newer metadata is detected by the expiry`() async throws {
        let fixture = try TrustFixture()
        try await fixture.client().refresh()
        fixture.clock.set(to: .start + .days(8))
        // The mirror responds with valid signatures, but withholds new versions.
        #expect(await fixture.threat { try await fixture.client().refresh() } == .freeze)
        #expect(try await fixture.client().stored().expired(at: fixture.clock.now()) == [.timestamp])
    }

    @Test func `expired stored metadata does not prevent an update`() async throws {
        var fixture = try TrustFixture()
        try await fixture.client().refresh()
        fixture.clock.set(to: .start + .days(60))
        try fixture.publish(["a": "later"])
        #expect(try await fixture.client().refresh().targets.content["a"] != nil)
    }

    @Test func `an expired root can still verify the next one`() async throws {
        var lifetimes = TrustLifetimes()
        lifetimes.root = .days(10)
        var fixture = try TrustFixture(lifetimes: lifetimes)
        fixture.clock.set(to: .start + .days(20))
        try fixture.repository.rotate(from: fixture.keys, to: fixture.keys, now: fixture.clock.now())
        fixture.server.serve(fixture.repository)
        #expect(try await fixture.client().refresh().root.content.version == 2)
    }

    @Test func `an expired root is stored, so that keys it removed stay removed`() async throws {
        var fixture = try TrustFixture()
        try fixture.repository.rotate(from: fixture.keys, to: fixture.keys, now: .start + .days(-400))
        fixture.server.serve(fixture.repository)
        #expect(await fixture.threat { try await fixture.client().refresh() } == .freeze)
        #expect(await fixture.stored("root") == fixture.repository.root.bytes)
        #expect(await fixture.stored("timestamp") == nil)
    }

    @Test func `a renewed timestamp extends the life of the same content`() async throws {
        var fixture = try TrustFixture()
        try fixture.publish(["a": "same"])
        for week in 1...20 {
            fixture.clock.set(to: .start + .days(week * 6))
            try fixture.repository.renew(keys: fixture.keys, now: fixture.clock.now())
            fixture.server.serve(fixture.repository)
            #expect(try await fixture.client().refresh().targets.content["a"] != nil)
        }
    }
}

/// A fetcher that sets the clock to `to` before each fetch.
private struct ClockSettingFetcher: TrustFetcher {
    let server: ScriptedRepository
    let clock: ManualClock
    let to: Timestamp

    init(server: ScriptedRepository, clock: ManualClock, to moment: Timestamp) {
        (self.server, self.clock, to) = (server, clock, moment)
    }

    func fetch(_ request: TrustRequest, receive: @escaping @Sendable (Data) throws -> Void) async throws {
        clock.set(to: to)
        try await server.fetch(request, receive: receive)
    }
}
