import Foundation
@_spi(Inlay) import InlayCore
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
import Testing

@testable import InlayBehaviors

@Suite struct DeepLinkTests {
    static let sample = """
        {"logging": "true", "defaultRoute": {"handlers": ["postSilverpop"]},
         "routes": {
            "test/:testId": {"handlers": ["postSilverpop"], "routeParameters": {
                "testId": {"required": "true", "regex": "[0-9]"},
                "CurrentCampaign": {"required": "false"}, "utmSource": {"required": "false"}}},
            "campaign/:CurrentCampaign": {"handlers": ["postSilverpop"], "routeParameters": {
                "CurrentCampaign": {"required": "true"}, "CampaignEndTimeStamp": {"required": "false"}}}}}
        """

    private func start(_ json: String? = sample) async throws -> BehaviorsFixture {
        let links = try json.map { try DeepLinkConfiguration(json: Data($0.utf8)) }
        return try await BehaviorsFixture.start {
            $0.deepLinks = links
            $0.settings.eventCacheSize = 1000
        }
    }

    private func event(_ fixture: BehaviorsFixture, _ outcome: DeepLinkOutcome) async throws -> BehaviorEvent
    {
        try #require(try await fixture.behaviors.stored().first { $0.id == outcome.eventID }).event
    }

    @Test func `the parameters of a link's route are in its event`() async throws {
        let fixture = try await start()
        let outcome = try await fixture.behaviors.open("Silverpop://test/5?utmSource=mail")
        #expect(outcome.route == "test/:testId")
        #expect(outcome.parameters == ["testId": "5", "utmSource": "mail"])
        let event = try await event(fixture, outcome)
        #expect(event["testId"] == "5" && event["utmSource"] == "mail")
        #expect(event.eventTypeCode == "17" && event["Event Name"] == "Deep Link Opened")
    }

    @Test(arguments: [
        ("Silverpop://test/5", ["testId": "5"]),
        ("Silverpop://test/5?CurrentCampaign=A", ["testId": "5", "CurrentCampaign": "A"]),
        ("Silverpop://test/5?foo=1", ["testId": "5"]),
        ("Silverpop://campaign/Spring", ["CurrentCampaign": "Spring"]),
        (
            "Silverpop://campaign/Spring?CampaignEndTimeStamp=1893459600",
            ["CurrentCampaign": "Spring", "CampaignEndTimeStamp": "1893459600"]
        ),
        (
            "MakeAndBuild://test/5?CurrentCampaign=UnitTestCampaign2",
            ["testId": "5", "CurrentCampaign": "UnitTestCampaign2"]
        ),
    ])
    func `the sample file takes exactly what it declares`(link: String, parameters: [String: String])
        async throws
    {
        let fixture = try await start()
        let outcome = try await fixture.behaviors.open(link)
        #expect(outcome.route != nil && outcome.parameters == parameters)
    }

    @Test(arguments: [
        "Silverpop://unknown/path", "Silverpop://test", "Silverpop://test/abc", "Silverpop://test/52",
        "Silverpop://campaign",
    ])
    func `a link that fits no route goes to the default route, without parameters`(link: String) async throws
    {
        let fixture = try await start()
        let outcome = try await fixture.behaviors.open(link)
        #expect(outcome.route == nil && outcome.parameters.isEmpty && outcome.eventID != nil)
        #expect(fixture.behaviors.currentCampaign == nil)
    }

    @Test func `the campaign is read from a query that nobody declared, and from the default route`()
        async throws
    {
        let fixture = try await start(#"{"defaultRoute": {"handlers": ["postSilverpop"]}}"#)
        let outcome = try await fixture.behaviors.open("Silverpop://any/where?CurrentCampaign=A&foo=1")
        #expect(outcome.parameters.isEmpty)
        #expect(fixture.behaviors.currentCampaign == "A")
        #expect(try await fixture.behaviors.stored().count == 1)
    }

    @Test func `a route's parameter has the name that the file gives it`() async throws {
        let fixture = try await start(Self.sample.replacingOccurrences(of: "testId", with: "trial"))
        #expect(try await fixture.behaviors.open("Silverpop://test/5").parameters == ["trial": "5"])
    }

    @Test(arguments: [
        ("harbor://cabin/5?CurrentCampaign=Spring+Sale", "Spring Sale"),
        ("harbor://cabin/5?CurrentCampaign=2=1", "2=1"),
        ("harbor://cabin/5?CurrentCampaign=YWJjZA==", "YWJjZA=="),
        ("harbor://cabin/5?CurrentCampaign=A%2BB%3D1+2", "A+B=1 2"),
        ("harbor://cabin/5?a=1&CurrentCampaign=A&CurrentCampaign=B", "B"),
        ("harbor://campaign/Spring+Sale", "Spring+Sale"), ("harbor://offer/2+1?CurrentCampaign=2+1", "2+1"),
        ("harbor://campaign/A?CurrentCampaign=2+1", "2 1"), ("harbor://campaign/A?CurrentCampaign=2=1", "A"),
    ])
    func `a campaign's name is read as a form writes it, a route's part as it stands`(
        link: String, name: String
    ) async throws {
        // The route `offer/…` does not declare `CurrentCampaign` as a parameter, so the query does not replace it.
        let fixture = try await start(
            Self.sample.replacingOccurrences(
                of: "\"routes\": {", with: "\"routes\": {\"offer/:CurrentCampaign\": {\"handlers\": []},"))
        _ = try await fixture.behaviors.open(link)
        #expect(fixture.behaviors.currentCampaign == name)
    }

    @Test func `a declared parameter keeps the older product's rule for handlers, and not for the campaign`()
        async throws
    {
        let fixture = try await start()
        let outcome = try await fixture.behaviors.open("Silverpop://test/5?CurrentCampaign=Spring+Sale")
        #expect(outcome.parameters == ["testId": "5", "CurrentCampaign": "Spring+Sale"])
        #expect(fixture.behaviors.currentCampaign == "Spring Sale")
        let second = try await fixture.behaviors.open("Silverpop://test/5?utmSource=YWJjZA==")
        #expect(second.parameters == ["testId": "5"])
    }

    @Test func `a file of routes may be UTF-16, and its routes keep their order`() async throws {
        let names = ["i", "b", "h", "c", "g", "a", "f", "e", "d"]
        let routes = names.map { #""r/:\#($0)": {"handlers": ["\#($0)"]}"# }
        let json = #"{"routes": {\#(routes.joined(separator: ", "))}}"#
        let plain = try DeepLinkConfiguration(json: Data(json.utf8))
        #expect(plain.routes.flatMap(\.handlers) == names)
        for encoding in [String.Encoding.utf8, .utf16LittleEndian, .utf16BigEndian] {
            let marked = try #require("\u{FEFF}\(json)".data(using: encoding))
            #expect(try DeepLinkConfiguration(json: marked) == plain, "\(encoding)")
        }
    }

    @Test func `a link can lose its last parts to fit`() async throws {
        let fixture = try await start(#"{"routes": {"data": {"handlers": []}}}"#)
        #expect(try await fixture.behaviors.open("m://data/54/more?x=1").route == "data")
    }

    @Test func `handlers run in order with the same parameters, which they may change`() async throws {
        let fixture = try await start(
            #"{"routes": {"a/:x": {"handlers": ["first", "postSilverpop", "second"]}}}"#)
        let seen = Locked<[String]>([])
        fixture.behaviors.registerLinkHandler("first") { parameters in
            let x = parameters["x"] ?? ""
            seen.withLock { $0.append("first \(x)") }
            parameters["x"] = "changed"
            parameters["name"] = "one"
        }
        fixture.behaviors.registerLinkHandler("second") { parameters in
            let x = parameters["x"] ?? ""
            seen.withLock { $0.append("second \(x)") }
            parameters["name"] = "two"
        }
        let outcome = try await fixture.behaviors.open("m://a/5")
        #expect(seen.withLock { $0 } == ["first 5", "second changed"])
        #expect(outcome.parameters == ["x": "changed", "name": "two"])
        #expect(try await event(fixture, outcome)["name"] == "one")
        #expect(try await fixture.behaviors.stored().count == 1)
    }

    @Test func `nothing of one link is in the next`() async throws {
        let fixture = try await start()
        _ = try await fixture.behaviors.open("Silverpop://test/5?utmSource=mail")
        let second = try await fixture.behaviors.open("Silverpop://test/6")
        #expect(try await event(fixture, second)["utmSource"] == nil)
    }

    @Test func `an unregistered handler is an error that stops the route, and the app goes on`() async throws
    {
        let fixture = try await start(#"{"routes": {"a": {"handlers": ["noSuchHandler", "postSilverpop"]}}}"#)
        await #expect(throws: DeepLinkError.unknownHandler("noSuchHandler")) {
            _ = try await fixture.behaviors.open("m://a")
        }
        #expect(try await fixture.behaviors.stored().isEmpty)
        try await fixture.behaviors.track(.named("still works"))
    }

    @Test func `without a file a link is an error that stops nothing, and its campaign still counts`()
        async throws
    {
        let fixture = try await start(nil)
        await #expect(throws: DeepLinkError.noConfiguration) {
            _ = try await fixture.behaviors.open("Silverpop://test/5?CurrentCampaign=A")
        }
        #expect(fixture.behaviors.currentCampaign == "A")
        #expect(try await fixture.campaignNow() == "A")
    }

    @Test func `a handler that fails is named`() async throws {
        struct Broken: Error {}
        let fixture = try await start(#"{"routes": {"a": {"handlers": ["mine"]}}}"#)
        fixture.behaviors.registerLinkHandler("mine") { _ in throw Broken() }
        await #expect(throws: DeepLinkError.handlerFailed("mine", reason: "Broken()")) {
            _ = try await fixture.behaviors.open("m://a")
        }
    }

    @Test func `routes are logged only with logging on`() async throws {
        for (flag, count) in [("true", 2), ("false", 0)] {
            let lines = LogLines()
            let json = Self.sample.replacingOccurrences(
                of: #""logging": "true""#, with: #""logging": "\#(flag)""#)
            let links = try DeepLinkConfiguration(json: Data(json.utf8))
            let fixture = try await BehaviorsFixture.start(logger: lines.logger) { $0.deepLinks = links }
            fixture.session.setDebugLevel(1)
            try await fixture.behaviors.open("Silverpop://test/5")
            let logged = lines.all.filter { $0.hasPrefix("info: deep link: ") }
            #expect(logged.count == count)
            #expect(logged.isEmpty || logged[0].hasSuffix("route test/:testId"))
            #expect(logged.isEmpty || logged[1] == "info: deep link: handler postSilverpop ran")
        }
    }
}
