@_spi(Inlay) import InlayCore
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
import Testing

@testable import InlayBehaviors

@Suite struct PurgeTests {
    @Test func `posted events stay until their time is over and are purged then`() async throws {
        let fixture = try await BehaviorsFixture.start { $0.settings.eventLifespan = .seconds(86_400) }
        try await fixture.behaviors.track(.named("old"))
        await fixture.behaviors.postEventCache()
        fixture.clock.advance(by: .seconds(2 * 3600))
        try await fixture.behaviors.track(.named("young"))
        await fixture.behaviors.postEventCache()
        fixture.clock.advance(by: .seconds(23 * 3600 - 60))
        // The events are 25 and 23 hours old, each less a minute.
        #expect(try await fixture.behaviors.purge() == 1)
        #expect(try await fixture.behaviors.stored().map { $0.event["Event Name"] } == ["young"])
    }

    @Test func `thirty days is the limit unless the app says otherwise`() async throws {
        let fixture = try await BehaviorsFixture.start()
        try await fixture.behaviors.track(.named("1"))
        await fixture.behaviors.postEventCache()
        fixture.clock.advance(by: .seconds(30 * 86_400))
        #expect(try await fixture.behaviors.purge() == 0)
        fixture.clock.advance(by: .seconds(1))
        #expect(try await fixture.behaviors.purge() == 1)
        #expect(try await fixture.behaviors.stored().isEmpty)
    }

    @Test func `failed events are purged like posted ones, waiting and held ones never`() async throws {
        let slow = TestAugmenter(ready: false)
        let fixture = try await BehaviorsFixture.start { $0.settings.maximumRetries = 0 }
        fixture.server.next(
            BehaviorsFixture.path, .eventReceipts { _ in Problem(.invalidValue, status: 422, title: "no") })
        try await fixture.behaviors.track(.named("failed"))
        await fixture.behaviors.postEventCache()
        fixture.server.always(BehaviorsFixture.path, .failure(.unreachable("offline")))
        try await fixture.behaviors.track(.named("waiting"))
        let again = try await fixture.restarted {
            $0.augmenters = [slow]
            $0.settings.augmentationTimeout = .seconds(400 * 86_400)
        }
        again.clock.advance(by: .milliseconds(1))
        try await again.behaviors.track(.named("held"))
        again.clock.advance(by: .seconds(31 * 86_400))
        #expect(try await again.behaviors.purge() == 1)
        #expect(try await again.states() == [.notPosted, .hold])
        // An event that waited for a month is still delivered.
        again.server.always(BehaviorsFixture.path, .eventReceipts())
        await again.behaviors.postEventCache()
        #expect(try again.posted.last?["Event Name"] == "waiting")
        #expect(try await again.states() == [.posted, .hold])
    }

    @Test func `a start purges events that became too old`() async throws {
        let fixture = try await BehaviorsFixture.start()
        try await fixture.behaviors.track(.named("1"))
        await fixture.behaviors.postEventCache()
        fixture.clock.advance(by: .seconds(31 * 86_400))
        let again = try await fixture.restarted()
        #expect(try await again.behaviors.stored().isEmpty)
    }

    @Test func `the history is limited, and failed events are removed last`() async throws {
        let fixture = try await BehaviorsFixture.start {
            $0.maximumHistory = 3
            $0.settings.eventCacheSize = 100
        }
        fixture.server.always(
            BehaviorsFixture.path,
            .eventReceipts {
                $0["Event Name"] == "0" ? Problem(.invalidValue, status: 422, title: "no") : nil
            })
        for number in 0..<6 { try await fixture.behaviors.track(.named("\(number)")) }
        await fixture.behaviors.postEventCache()
        #expect(try await fixture.behaviors.purge() == 3)
        #expect(try await fixture.behaviors.stored().map { $0.event["Event Name"] } == ["0", "4", "5"])
    }
}
