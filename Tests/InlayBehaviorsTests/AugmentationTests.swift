import Foundation
@_spi(Inlay) import InlayCore
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
import Testing

@testable import InlayBehaviors

@Suite struct AugmentationTests {
    @Test func `a plug-in's attributes are in the event that is sent`() async throws {
        let fixture = try await BehaviorsFixture.start {
            $0.augmenters = [
                TestAugmenter { event in
                    var event = event
                    event.set("outside temperature fahrenheit", "68")
                    event.set("outside temperature celsius", "20")
                    return event
                }
            ]
        }
        try await fixture.behaviors.track(.named("a", attributes: ["x": "y"]))
        try await fixture.until([.notPosted])
        await fixture.behaviors.postEventCache()
        let event = try #require(try fixture.posted.first)
        #expect(event["outside temperature fahrenheit"] == "68")
        #expect(event["outside temperature celsius"] == "20")
        #expect(event["x"] == "y" && event["Event Name"] == "a" && event["App Name"] == "Demo")
    }

    @Test func `a plug-in's attributes are sent without NUL characters, which the server refuses`()
        async throws
    {
        let fixture = try await BehaviorsFixture.start {
            $0.augmenters = [TestAugmenter.adding("name\u{0}", "val\u{0}ue")]
        }
        try await fixture.behaviors.track(.named("a"))
        try await fixture.until([.notPosted])
        await fixture.behaviors.postEventCache()
        #expect(try #require(try fixture.posted.first)["name"] == "value")
    }

    @Test func `the event that a plug-in returns is sent, except its id, type and time`() async throws {
        let fixture = try await BehaviorsFixture.start {
            $0.augmenters = [
                TestAugmenter { _ in
                    BehaviorEvent(
                        id: "other", eventTypeCode: "12", eventTimestamp: "never",
                        attributes: [.init(name: "only", value: "this")])
                }
            ]
        }
        let id = try await fixture.behaviors.track(.named("a", attributes: ["x": "y"]))
        try await fixture.until([.notPosted])
        await fixture.behaviors.postEventCache()
        let event = try #require(try fixture.posted.first)
        #expect(event.id == id && event.eventTypeCode == "17")
        #expect(event.eventTimestamp == "2030-01-01T00:00:00.000Z")
        #expect(event["only"] == "this" && event["x"] == nil)
    }

    @Test func `every event is given to every plug-in`() async throws {
        let plugin = TestAugmenter()
        let fixture = try await BehaviorsFixture.start { $0.augmenters = [plugin] }
        for name in ["a", "b"] { try await fixture.behaviors.track(.named(name)) }
        try await fixture.until([.notPosted, .notPosted])
        #expect(Set(plugin.processed.compactMap { $0["Event Name"] }) == ["a", "b"])
    }

    @Test func `no flush sends an event in HOLD, and it is released when its plug-in is ready`() async throws
    {
        let plugin = TestAugmenter.adding("x", "y", ready: false)
        let fixture = try await BehaviorsFixture.start { $0.augmenters = [plugin] }
        try await fixture.behaviors.track(.named("a"))
        #expect(try await fixture.states() == [.hold])
        try await plugin.untilChecked()
        await fixture.behaviors.postEventCache()
        try await fixture.behaviors.appWasLeft()
        #expect(fixture.server.requests(BehaviorsFixture.path).isEmpty)
        #expect(plugin.processed.isEmpty)
        for check in 2...4 {
            try await fixture.clock.untilSleeping(2)
            fixture.clock.advance(by: Augmentation.readinessCheckInterval)
            try await plugin.untilChecked(check)
        }
        #expect(try await fixture.states() == [.hold])
        try await fixture.clock.untilSleeping(2)
        plugin.becomeReady()
        fixture.clock.advance(by: Augmentation.readinessCheckInterval)
        try await fixture.until([.notPosted])
        #expect(try await fixture.behaviors.stored().first?.event["x"] == "y")
        await fixture.behaviors.postEventCache()
        #expect(try fixture.posted.map { $0["x"] } == ["y"])
    }

    @Test func `a synchronous plug-in is finished before the next begins, which sees what it added`()
        async throws
    {
        let latch = Latch()
        let first = TestAugmenter { event in
            await latch.wait()
            var event = event
            event.set("first", "done")
            return event
        }
        let second = TestAugmenter()
        let fixture = try await BehaviorsFixture.start { $0.augmenters = [first, second] }
        try await fixture.behaviors.track(.named("a"))
        try await eventually { first.processed.count == 1 }
        #expect(second.readinessChecks == 0 && second.processed.isEmpty)
        latch.open()
        try await fixture.until([.notPosted])
        #expect(second.processed.map { $0["first"] } == ["done"])
    }

    @Test func `a synchronous plug-in that is not ready holds up those after it`() async throws {
        let first = TestAugmenter(ready: false)
        let second = TestAugmenter()
        let fixture = try await BehaviorsFixture.start { $0.augmenters = [first, second] }
        try await fixture.behaviors.track(.named("a"))
        try await fixture.clock.untilSleeping(2)
        fixture.clock.advance(by: Augmentation.readinessCheckInterval)
        try await first.untilChecked(2)
        // The engine sleeps until its next readiness check, so this check is over.
        try await fixture.clock.untilSleeping(2)
        #expect(second.readinessChecks == 0)
    }

    @Test func `an asynchronous plug-in delays no other plug-in, ready or not`() async throws {
        let latch = Latch()
        let unready = TestAugmenter.adding("unready", "1", ready: false, synchronous: false)
        let slow = TestAugmenter(synchronous: false) { event in
            await latch.wait()
            var event = event
            event.set("slow", "2")
            return event
        }
        let last = TestAugmenter.adding("last", "3")
        let fixture = try await BehaviorsFixture.start { $0.augmenters = [unready, slow, last] }
        try await fixture.behaviors.track(.named("a"))
        try await eventually { last.processed.count == 1 }
        #expect(unready.processed.isEmpty)
        #expect(try await fixture.states() == [.hold])
        latch.open()
        unready.becomeReady()
        try await fixture.clock.untilSleeping(2)
        fixture.clock.advance(by: Augmentation.readinessCheckInterval)
        try await fixture.until([.notPosted])
        let event = try #require(try await fixture.behaviors.stored().first).event
        #expect(event["unready"] == "1" && event["slow"] == "2" && event["last"] == "3")
    }

    @Test func `the time-out releases the original event for the next flush`() async throws {
        let adds = TestAugmenter.adding("added", "too early")
        let never = TestAugmenter.adding("never", "x", ready: false)
        let fixture = try await BehaviorsFixture.start { $0.augmenters = [adds, never] }
        try await fixture.behaviors.track(.named("a", attributes: ["x": "y"]))
        let before = try #require(try await fixture.behaviors.stored().first).event
        try await never.untilChecked()
        try await fixture.clock.untilSleeping(2)
        fixture.clock.advance(by: .seconds(14))
        try await never.untilChecked(2)
        #expect(try await fixture.states() == [.hold])
        try await fixture.clock.untilSleeping(2)
        fixture.clock.advance(by: .seconds(1))
        try await fixture.until([.notPosted])
        #expect(adds.processed.count == 1)
        #expect(fixture.server.requests(BehaviorsFixture.path).isEmpty)
        await fixture.behaviors.postEventCache()
        #expect(try fixture.posted == [before])
        #expect(before["added"] == nil)
        // The plug-in becomes ready too late: nothing changes, and nothing is sent twice.
        never.becomeReady()
        fixture.clock.advance(by: .seconds(60))
        // If the plug-in still waited for the first event, it would process that before the next one.
        try await fixture.behaviors.track(.named("b"))
        try await fixture.until([.posted, .notPosted])
        #expect(never.processed.map { $0["Event Name"] } == ["b"])
        await fixture.behaviors.postEventCache()
        #expect(try fixture.posted.map { $0["Event Name"] } == ["a", "b"])
    }

    @Test func `the limit is a setting`() async throws {
        let never = TestAugmenter(ready: false)
        let fixture = try await BehaviorsFixture.start {
            $0.augmenters = [never]
            $0.settings.augmentationTimeout = .seconds(2)
        }
        try await fixture.behaviors.track(.named("a"))
        try await fixture.clock.untilSleeping(2)
        fixture.clock.advance(by: .milliseconds(1900))
        try await never.untilChecked(2)
        #expect(try await fixture.states() == [.hold])
        try await fixture.clock.untilSleeping(2)
        fixture.clock.advance(by: .milliseconds(100))
        try await fixture.until([.notPosted])
    }

    @Test func `each event has its own time limit`() async throws {
        let never = TestAugmenter(ready: false)
        let fixture = try await BehaviorsFixture.start { $0.augmenters = [never] }
        try await fixture.behaviors.track(.named("1"))
        try await fixture.clock.untilSleeping(2)
        fixture.clock.advance(by: .seconds(10))
        try await never.untilChecked(2)
        try await fixture.behaviors.track(.named("2"))
        try await fixture.clock.untilSleeping(4)
        fixture.clock.advance(by: .seconds(5))
        try await fixture.until([.notPosted, .hold])
        try await fixture.clock.untilSleeping(2)
        fixture.clock.advance(by: .milliseconds(9900))
        #expect(try await fixture.states() == [.notPosted, .hold])
        fixture.clock.advance(by: .milliseconds(100))
        try await fixture.until([.notPosted, .notPosted])
    }

    @Test func `all plug-ins of an event share one time limit`() async throws {
        let never = TestAugmenter(ready: false)
        let others = (0..<999).map { TestAugmenter.adding("a\($0 % 10)", "x") }
        let fixture = try await BehaviorsFixture.start { $0.augmenters = others + [never] }
        try await fixture.behaviors.track(.named("a"))
        try await never.untilChecked()
        try await fixture.clock.untilSleeping(2)
        fixture.clock.advance(by: .seconds(15))
        try await fixture.until([.notPosted])
    }

    @Test func `a plug-in that throws leaves the event as it was, and the others go on`() async throws {
        let broken = TestAugmenter { _ in throw TestAugmenter.Failure() }
        let brokenToo = TestAugmenter(synchronous: false) { _ in throw TestAugmenter.Failure() }
        let fixture = try await BehaviorsFixture.start {
            $0.augmenters = [broken, brokenToo, TestAugmenter.adding("x", "y")]
        }
        try await fixture.behaviors.track(.named("a"))
        try await fixture.until([.notPosted])
        #expect(try await fixture.behaviors.stored().first?.event["x"] == "y")
    }

    @Test func `a plug-in that hangs for ever costs the time-out and no more`() async throws {
        let latch = Latch()
        let hangs = TestAugmenter { event in
            await latch.wait()
            return event
        }
        let fixture = try await BehaviorsFixture.start { $0.augmenters = [hangs] }
        try await fixture.behaviors.track(.named("a"))
        try await eventually { hangs.processed.count == 1 }
        fixture.clock.advance(by: .seconds(15))
        try await fixture.until([.notPosted])
        latch.open()
    }

    @Test func `a log-out sends events in HOLD without augmentation`() async throws {
        let fixture = try await BehaviorsFixture.start {
            $0.augmenters = [TestAugmenter.adding("x", "y"), TestAugmenter(ready: false)]
        }
        let ids = [
            try await fixture.behaviors.track(.named("1")), try await fixture.behaviors.track(.named("2")),
        ]
        try await fixture.session.logOut()
        #expect(try fixture.posted.map(\.id) == ids)
        #expect(try fixture.posted.allSatisfy { $0["x"] == nil })
    }

    @Test func `when a thousand events are in HOLD, further events are not augmented`() async throws {
        let never = TestAugmenter(ready: false)
        let fixture = try await BehaviorsFixture.start {
            $0.augmenters = [never]
            $0.settings.eventCacheSize = 10_000
        }
        for number in 0..<BehaviorHolds.maximumCount + 2 {
            try await fixture.behaviors.track(.named("\(number)"))
        }
        #expect(try await fixture.behaviors.stored([.hold]).count == BehaviorHolds.maximumCount)
        #expect(
            try await fixture.behaviors.stored([.notPosted]).map { $0.event["Event Name"] } == [
                "1000", "1001",
            ])
    }

    @Test func `an event that a plug-in makes too large is sent in its original form`() async throws {
        let huge = TestAugmenter.adding("huge", String(repeating: "x", count: 100_000))
        let fixture = try await BehaviorsFixture.start { $0.augmenters = [huge] }
        try await fixture.behaviors.track(.named("a"))
        try await fixture.until([.notPosted])
        #expect(huge.processed.count == 1)
        #expect(try await fixture.behaviors.stored().first?.event["huge"] == nil)
    }

    @Test func `an event that an ended process left in HOLD is augmented again or released by its time-out`()
        async throws
    {
        let never = TestAugmenter(ready: false)
        let fixture = try await BehaviorsFixture.start { $0.augmenters = [never] }
        let id = try await fixture.behaviors.track(.named("a"))
        try await never.untilChecked()
        let again = try await fixture.restarted { $0.augmenters = [never] }
        #expect(try await again.states() == [.hold])
        try await never.untilChecked(2)
        try await again.clock.untilSleeping(2)
        again.clock.advance(by: .seconds(15))
        try await again.until([.notPosted])
        // With a plug-in that is now ready, the event is augmented.
        let third = try await again.restarted { $0.augmenters = [never] }
        for _ in 0..<40 { try await third.behaviors.track(.named("b")) }
        // Delays the end of the session, so that some of an event's tasks are cancelled well before others.
        for _ in 0..<10 {
            // Ends with the session.
            third.session.work.start {
                await withTaskCancellationHandler {
                    try? await third.clock.sleep(for: .seconds(3600))
                } onCancel: {
                    Thread.sleep(forTimeInterval: 0.01)
                }
            }
        }
        let end = third.clock.now() + .seconds(3600)
        try await eventually { third.clock.sleepers.count { $0 == end } == 10 }
        let fourth = try await third.restarted { $0.augmenters = [TestAugmenter.adding("x", "y")] }
        try await eventually { try await fourth.behaviors.stored([.hold]).isEmpty }
        let stored = try await fourth.behaviors.stored()
        #expect(stored.count { $0.event["x"] == "y" } == 40)
        #expect(stored.first?.id == id)
    }
}
