@_spi(Inlay) import InlayCore
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
import Testing

@testable import InlayBehaviors

/// Installations and session starts that wait until their user is known.
@Suite struct IdentityWaitTests {
    private func device(_ change: (inout BehaviorsConfiguration) -> Void = { _ in }) async throws
        -> BehaviorsFixture
    {
        try await BehaviorsFixture.start {
            $0.startsWaitForIdentity = true
            change(&$0)
        }
    }

    @Test func `a session start waits for the user and is sent with the user's id`() async throws {
        let device = try await device()
        try await device.behaviors.appBecameActive()
        device.clock.advance(by: .seconds(1))
        try await device.behaviors.track(.named("other"))
        #expect(try await device.states() == [.hold, .notPosted])
        await device.behaviors.postEventCache()
        #expect(try device.posted.map(\.eventTypeCode) == ["17"])
        try await device.behaviors.setIdentity(BehaviorIdentity(primaryUserID: "maya"))
        try await device.until([.notPosted, .posted])
        await device.behaviors.postEventCache()
        let start = try #require(try device.posted.last)
        #expect(start.eventTypeCode == "13" && start["Primary User Id"] == "maya")
    }

    @Test func `an event that waits for the user still waits after a restart`() async throws {
        let device = try await device { $0.tracksInstallation = true }
        try await device.until([.hold])
        let again = try await device.restarted {
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

    @Test func `an identity that the app supplies later is used from the next event`() async throws {
        let known = Locked(BehaviorIdentity())
        let device = try await device { $0.identity = { known.withLock { $0 } } }
        try await device.behaviors.appBecameActive()
        #expect(try await device.states() == [.hold])
        known.withLock { $0.primaryUserID = "maya" }
        try await device.behaviors.track(.named("other"))
        try await device.until([.notPosted, .notPosted])
    }

    @Test func `no event waits without the option, or when the user is known`() async throws {
        let plain = try await BehaviorsFixture.start()
        try await plain.behaviors.appBecameActive()
        #expect(try await plain.states() == [.notPosted])
        let known = try await device { $0.identity = { BehaviorIdentity(primaryUserID: "maya") } }
        try await known.behaviors.appBecameActive()
        #expect(try await known.states() == [.notPosted])
    }

    @Test func `log-out sends waiting events without a user id`() async throws {
        let device = try await device()
        try await device.behaviors.appBecameActive()
        try await device.session.logOut()
        let start = try #require(try device.posted.first)
        #expect(start.eventTypeCode == "13" && start["Primary User Id"] == nil)
    }
}
