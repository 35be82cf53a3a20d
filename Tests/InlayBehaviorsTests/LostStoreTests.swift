import Foundation
@_spi(Inlay) import InlayCore
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
import Testing

@testable import InlayBehaviors

/// Events of an app that removes its data folder while a session uses it.
@Suite struct LostStoreTests {
    private func offline(_ configuration: inout BehaviorsConfiguration) {
        configuration.network = TestNetwork(reachable: false)
    }

    @Test
    func `events tracked after the folder was removed are there in the next run, with person and device`()
        async throws
    {
        let fixture = try await BehaviorsFixture.start(offline)
        try await fixture.behaviors.setIdentity(BehaviorIdentity(primaryUserID: "maya"))
        let before = try await fixture.tracked(.named("before"))
        try FileManager.default.removeItem(at: fixture.folder.url)
        let first = try await fixture.behaviors.track(.named("1"))
        let second = try await fixture.behaviors.track(.named("2"))
        let again = try await fixture.restarted(offline)
        let kept = try await again.behaviors.stored([.notPosted])
        #expect(kept.map(\.id) == [first, second])
        let later = try await again.tracked(.named("later"))
        for event in kept.map(\.event) + [later] {
            #expect(event["Primary User Id"] == "maya")
            #expect(event["Device Id"] == before["Device Id"] && event["Device Id"] != nil)
        }
    }

    @Test func `an event that waits for the user still waits in the new store`() async throws {
        let fixture = try await BehaviorsFixture.start {
            $0.startsWaitForIdentity = true
            offline(&$0)
        }
        try await fixture.behaviors.appBecameActive()
        #expect(try await fixture.states() == [.hold])
        try FileManager.default.removeItem(at: fixture.folder.url)
        fixture.clock.advance(by: .seconds(1))
        try await fixture.behaviors.track(.named("other"))
        #expect(try await fixture.states() == [.hold, .notPosted])
        let again = try await fixture.restarted {
            $0.startsWaitForIdentity = true
            offline(&$0)
        }
        #expect(try await again.states() == [.hold, .notPosted])
        try await again.behaviors.setIdentity(BehaviorIdentity(primaryUserID: "maya"))
        try await again.until([.notPosted, .notPosted])
        let start = try #require(try await again.behaviors.stored().first).event
        #expect(start.eventTypeCode == "13" && start["Primary User Id"] == "maya")
    }

    @Test func `facts of a lost store are never used in the new store`() async throws {
        let person = Locked(BehaviorIdentity(anonymousID: "first"))
        let fixture = try await BehaviorsFixture.start {
            $0.identity = { person.withLock { $0 } }
            offline(&$0)
        }
        let id = try await fixture.behaviors.track(.named("a"))
        let row = try await row(of: id, fixture)
        try FileManager.default.removeItem(at: fixture.folder.url)
        let again = try await fixture.restarted {
            $0.identity = { BehaviorIdentity(anonymousID: "second") }
            offline(&$0)
        }
        let next = try await again.behaviors.track(.named("b"))
        #expect(try await self.row(of: next, again) != row)
    }

    @Test func `the installation is tracked once, though the folder is removed after it`() async throws {
        let fixture = try await BehaviorsFixture.start {
            $0.tracksInstallation = true
            offline(&$0)
        }
        try await fixture.until([.notPosted])
        try FileManager.default.removeItem(at: fixture.folder.url)
        try await fixture.behaviors.track(.named("a"))
        let again = try await fixture.restarted {
            $0.tracksInstallation = true
            offline(&$0)
        }
        try await again.behaviors.track(.named("b"))
        let codes = try await again.behaviors.stored().map(\.event.eventTypeCode)
        #expect(codes == ["17", "17"])
    }

    /// Returns the row id of an event's stored facts.
    private func row(of id: String, _ fixture: BehaviorsFixture) async throws -> Int64 {
        let items = try await fixture.session.outbox.pending(lane: BehaviorEngine.lane)
        let item = try #require(items.first { $0.id == id })
        return try OutboxBehavior(id: item.id, time: item.time, body: item.body).facts
    }
}
