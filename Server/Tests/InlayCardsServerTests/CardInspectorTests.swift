import Foundation
import InlaySQL
@_spi(Inlay) import InlayWire
import Testing

@testable import InlayCardsServer
@testable import InlayServerTesting

@Suite struct CardInspectorTests {
    @Test(arguments: SQLEngine.allCases)
    func `every card has the reason why it is or is not shown`(_ engine: SQLEngine) async throws {
        try await CardsServerFixture.with(engine) { fixture in
            try await fixture.publish()
            try await fixture.publish(.sample(eventName: "later", embargo: 60))
            try await fixture.publish(.sample(eventName: "short", expiry: 5))
            let now = fixture.time.now
            func reason(_ card: String) async throws -> CardInspection.Reason? {
                try await fixture.inspector.cards("env", "ada", containerID: "main").first {
                    $0.id.rawValue == card
                }?.reason
            }
            func newest() async throws -> String {
                try #require(try await fixture.inspector.cards("env", "ada").first).id.rawValue
            }
            func send(_ name: String, lifecycle: CardLifecycleID? = nil) async throws -> String {
                fixture.time.advance(by: .milliseconds(1))
                try await fixture.events.send(
                    "env", CardEventRequest(name: name, target: .users(["ada"]), lifecycleID: lifecycle))
                return try await newest()
            }
            let shown = try await send("ping")
            #expect(try await reason(shown) == .shown)
            let embargoed = try await send("later")
            #expect(try await reason(embargoed) == .embargoed(until: fixture.time.now + .seconds(60)))
            let snoozed = try await send("ping")
            _ = try await fixture.act(.snooze(until: now + .seconds(30)), on: snoozed)
            #expect(try await reason(snoozed) == .snoozed(until: now + .seconds(30)))
            let completed = try await send("ping")
            _ = try await fixture.act(.submit(buttonName: nil, values: [:]), on: completed, id: "act-1")
            #expect(try await reason(completed) == .completed(actionID: "act-1", at: fixture.time.now))
            let dismissed = try await send("ping")
            _ = try await fixture.act(.dismiss, on: dismissed, id: "act-2")
            #expect(try await reason(dismissed) == .dismissed(actionID: "act-2", at: fixture.time.now))
            let cancelled = try await send("ping", lifecycle: "l")
            _ = try await fixture.events.cancel("env", CardCancelRequest(lifecycleID: "l"))
            #expect(try await reason(cancelled) == .cancelled(at: fixture.time.now))
            let expired = try await send("short")
            let end = fixture.time.now + .seconds(5)
            fixture.time.advance(by: .seconds(6))
            #expect(try await reason(expired) == .expired(at: end))
            try await fixture.feedJobs.settleDue()
            #expect(try await reason(expired) == .expired(at: end))
            #expect(try await fixture.inspector.cards("env", "ada").count == 7)
            #expect(try await fixture.inspector.cards("env", "ada", containerID: "none").isEmpty)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a template without a card says why`(_ engine: SQLEngine) async throws {
        try await CardsServerFixture.with(engine) { fixture in
            try await fixture.publish(containers: ["main", "side"])
            _ = try await fixture.card()
            let off = try await fixture.publish(.sample(eventName: "off"))
            try await fixture.templates.setEnabled("env", off.id, false)
            let draft = try await fixture.templates.create("env", .sample(eventName: "draft"))
            let side = try await fixture.publish(.sample(eventName: "side", containers: ["side"]))
            let unsent = try await fixture.publish(.sample(eventName: "unsent"))
            let missing = try await fixture.inspector.missing("env", "ada", containerID: "main")
            #expect(
                Dictionary(uniqueKeysWithValues: missing.map { ($0.id, $0.reason) }) == [
                    off.id: .switchedOff, draft.id: .notPublished, side.id: .notInContainer,
                    unsent.id: .notSent,
                ])
        }
    }
}
