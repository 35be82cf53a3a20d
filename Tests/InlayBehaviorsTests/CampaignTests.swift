import Foundation
@_spi(Inlay) import InlayCore
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
import Testing

@testable import InlayBehaviors

@Suite struct CampaignTests {
    static let links = """
        {"defaultRoute": {"handlers": ["postSilverpop"]}, "routes": {"campaign/:CurrentCampaign": {
            "handlers": ["postSilverpop"],
            "routeParameters": {"CurrentCampaign": {"required": "true"}, "CampaignEndTimeStamp": {"required": "false"},
                "CampaignValidFor": {}, "CampaignExpiresAt": {}, "cmp": {}}},
            "test/:testId": {"handlers": ["postSilverpop"], "routeParameters": {"testId": {"required": "true"},
                "CurrentCampaign": {}, "cmp": {}}}}}
        """

    private func start(
        at moment: String = "2030-01-01T00:00:00Z",
        _ change: (inout BehaviorsConfiguration) -> Void = { _ in }
    ) async throws -> BehaviorsFixture {
        let clock = ManualClock(at: try #require(Timestamp(rfc3339: moment)))
        let links = try DeepLinkConfiguration(json: Data(Self.links.utf8))
        return try await BehaviorsFixture.start(clock: clock) {
            $0.deepLinks = links
            $0.settings.eventCacheSize = 1000
            change(&$0)
        }
    }

    /// Checks that the campaign is current until a second before `end`, and not at `end`.
    private func expect(_ fixture: BehaviorsFixture, _ name: String, until end: String) async throws {
        let moment = try #require(Timestamp(rfc3339: end))
        #expect(try await fixture.campaignNow() == name)
        fixture.clock.advance(by: moment - fixture.clock.now() - .seconds(1))
        #expect(try await fixture.campaignNow() == name)
        fixture.clock.advance(by: .seconds(1))
        #expect(try await fixture.campaignNow() == nil)
    }

    @Test func `a link's campaign is the name on all events after it, not before`() async throws {
        let fixture = try await start()
        #expect(try await fixture.campaignNow() == nil)
        _ = try await fixture.behaviors.open("Silverpop://test/5?CurrentCampaign=A")
        #expect(try await fixture.campaignNow() == "A")
        #expect(try await fixture.campaignNow() == "A")
        #expect(try await fixture.behaviors.stored().first?.event["Campaign Name"] == nil)
    }

    @Test func `a link without the parameter leaves campaign and end as they were`() async throws {
        let fixture = try await start()
        _ = try await fixture.behaviors.open("Silverpop://test/5?CurrentCampaign=A")
        fixture.clock.advance(by: .seconds(3600))
        _ = try await fixture.behaviors.open("Silverpop://test/5?Campaign=B")
        try await expect(fixture, "A", until: "2030-01-02T00:00:00Z")
    }

    @Test func `a campaign ends after a day by default`() async throws {
        let fixture = try await start()
        _ = try await fixture.behaviors.open("Silverpop://campaign/TestCurrentCampaign")
        try await expect(fixture, "TestCurrentCampaign", until: "2030-01-02T00:00:00Z")
    }

    @Test func `the default end is a setting`() async throws {
        let fixture = try await start { $0.settings.campaignExpiration = .seconds(120) }
        _ = try await fixture.behaviors.open("Silverpop://campaign/A")
        try await expect(fixture, "A", until: "2030-01-01T00:02:00Z")
    }

    @Test func `a Unix time in the link ends the campaign at that moment, on any device`() async throws {
        let fixture = try await start(at: "2014-12-01T00:00:00Z")
        _ = try await fixture.behaviors.open(
            "Silverpop://campaign/TestCurrentCampaign?CampaignEndTimeStamp=1419465600")
        try await expect(fixture, "TestCurrentCampaign", until: "2014-12-25T00:00:00Z")
    }

    @Test func `a Unix time is the same moment whatever zone the device is in`() async throws {
        // Each runs in its own process, because the time zone applies to a whole process.
        await #expect(processExitsWith: .success) {
            try await Self.checkEnd(in: "Asia/Tokyo", hour: 9)
        }
        await #expect(processExitsWith: .success) {
            try await Self.checkEnd(in: "America/New_York", hour: 19)
        }
    }

    /// Checks a link's end in a time zone in which `hour` is the hour of midnight UTC.
    private static func checkEnd(in zone: String, hour: Int) async throws {
        setenv("TZ", zone, 1)
        tzset()
        NSTimeZone.resetSystemTimeZone()
        let midnight = Date(timeIntervalSince1970: 1_417_392_000)
        try #require(Calendar(identifier: .gregorian).component(.hour, from: midnight) == hour)
        let tests = CampaignTests()
        let fixture = try await tests.start(at: "2014-12-01T00:00:00Z")
        _ = try await fixture.behaviors.open(
            "Silverpop://campaign/TestCurrentCampaign?CampaignEndTimeStamp=1419465600")
        try await tests.expect(fixture, "TestCurrentCampaign", until: "2014-12-25T00:00:00Z")
    }

    @Test func `an end within a day is used`() async throws {
        let fixture = try await start()
        _ = try await fixture.behaviors.open("Silverpop://campaign/A?CampaignEndTimeStamp=1893459600")
        try await expect(fixture, "A", until: "2030-01-01T01:00:00Z")
    }

    @Test func `a campaign whose end has passed never begins`() async throws {
        let fixture = try await start()
        _ = try await fixture.behaviors.open(
            "Silverpop://campaign/TestCurrentCampaign?CampaignEndTimeStamp=30931200")
        #expect(try await fixture.campaignNow() == nil)
        // It neither ends nor prolongs the current campaign, even one with the same name.
        _ = try await fixture.behaviors.open("Silverpop://campaign/A?CampaignValidFor=15m")
        for name in ["TestCurrentCampaign", "A"] {
            _ = try await fixture.behaviors.open("Silverpop://campaign/\(name)?CampaignEndTimeStamp=30931200")
        }
        #expect(fixture.behaviors.lastCampaign == nil)
        try await expect(fixture, "A", until: "2030-01-01T00:15:00Z")
        #expect(fixture.behaviors.lastCampaign == "A")
    }

    @Test func `an end that is not a time is ignored`() async throws {
        let fixture = try await start()
        _ = try await fixture.behaviors.open("Silverpop://campaign/A?CampaignEndTimeStamp=abc")
        try await expect(fixture, "A", until: "2030-01-02T00:00:00Z")
    }

    @Test(arguments: ["", "abc", "15"])
    func `a duration that cannot be parsed is ignored`(text: String) async throws {
        let fixture = try await start()
        try await fixture.behaviors.beginCampaign(["CurrentCampaign": "A", "CampaignValidFor": text])
        try await expect(fixture, "A", until: "2030-01-02T00:00:00Z")
    }

    @Test func `CampaignValidFor is a duration from the opening of the link`() async throws {
        let fixture = try await start()
        _ = try await fixture.behaviors.open("Silverpop://campaign/A?CampaignValidFor=15m")
        try await expect(fixture, "A", until: "2030-01-01T00:15:00Z")
    }

    @Test(arguments: ["2030/01/05 10:00:00", "2030-01-05T12:00:00+02:00", "2030-01-05T10:00:00Z"])
    func `CampaignExpiresAt is a time in either format`(text: String) async throws {
        let fixture = try await start()
        let escaped = try #require(text.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
        _ = try await fixture.behaviors.open("Silverpop://campaign/A?CampaignExpiresAt=\(escaped)")
        try await expect(fixture, "A", until: "2030-01-05T10:00:00Z")
    }

    @Test(arguments: [
        "CampaignExpiresAt=2030-01-05T12:00:00+02:00", "CampaignExpiresAt=2030/01/05+10:00:00",
        "CampaignExpiresAt=2030-01-05T12:00:00%2B02:00", "CampaignValidFor=4+days+10h",
    ])
    func `an end in a link may have form-encoded blanks and an unencoded offset`(end: String)
        async throws
    {
        let fixture = try await start()
        _ = try await fixture.behaviors.open("Silverpop://test/5?CurrentCampaign=A&\(end)")
        try await expect(fixture, "A", until: "2030-01-05T10:00:00Z")
    }

    @Test
    func
        `of several ends CampaignEndTimeStamp wins over CampaignExpiresAt, which wins over CampaignValidFor`()
        async throws
    {
        let fixture = try await start()
        let parameters = [
            "CurrentCampaign": "A", "CampaignEndTimeStamp": "1893456060",
            "CampaignExpiresAt": "2030/01/01 00:02:00",
            "CampaignValidFor": "3m",
        ]
        try await fixture.behaviors.beginCampaign(parameters)
        try await expect(fixture, "A", until: "2030-01-01T00:01:00Z")
        try await fixture.behaviors.beginCampaign(parameters.filter { $0.key != "CampaignEndTimeStamp" })
        try await expect(fixture, "A", until: "2030-01-01T00:02:00Z")
    }

    @Test func `the same text means the same time in a link and in the settings`() async throws {
        let fixture = try await start {
            let table = SettingsTable(["General": ["defaultCurrentCampaignExpiration": "1 day 15m"]])
            $0.settings = BehaviorSettings(table)
        }
        try await fixture.behaviors.beginCampaign(["CurrentCampaign": "A"])
        try await expect(fixture, "A", until: "2030-01-02T00:15:00Z")
        try await fixture.behaviors.beginCampaign(["CurrentCampaign": "B", "CampaignValidFor": "1 day 15m"])
        try await expect(fixture, "B", until: "2030-01-03T00:30:00Z")
    }

    @Test func `the names of the parameters are settings`() async throws {
        let fixture = try await start { $0.settings.parameters.currentCampaign = "cmp" }
        _ = try await fixture.behaviors.open("Silverpop://test/5?CurrentCampaign=A")
        #expect(try await fixture.campaignNow() == nil)
        _ = try await fixture.behaviors.open("Silverpop://test/5?cmp=B")
        #expect(try await fixture.campaignNow() == "B")
    }

    @Test func `a new campaign replaces the current one and has its own end`() async throws {
        let fixture = try await start()
        _ = try await fixture.behaviors.open("Silverpop://campaign/A")
        fixture.clock.advance(by: .seconds(12 * 3600))
        _ = try await fixture.behaviors.open("Silverpop://campaign/B")
        #expect(fixture.behaviors.lastCampaign == "A")
        try await expect(fixture, "B", until: "2030-01-02T12:00:00Z")
    }

    @Test func `a campaign and its end outlive the process`() async throws {
        let fixture = try await start()
        _ = try await fixture.behaviors.open("Silverpop://campaign/A")
        let again = try await fixture.restarted()
        try await expect(again, "A", until: "2030-01-02T00:00:00Z")
        let third = try await again.restarted()
        #expect(try await third.campaignNow() == nil)
        #expect(third.behaviors.lastCampaign == "A")
    }

    @Test func `an ended campaign is the last campaign and no longer the current one`() async throws {
        let fixture = try await start()
        #expect(try await fixture.tracked(Behavior(.installed))["Last Campaign"] == nil)
        try await fixture.behaviors.beginCampaign(["CurrentCampaign": "A"])
        #expect(fixture.behaviors.lastCampaign == nil)
        fixture.clock.advance(by: .seconds(86_401))
        let event = try await fixture.tracked(Behavior(.installed))
        #expect(event["Last Campaign"] == "A" && event["Campaign Name"] == nil)
    }

    @Test func `an empty campaign name starts no campaign`() async throws {
        let fixture = try await start()
        #expect(try await !fixture.behaviors.beginCampaign(["CurrentCampaign": ""]))
        #expect(try await !fixture.behaviors.beginCampaign([:]))
        #expect(fixture.behaviors.currentCampaign == nil)
    }
}
