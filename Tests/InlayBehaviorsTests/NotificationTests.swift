@_spi(Inlay) import InlayCore
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
import Testing

@testable import InlayBehaviors

@Suite struct NotificationTests {
    private func onlyEvent(
        _ fixture: BehaviorsFixture, _ deliver: () async throws -> String
    ) async throws -> BehaviorEvent {
        let id = try await deliver()
        let all = try await fixture.behaviors.stored()
        #expect(all.count == 1)
        return try #require(all.first { $0.id == id }).event
    }

    @Test func `a local notification that arrives is one event with its text and button`() async throws {
        let fixture = try await BehaviorsFixture.start()
        let event = try await onlyEvent(fixture) {
            try await fixture.behaviors.notificationReceived(.local(body: "Ferry at ten", action: "Show"))
        }
        #expect(event.eventTypeCode == "48")
        #expect(event["Displayed Message"] == "Ferry at ten" && event["Call To Action"] == "Show")
    }

    @Test func `the app's attributes are added to the automatic ones and replace them`() async throws {
        let fixture = try await BehaviorsFixture.start()
        let event = try await onlyEvent(fixture) {
            try await fixture.behaviors.notificationReceived(
                .local(body: "Ferry at ten"), attributes: ["Source": "test", "Displayed Message": "Mine"])
        }
        #expect(event["Source"] == "test")
        #expect(event.attributes.filter { $0.name == "Displayed Message" }.map(\.value) == ["Mine"])
        #expect(event["Call To Action"] == nil)
    }

    static let pushes: [([String: JSONValue], String)] = [
        (["aps": ["alert": "Hello"]], "Hello"), (["aps": ["alert": ["title": "T", "body": "Body"]]], "Body"),
        (["aps": ["alert": ["title": "T"]]], ""), (["aps": ["badge": 3]], ""), ([:], ""),
        (["aps": "odd"], ""), (["aps": ["alert": 7]], ""),
    ]

    @Test(arguments: pushes)
    func `the event of a push has the text of its alert`(payload: [String: JSONValue], message: String)
        async throws
    {
        let fixture = try await BehaviorsFixture.start()
        let event = try await onlyEvent(fixture) {
            try await fixture.behaviors.notificationReceived(.push(payload))
        }
        #expect(event.eventTypeCode == "48" && event["Displayed Message"] == message)
    }

    @Test func `a call to action is found under the name of the settings, at any depth`() async throws {
        let fixture = try await BehaviorsFixture.start()
        let event = try await onlyEvent(fixture) {
            try await fixture.behaviors.notificationReceived(
                .push(["aps": ["alert": "Hello"], "data": ["more": [["CallToAction": "Buy"]]]]))
        }
        #expect(event["Call To Action"] == "Buy")
        let other = try await BehaviorsFixture.start { $0.settings.parameters.callToAction = "cta" }
        let second = try await onlyEvent(other) {
            try await other.behaviors.notificationReceived(.push(["CallToAction": "Buy", "cta": "Sell"]))
        }
        #expect(second["Call To Action"] == "Sell")
    }

    @Test func `an opened notification is one event 49 with the notification's text and action`() async throws
    {
        let fixture = try await BehaviorsFixture.start()
        let event = try await onlyEvent(fixture) {
            try await fixture.behaviors.notificationOpened(
                .push(["aps": ["alert": "Hello"], "CallToAction": "Buy"]))
        }
        #expect(event.eventTypeCode == "49")
        #expect(event["Displayed Message"] == "Hello" && event["Call To Action"] == "Buy")
    }

    @Test func `an opened push starts its campaign, which is found at any depth`() async throws {
        let fixture = try await BehaviorsFixture.start()
        try await fixture.behaviors.notificationOpened(
            .push(["aps": ["alert": "Hello"], "x": ["y": [["CurrentCampaign": "A"]]]]))
        #expect(try await fixture.behaviors.stored().first?.event["Campaign Name"] == "A")
        fixture.clock.advance(by: .seconds(86_399))
        #expect(try await fixture.campaignNow() == "A")
        fixture.clock.advance(by: .seconds(1))
        #expect(try await fixture.campaignNow() == nil)
    }

    @Test(arguments: [false, true])
    func `a campaign's end in a push is used`(isText: Bool) async throws {
        let fixture = try await BehaviorsFixture.start()
        let end = Int64(BehaviorsFixture.newYear.seconds) + 60
        try await fixture.behaviors.notificationOpened(
            .push([
                "CurrentCampaign": "A", "CampaignEndTimeStamp": isText ? .string("\(end)") : .integer(end),
            ]))
        fixture.clock.advance(by: .seconds(59))
        #expect(fixture.behaviors.currentCampaign == "A")
        fixture.clock.advance(by: .seconds(1))
        #expect(fixture.behaviors.currentCampaign == nil)
    }

    @Test func `a notification that only arrived begins no campaign`() async throws {
        let fixture = try await BehaviorsFixture.start()
        try await fixture.behaviors.notificationReceived(.push(["CurrentCampaign": "A"]))
        #expect(fixture.behaviors.currentCampaign == nil)
    }

    @Test func `a message that is too long is cut, and a payload is searched to a limited depth`()
        async throws
    {
        let fixture = try await BehaviorsFixture.start()
        var deep: JSONValue = ["CurrentCampaign": "deep"]
        for _ in 0..<500 { deep = ["a": deep] }
        let event = try await onlyEvent(fixture) {
            try await fixture.behaviors.notificationOpened(
                .push(["aps": ["alert": .string(String(repeating: "x", count: 10_000))], "deep": deep]))
        }
        #expect(event["Displayed Message"]?.count == BehaviorLimits.maximumValueBytes)
        #expect(fixture.behaviors.currentCampaign == nil)
    }
}
