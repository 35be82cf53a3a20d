@_spi(Inlay) import InlayCore
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
import Testing

@testable import InlayBehaviors

@Suite struct AppSessionTests {
    private func codes(_ fixture: BehaviorsFixture) async throws -> [String] {
        // The lane returns the events in the order in which they were stored.
        try await fixture.session.outbox.pending(lane: BehaviorEngine.lane).map {
            try OutboxBehavior(id: $0.id, time: $0.time, body: $0.body).code
        }
    }

    private func start(_ change: (inout BehaviorsConfiguration) -> Void = { _ in }) async throws
        -> BehaviorsFixture
    {
        let fixture = try await BehaviorsFixture.start {
            $0.settings.eventCacheSize = 1000
            $0.network = TestNetwork(reachable: false)
            change(&$0)
        }
        return fixture
    }

    private func duration(_ fixture: BehaviorsFixture) async throws -> String? {
        try await fixture.behaviors.stored().first { $0.event.eventTypeCode == "14" }?.event[
            "Session Duration"]
    }

    @Test func `a session starts with the app, ends after the time-out, and another starts`() async throws {
        let fixture = try await start()
        try await fixture.behaviors.appBecameActive()
        #expect(try await codes(fixture) == ["13"])
        try await fixture.behaviors.appWasLeft()
        fixture.clock.advance(by: .seconds(31 * 60))
        try await fixture.behaviors.appBecameActive()
        #expect(try await codes(fixture) == ["13", "14", "13"])
    }

    @Test func `a return within the time-out continues the session`() async throws {
        let fixture = try await start()
        try await fixture.behaviors.appBecameActive()
        for _ in 0..<3 {
            try await fixture.behaviors.appWasLeft()
            fixture.clock.advance(by: .seconds(29 * 60))
            try await fixture.behaviors.appBecameActive()
        }
        try await fixture.behaviors.appBecameActive()
        #expect(try await codes(fixture) == ["13"])
    }

    @Test func `six minutes in the background do not end a session by default`() async throws {
        let fixture = try await start()
        try await fixture.behaviors.appBecameActive()
        try await fixture.behaviors.appWasLeft()
        fixture.clock.advance(by: .seconds(6 * 60))
        try await fixture.behaviors.appBecameActive()
        #expect(try await codes(fixture) == ["13"])
    }

    @Test(arguments: [(299, ["13"]), (300, ["13", "14", "13"]), (301, ["13", "14", "13"])])
    func `with five minutes configured a session ends after exactly five`(away: Int, expected: [String])
        async throws
    {
        let fixture = try await start { $0.settings.sessionExpiration = .seconds(300) }
        try await fixture.behaviors.appBecameActive()
        try await fixture.behaviors.appWasLeft()
        fixture.clock.advance(by: .seconds(away))
        try await fixture.behaviors.appBecameActive()
        #expect(try await codes(fixture) == expected)
    }

    @Test func `an app that lives on in the background ends its session when the time is over`() async throws
    {
        let fixture = try await start()
        try await fixture.behaviors.appBecameActive()
        try await fixture.behaviors.appWasLeft()
        try await fixture.clock.untilSleeping(for: .seconds(1800))
        fixture.clock.advance(by: .seconds(1800))
        try await eventually { try await self.codes(fixture) == ["13", "14"] }
    }

    @Test func `a time-out that comes as the app returns does not end the watch over the foreground`()
        async throws
    {
        let fixture = try await start()
        try await fixture.behaviors.appBecameActive()
        try await fixture.clock.untilSleeping(for: .seconds(30))
        // The timer of the background calls this. It may have ended while the app returned.
        try await fixture.behaviors.engine.sessions.resume()
        fixture.clock.advance(by: .seconds(30))
        try await eventually {
            let state = try await fixture.behaviors.engine.store.value(
                AppSessions.key, as: AppSessionState.self)
            return state?.seen == fixture.clock.now()
        }
    }

    @Test func `the duration excludes the time in the background`() async throws {
        let fixture = try await start()
        try await fixture.behaviors.appBecameActive()
        fixture.clock.advance(by: .seconds(60))
        try await fixture.behaviors.appWasLeft()
        fixture.clock.advance(by: .seconds(120))
        try await fixture.behaviors.appBecameActive()
        fixture.clock.advance(by: .seconds(30))
        try await fixture.behaviors.appWasLeft()
        fixture.clock.advance(by: .seconds(3600))
        try await fixture.behaviors.appBecameActive()
        #expect(try await duration(fixture) == "90")
    }

    @Test func `the name of the duration is a setting`() async throws {
        let fixture = try await start { $0.settings.fields.sessionDuration = "Dur" }
        try await fixture.behaviors.appBecameActive()
        try await fixture.behaviors.appWasLeft()
        fixture.clock.advance(by: .seconds(3600))
        try await fixture.behaviors.appBecameActive()
        let ended = try await fixture.behaviors.stored().first { $0.event.eventTypeCode == "14" }?.event
        #expect(ended?["Dur"] == "0" && ended?["Session Duration"] == nil)
    }

    @Test func `a session survives restarts and ends once, with the last known duration`() async throws {
        let fixture = try await start()
        try await fixture.behaviors.appBecameActive()
        try await fixture.clock.untilSleeping(for: .seconds(30))
        fixture.clock.advance(by: .seconds(30))
        try await eventually {
            let state = try await fixture.behaviors.engine.store.value(
                AppSessions.key, as: AppSessionState.self)
            return state?.seen == fixture.clock.now()
        }
        let change: (inout BehaviorsConfiguration) -> Void = {
            $0.settings.eventCacheSize = 1000
            $0.network = TestNetwork(reachable: false)
        }
        // The app is killed in the foreground and starts again within the time-out.
        let second = try await fixture.restarted(after: .seconds(600), change)
        try await second.behaviors.appBecameActive()
        #expect(try await codes(second) == ["13"])
        second.clock.advance(by: .seconds(15))
        try await second.behaviors.appWasLeft()
        // The app is killed in the background and starts again a day later.
        let third = try await second.restarted(after: .seconds(86_400), change)
        _ = try await third.behaviors.stored()
        #expect(try await codes(third) == ["13", "14"])
        #expect(try await duration(third) == "45")
        let fourth = try await third.restarted(change)
        try await fourth.behaviors.appBecameActive()
        #expect(try await codes(fourth) == ["13", "14", "13"])
    }

    @Test func `the end of a session is tracked with its duration and its campaign`() async throws {
        let fixture = try await start()
        try await fixture.behaviors.beginCampaign(["CurrentCampaign": "A"])
        try await fixture.behaviors.appBecameActive()
        fixture.clock.advance(by: .seconds(61))
        try await fixture.behaviors.appWasLeft()
        fixture.clock.advance(by: .seconds(3600))
        try await fixture.behaviors.appBecameActive()
        let ended = try await fixture.behaviors.stored().first { $0.event.eventTypeCode == "14" }?.event
        #expect(ended?["Session Duration"] == "61" && ended?["Campaign Name"] == "A")
        // It ended at the time-out, not at the next call.
        #expect(ended?.eventTimestamp == "2030-01-01T00:31:01.000Z")
    }

    @Test func `two calls at once start one session`() async throws {
        let fixture = try await start()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 { group.addTask { try await fixture.behaviors.appBecameActive() } }
            try await group.waitForAll()
        }
        #expect(try await codes(fixture) == ["13"])
    }

    @Test func `a clock that is set back makes no negative duration`() async throws {
        let fixture = try await start()
        try await fixture.behaviors.appBecameActive()
        fixture.clock.set(to: Timestamp(seconds: 1_000_000))
        try await fixture.behaviors.appWasLeft()
        fixture.clock.set(to: BehaviorsFixture.newYear + .seconds(86_400))
        try await fixture.behaviors.appBecameActive()
        #expect(try await duration(fixture) == "0")
    }

    @Test func `session events are sent without any other call`() async throws {
        let fixture = try await BehaviorsFixture.start { $0.settings.eventCacheSize = 1 }
        try await fixture.behaviors.appBecameActive()
        try await fixture.until([.posted])
        #expect(try fixture.posted.map(\.eventTypeCode) == ["13"])
    }

    @Test func `the first start is tracked once, whatever restarts and log-outs follow`() async throws {
        func installed(_ fixture: BehaviorsFixture) async throws -> Int {
            try await fixture.behaviors.stored().count { $0.event.eventTypeCode == "12" }
        }
        let fixture = try await start { $0.tracksInstallation = true }
        #expect(try await installed(fixture) == 1)
        let change: (inout BehaviorsConfiguration) -> Void = { $0.tracksInstallation = true }
        let second = try await fixture.restarted(change)
        #expect(try await installed(second) == 1)
        let third = try await second.restarted(change)
        #expect(try await installed(third) == 1)
        try await third.session.logOut()
        let other = try await BehaviorsFixture.start(in: fixture.folder, clock: fixture.clock, change)
        #expect(try await installed(other) == 0)
    }
}
