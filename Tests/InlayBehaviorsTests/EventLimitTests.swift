import Foundation
import InlayCore
import InlayTesting
import InlayWire
import Testing

@testable import InlayBehaviors

@Suite struct EventLimitTests {
    private func refusal(_ behavior: Behavior) async throws -> BehaviorError? {
        let device = try await BehaviorsFixture.start()
        do {
            try await device.behaviors.track(behavior)
            return nil
        } catch {
            #expect(try await device.behaviors.stored().isEmpty)
            return error
        }
    }

    @Test func `ten thousand attributes are refused`() async throws {
        let many = Dictionary(uniqueKeysWithValues: (0..<10_000).map { ("a\($0)", JSONValue.string("x")) })
        guard case .tooManyAttributes(10_000) = try await refusal(.named("a", attributes: many)) else {
            Issue.record("too many attributes have an error of their own")
            return
        }
    }

    @Test func `an event of a megabyte is refused, whole or in pieces`() async throws {
        let text = JSONValue.string(String(repeating: "x", count: 1_000_000))
        guard case .valueTooLong("big", 1_000_000) = try await refusal(.named("a", attributes: ["big": text]))
        else {
            Issue.record("a long value has an error of its own")
            return
        }
        let pieces = Dictionary(
            uniqueKeysWithValues: (0..<100).map {
                ("a\($0)", JSONValue.string(String(repeating: "x", count: 4000)))
            })
        guard case .tooLarge(let bytes) = try await refusal(.named("a", attributes: pieces)) else {
            Issue.record("a large event has an error of its own")
            return
        }
        #expect(bytes > 400_000)
    }

    @Test func `names have one to 256 bytes`() async throws {
        guard case .invalidName("") = try await refusal(.named("a", attributes: ["": "x"])) else {
            Issue.record("an empty name is refused")
            return
        }
        let long = String(repeating: "n", count: 257)
        guard case .invalidName = try await refusal(.named("a", attributes: [long: "x"])) else {
            Issue.record("a long name is refused")
            return
        }
        #expect(try await refusal(.named("a", attributes: [String(long.dropLast()): "x"])) == nil)
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity])
    func `a number that no text can carry is refused`(number: Double) async throws {
        guard case .notFinite("x") = try await refusal(.named("a", attributes: ["x": .number(number)])) else {
            Issue.record("such a number has an error of its own")
            return
        }
    }

    @Test func `the largest event that is allowed is kept and sent`() async throws {
        let device = try await BehaviorsFixture.start()
        let most = BehaviorLimits.attributes - 11
        let many = Dictionary(
            uniqueKeysWithValues: (0..<most).map {
                ("a\($0)", JSONValue.string(String(repeating: "ü", count: 100)))
            })
        try await device.behaviors.track(.named("a", attributes: many))
        await device.behaviors.postEventCache()
        #expect(try device.posted.first?.attributes.count == BehaviorLimits.attributes - 3)
    }

    @Test func `a device clock that is years off is set right by the server's`() async throws {
        let clock = ManualClock(at: Timestamp(seconds: 86_400))
        let server = ScriptedTransport.taking
        let device = try await BehaviorsFixture.start(clock: clock, server: server)
        // Tracked before anybody told the time.
        try await device.behaviors.track(.named("early"))
        let truth = BehaviorsFixture.newYear
        server.next(
            "/learn",
            .response(TransportResponse(status: 200, headers: ["Inlay-Server-Time": "\(truth.microseconds)"]))
        )
        _ = try await device.session.api.get("/learn")
        try await device.behaviors.track(.named("late"))
        await device.behaviors.postEventCache()
        #expect(
            try device.posted.map(\.eventTimestamp) == [
                "2030-01-01T00:00:00.000Z", "2030-01-01T00:00:00.000Z",
            ])
    }

    @Test func `a campaign ends by the server's clock, whatever the device's says`() async throws {
        let clock = ManualClock(at: Timestamp(seconds: 86_400))
        let device = try await BehaviorsFixture.start(clock: clock)
        device.server.next(
            "/learn",
            .response(
                TransportResponse(
                    status: 200,
                    headers: ["Inlay-Server-Time": "\(BehaviorsFixture.newYear.microseconds)"])))
        _ = try await device.session.api.get("/learn")
        let end = Int64(BehaviorsFixture.newYear.seconds) + 60
        try await device.behaviors.beginCampaign(
            ["CurrentCampaign": "A", "CampaignEndTimeStamp": String(end)])
        #expect(device.behaviors.currentCampaign == "A")
        clock.advance(by: .seconds(60))
        #expect(device.behaviors.currentCampaign == nil)
    }
}
