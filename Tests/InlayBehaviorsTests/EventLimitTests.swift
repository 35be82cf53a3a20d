import Foundation
@_spi(Inlay) import InlayCore
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
import Testing

@testable import InlayBehaviors

@Suite struct EventLimitTests {
    private func refusal(_ behavior: Behavior) async throws -> BehaviorError? {
        let fixture = try await BehaviorsFixture.start()
        do {
            try await fixture.behaviors.track(behavior)
            return nil
        } catch {
            #expect(try await fixture.behaviors.stored().isEmpty)
            return error
        }
    }

    @Test func `ten thousand attributes are refused`() async throws {
        let many = Dictionary(uniqueKeysWithValues: (0..<10_000).map { ("a\($0)", JSONValue.string("x")) })
        let error = try await refusal(.named("a", attributes: many))
        #expect(error?.code == .tooManyAttributes && error?.count == 10_000)
    }

    @Test func `an event of a megabyte is refused, whole or in pieces`() async throws {
        let text = JSONValue.string(String(repeating: "x", count: 1_000_000))
        let long = try await refusal(.named("a", attributes: ["big": text]))
        #expect(long?.code == .valueTooLong && long?.name == "big" && long?.count == 1_000_000)
        let pieces = Dictionary(
            uniqueKeysWithValues: (0..<100).map {
                ("a\($0)", JSONValue.string(String(repeating: "x", count: 4000)))
            })
        let large = try await refusal(.named("a", attributes: pieces))
        #expect(large?.code == .tooLarge)
        #expect(try #require(large?.count) > 400_000)
    }

    @Test func `names have one to 256 bytes`() async throws {
        let empty = try await refusal(.named("a", attributes: ["": "x"]))
        #expect(empty?.code == .invalidName && empty?.name?.isEmpty == true)
        let long = String(repeating: "n", count: 257)
        #expect(try await refusal(.named("a", attributes: [long: "x"]))?.code == .invalidName)
        #expect(try await refusal(.named("a", attributes: [String(long.dropLast()): "x"])) == nil)
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity])
    func `a number that is not finite is refused`(number: Double) async throws {
        let error = try await refusal(.named("a", attributes: ["x": .number(number)]))
        #expect(error?.code == .notFinite && error?.name == "x")
    }

    @Test func `the largest event that is allowed is kept and sent`() async throws {
        let fixture = try await BehaviorsFixture.start()
        let maximum = BehaviorLimits.maximumAttributes - 11
        let many = Dictionary(
            uniqueKeysWithValues: (0..<maximum).map {
                ("a\($0)", JSONValue.string(String(repeating: "ü", count: 100)))
            })
        try await fixture.behaviors.track(.named("a", attributes: many))
        await fixture.behaviors.postEventCache()
        #expect(try fixture.posted.first?.attributes.count == BehaviorLimits.maximumAttributes - 3)
    }

    @Test func `event times follow the server's clock when the device's clock is years off`() async throws {
        let clock = ManualClock(at: Timestamp(seconds: 86_400))
        let server = ScriptedTransport.accepting
        let fixture = try await BehaviorsFixture.start(clock: clock, server: server)
        // Tracked before the server's time was known.
        try await fixture.behaviors.track(.named("early"))
        let truth = BehaviorsFixture.newYear
        server.next(
            "/learn",
            .response(TransportResponse(status: 200, headers: ["Inlay-Server-Time": "\(truth.microseconds)"]))
        )
        _ = try await fixture.session.api.get("/learn")
        try await fixture.behaviors.track(.named("late"))
        await fixture.behaviors.postEventCache()
        #expect(
            try fixture.posted.map(\.eventTimestamp) == [
                "2030-01-01T00:00:00.000Z", "2030-01-01T00:00:00.000Z",
            ])
    }

    @Test func `a campaign ends by the server's clock, whatever the device's says`() async throws {
        let clock = ManualClock(at: Timestamp(seconds: 86_400))
        let fixture = try await BehaviorsFixture.start(clock: clock)
        fixture.server.next(
            "/learn",
            .response(
                TransportResponse(
                    status: 200,
                    headers: ["Inlay-Server-Time": "\(BehaviorsFixture.newYear.microseconds)"])))
        _ = try await fixture.session.api.get("/learn")
        let end = Int64(BehaviorsFixture.newYear.seconds) + 60
        try await fixture.behaviors.beginCampaign(
            ["CurrentCampaign": "A", "CampaignEndTimeStamp": String(end)])
        #expect(fixture.behaviors.currentCampaign == "A")
        clock.advance(by: .seconds(60))
        #expect(fixture.behaviors.currentCampaign == nil)
    }
}
