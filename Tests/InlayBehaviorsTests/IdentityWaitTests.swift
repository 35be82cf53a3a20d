@_spi(Inlay) import InlayCore
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
import Testing

@testable import InlayBehaviors

/// Installations and session starts that wait until their user is known.
@Suite struct IdentityWaitTests {
    private func fixture(_ change: (inout BehaviorsConfiguration) -> Void = { _ in }) async throws
        -> BehaviorsFixture
    {
        try await BehaviorsFixture.start {
            $0.startsWaitForIdentity = true
            change(&$0)
        }
    }

    @Test func `a session start waits for the user and is sent with the user's id`() async throws {
        let fixture = try await fixture()
        try await fixture.behaviors.appBecameActive()
        fixture.clock.advance(by: .seconds(1))
        try await fixture.behaviors.track(.named("other"))
        #expect(try await fixture.states() == [.hold, .notPosted])
        await fixture.behaviors.postEventCache()
        #expect(try fixture.posted.map(\.eventTypeCode) == ["17"])
        try await fixture.behaviors.setIdentity(BehaviorIdentity(primaryUserID: "maya"))
        try await fixture.until([.notPosted, .posted])
        await fixture.behaviors.postEventCache()
        let start = try #require(try fixture.posted.last)
        #expect(start.eventTypeCode == "13" && start["Primary User Id"] == "maya")
    }

    @Test func `an event that waits for the user still waits after a restart`() async throws {
        let fixture = try await fixture { $0.tracksInstallation = true }
        try await fixture.until([.hold])
        let again = try await fixture.restarted {
            $0.startsWaitForIdentity = true
            $0.tracksInstallation = true
        }
        #expect(try await again.states() == [.hold])
        try await again.behaviors.setIdentity(BehaviorIdentity(primaryUserID: "maya"))
        try await again.until([.notPosted])
        await again.behaviors.postEventCache()
        let event = try #require(try again.posted.first)
        #expect(event.eventTypeCode == "12" && event["Primary User Id"] == "maya")
    }

    @Test func `an event that waited for the user is sent with the user who is known after a restart`()
        async throws
    {
        let fixture = try await fixture { $0.tracksInstallation = true }
        try await fixture.until([.hold])
        let again = try await fixture.restarted {
            $0.startsWaitForIdentity = true
            $0.tracksInstallation = true
            $0.identity = { BehaviorIdentity(primaryUserID: "maya") }
        }
        try await again.until([.notPosted])
        await again.behaviors.postEventCache()
        let event = try #require(try again.posted.first)
        #expect(event.eventTypeCode == "12" && event["Primary User Id"] == "maya")
    }

    @Test func `an event of a known user keeps its user after a restart as another user`() async throws {
        let fixture = try await fixture {
            $0.identity = { BehaviorIdentity(primaryUserID: "maya") }
            $0.augmenters = [TestAugmenter(ready: false)]
        }
        try await fixture.behaviors.track(Behavior(.installed))
        #expect(try await fixture.states() == [.hold])
        let again = try await fixture.restarted {
            $0.startsWaitForIdentity = true
            $0.identity = { BehaviorIdentity(primaryUserID: "jo") }
        }
        try await again.until([.notPosted])
        await again.behaviors.postEventCache()
        #expect(try #require(try again.posted.first)["Primary User Id"] == "maya")
    }

    @Test func `an event during which the user becomes known is sent with the user`() async throws {
        // The first read after this is set still finds no user.
        let reads = Locked<Int?>(nil)
        let fixture = try await fixture {
            $0.identity = {
                reads.withLock { count in
                    guard let read = count else { return BehaviorIdentity() }
                    count = read + 1
                    return BehaviorIdentity(primaryUserID: read == 0 ? "" : "maya")
                }
            }
        }
        #expect(try await fixture.states().isEmpty)
        reads.withLock { $0 = 0 }
        try await fixture.behaviors.track(Behavior(.sessionStarted))
        try await fixture.until([.notPosted])
        await fixture.behaviors.postEventCache()
        #expect(try #require(try fixture.posted.first)["Primary User Id"] == "maya")
    }

    @Test func `an identity that the app supplies later is used from the next event`() async throws {
        let known = Locked(BehaviorIdentity())
        let fixture = try await fixture { $0.identity = { known.withLock { $0 } } }
        try await fixture.behaviors.appBecameActive()
        #expect(try await fixture.states() == [.hold])
        known.withLock { $0.primaryUserID = "maya" }
        try await fixture.behaviors.track(.named("other"))
        try await fixture.until([.notPosted, .notPosted])
    }

    @Test func `no event waits without the option, or when the user is known`() async throws {
        let plain = try await BehaviorsFixture.start()
        try await plain.behaviors.appBecameActive()
        #expect(try await plain.states() == [.notPosted])
        let known = try await fixture { $0.identity = { BehaviorIdentity(primaryUserID: "maya") } }
        try await known.behaviors.appBecameActive()
        #expect(try await known.states() == [.notPosted])
    }

    @Test func `log-out sends waiting events without a user id`() async throws {
        let fixture = try await fixture()
        try await fixture.behaviors.appBecameActive()
        try await fixture.session.logOut()
        let start = try #require(try fixture.posted.first)
        #expect(start.eventTypeCode == "13" && start["Primary User Id"] == nil)
    }
}
