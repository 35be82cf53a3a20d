import Foundation
import GRDB
@_spi(Inlay) import InlayCore
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
import Testing

@testable import InlayBehaviors

@Suite struct CoreAttributeTests {
    @Test func `every event has the device and the app`() async throws {
        let fixture = try await BehaviorsFixture.start()
        var ids: Set<String> = []
        for (behavior, _) in EventTests.allTypes {
            let event = try await fixture.tracked(behavior)
            for (name, value) in [
                ("Device Name", "Phone"), ("Device Version", "Phone1,1"), ("OS Name", "TestOS"),
                ("OS Version", "7.1"), ("App Name", "Demo"), ("App Version", "2.1"),
            ] { #expect(event.attributes.filter { $0.name == name }.map(\.value) == [value]) }
            ids.insert(event["Device Id"] ?? "")
        }
        #expect(ids.count == 1)
        #expect(ids.first?.count == 36)
    }

    @Test func `two types of event share their core attributes and differ in their own`() async throws {
        let fixture = try await BehaviorsFixture.start()
        let goal = try await fixture.tracked(.goalCompleted("g"))
        let end = try await fixture.tracked(Behavior(.sessionEnded, attributes: ["Session Duration": "9"]))
        let core = Set([
            "Device Name", "Device Version", "OS Name", "OS Version", "App Name", "App Version", "Device Id",
        ])
        #expect(Set(goal.attributes.map(\.name)) == core.union(["Goal Name"]))
        #expect(Set(end.attributes.map(\.name)) == core.union(["Session Duration"]))
        for name in core { #expect(goal[name] == end[name]) }
    }

    @Test func `events are stored without the attributes that they share, which are stored once`()
        async throws
    {
        let fixture = try await BehaviorsFixture.start()
        try await fixture.behaviors.track(.goalCompleted("g", attributes: ["x": "y"]))
        try await fixture.behaviors.track(.named("n"))
        let kept = try await fixture.session.outbox.pending(lane: BehaviorEngine.lane).map {
            try OutboxBehavior(id: $0.id, time: $0.time, body: $0.body)
        }
        #expect(kept.map { $0.attributes.map(\.name) } == [["x", "Goal Name"], ["Event Name"]])
        #expect(Set(kept.map(\.facts)).count == 1)
        let shared = try await fixture.behaviors.engine.store.facts([kept[0].facts])
        #expect(
            shared.values.first?.attributes.map(\.name) == [
                "Device Name", "Device Version", "OS Name", "OS Version", "App Name", "App Version",
                "Device Id",
            ])
    }

    @Test func `facts that no event refers to are forgotten by a purge`() async throws {
        let person = Locked(BehaviorIdentity())
        let fixture = try await BehaviorsFixture.start {
            $0.identity = { person.withLock { $0 } }
            $0.settings.eventCacheSize = 1000
        }
        for number in 0..<110 {
            person.withLock { $0.anonymousID = "\(number)" }
            try await fixture.behaviors.track(.named("a"))
        }
        let count = {
            try await fixture.session.store.read {
                try Int.fetchOne($0, sql: "SELECT count(*) FROM behavior_facts") ?? 0
            }
        }
        try await fixture.behaviors.purge()
        #expect(try await count() == 110)
        await fixture.behaviors.postEventCache()
        #expect(try fixture.posted.map { $0["Anonymous Id"] } == (0..<110).map { "\($0)" })
        // The next event has the same facts as the first event.
        person.withLock { $0.anonymousID = "0" }
        try await fixture.behaviors.track(.named("a"))
        await fixture.behaviors.postEventCache()
        fixture.clock.advance(by: .seconds(31 * 86_400))
        try await fixture.behaviors.purge()
        #expect(try await count() < 20)
        #expect(try await fixture.tracked(.named("later"))["Anonymous Id"] == "0")
    }

    @Test func `without a known user an event has no user ids`() async throws {
        let fixture = try await BehaviorsFixture.start()
        let event = try await fixture.tracked(.named("a"))
        for name in ["Primary User Id", "Anonymous Id", "Recipient Id"] { #expect(event[name] == nil) }
        #expect(event.contactId == nil)
        await fixture.behaviors.postEventCache()
        #expect(try await fixture.states() == [.posted])
    }

    @Test func `a known person is in every event from then on, also after a restart`() async throws {
        let fixture = try await BehaviorsFixture.start()
        try await fixture.behaviors.track(.named("before"))
        try await fixture.behaviors.setIdentity(
            BehaviorIdentity(
                primaryUserID: "702003", anonymousID: "77", recipientID: "5", contactID: "mobile-1"))
        for (behavior, _) in EventTests.allTypes {
            let event = try await fixture.tracked(behavior)
            #expect(event["Primary User Id"] == "702003")
            #expect(event["Anonymous Id"] == "77")
            #expect(event["Recipient Id"] == "5")
            #expect(event.contactId == "mobile-1")
        }
        let again = try await fixture.restarted()
        again.clock.advance(by: .milliseconds(1))
        let event = try await again.tracked(.named("later"))
        #expect(event["Primary User Id"] == "702003" && event["Anonymous Id"] == "77")
        // Events tracked before stay as they were.
        #expect(try await again.behaviors.stored().first?.event["Primary User Id"] == nil)
    }

    @Test func `the app can supply the user's ids for each event`() async throws {
        let person = Locked(BehaviorIdentity())
        let fixture = try await BehaviorsFixture.start { $0.identity = { person.withLock { $0 } } }
        #expect(try await fixture.tracked(.named("a"))["Anonymous Id"] == nil)
        person.withLock { $0.anonymousID = "77" }
        #expect(try await fixture.tracked(.named("b"))["Anonymous Id"] == "77")
        await fixture.behaviors.postEventCache()
        #expect(try fixture.posted.map { $0["Anonymous Id"] } == [nil, "77"])
    }

    @Test func `the device id stays the same over restarts and users`() async throws {
        let fixture = try await BehaviorsFixture.start()
        let first = try await fixture.tracked(.named("a"))["Device Id"]
        let again = try await fixture.restarted()
        #expect(try await again.tracked(.named("b"))["Device Id"] == first)
        try await again.session.logOut()
        let other = try await BehaviorsFixture.start(
            in: fixture.folder, clock: fixture.clock,
            token: TestToken.unsigned(subject: "user-2", expires: nil)
        )
        #expect(try await other.tracked(.named("c"))["Device Id"] == first)
    }

    @Test func `the app's own device id is used, and an empty app name becomes __UNKNOWN__`() async throws {
        let fixture = try await BehaviorsFixture.start {
            $0.device.id = "my-device"
            $0.app = AppFacts(name: "", version: "")
        }
        let event = try await fixture.tracked(.named("a"))
        #expect(event["Device Id"] == "my-device")
        #expect(event["App Name"] == "__UNKNOWN__" && event["App Version"] == "__UNKNOWN__")
    }

    @Test func `this machine's own facts are not empty`() {
        let (device, app) = (DeviceFacts.current, AppFacts.current)
        for text in [
            device.name, device.version, device.osName, device.osVersion, app.name, app.version,
        ] { #expect(!text.isEmpty) }
    }

    #if os(Linux)
        @Test func `a Linux release file names system and version`() {
            let release = "PRETTY_NAME=\"x\"\nNAME=\"Debian GNU/Linux\"\nVERSION_ID=\"12\"\n"
            let facts = DeviceFacts.linux(release: release)
            #expect(facts.osName == "Debian GNU/Linux" && facts.osVersion == "12")
            #expect(DeviceFacts.linux(release: "").osName == "Linux")
        }
    #endif
}
