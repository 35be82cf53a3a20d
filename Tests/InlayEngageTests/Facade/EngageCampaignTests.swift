import Foundation
import InlayBehaviors
@_spi(Inlay) import InlayCore
import InlayEngage
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
import Testing

extension EngageTests {
    @MainActor @Suite struct Campaigns {
        /// The sample file of the older SDK's documentation, with an additional handler of the app.
        private static let sample = """
            {"logging": "false", "defaultRoute": {"handlers": ["postSilverpop"]},
             "routes": {
                "test/:testId": {"handlers": ["postSilverpop", "mine"], "routeParameters": {
                    "testId": {"required": "true", "regex": "[0-9]"},
                    "CurrentCampaign": {"required": "false"}}},
                "campaign/:CurrentCampaign": {"handlers": ["postSilverpop", "mine"], "routeParameters": {
                    "CurrentCampaign": {"required": "true"}, "CampaignEndTimeStamp": {"required": "false"}}}}}
            """
        private static let largeCache: [String: JSONValue] = ["ubfEventCacheSize": 1000]
        private static let day = 86_400

        private func start(
            at moment: Timestamp = EngageFixture.noon, general: [String: JSONValue] = [:],
            deepLinks: String = sample, log: LogLines? = nil
        ) async throws -> EngageFixture {
            let fixture = try EngageFixture(
                at: moment, settings: ["General": Self.largeCache.merging(general) { $1 }],
                deepLinks: deepLinks, log: log)
            EngageDeepLinkManager.sharedInstance().registerHandler(withName: "mine") { $0 }
            await fixture.boot()
            return fixture
        }

        private func open(_ link: String) async throws {
            UBFManager.sharedInstance().handleExternalURLOpenedEvents(try #require(URL(string: link)))
            await EngageRuntime.shared.settled()
        }

        /// Posts an event and returns its campaign.
        private func campaign(_ fixture: EngageFixture) async throws -> String? {
            UBFManager.get().postEvent(UBF.namedEvent("probe", params: nil))
            await fixture.postEventCache()
            let name = try #require(try fixture.posted(named: "probe").last)["Campaign Name"]
            #expect(EngageConfig.currentCampaign() == name ?? "")
            return name
        }

        /// Checks that events have the campaign until a second before its end, and not a second after it.
        private func expect(_ name: String, for seconds: Int, _ fixture: EngageFixture) async throws {
            #expect(try await campaign(fixture) == name)
            fixture.clock.advance(by: .seconds(seconds - 1))
            #expect(try await campaign(fixture) == name)
            fixture.clock.advance(by: .seconds(2))
            #expect(try await campaign(fixture) == nil)
        }

        @Test func `the SDK's own handler takes a link's parameters without being registered`() async throws {
            let fixture = try await start(
                deepLinks: """
                    {"routes": {"test/:testId": {"handlers": ["postSilverpop"], "routeParameters": {
                        "testId": {"required": "true"}, "utmSource": {}}}}}
                    """)
            #expect(EngageDeepLinkManager.defaultHandlerName == "postSilverpop")
            try await open("Silverpop://test/5?utmSource=mail")
            await fixture.postEventCache()
            let event = try #require(try fixture.posted(named: "Deep Link Opened").first)
            #expect(event["testId"] == "5" && event["utmSource"] == "mail")
        }

        @Test func `a handler that is not registered is logged, and later events are sent`() async throws {
            let log = LogLines()
            let fixture = try await start(
                deepLinks: #"{"routes": {"a": {"handlers": ["noSuchHandler", "postSilverpop"]}}}"#, log: log)
            try await open("Silverpop://a")
            #expect(log.all == [#"error: deep link: unknownHandler("noSuchHandler")"#])
            UBFManager.get().postEvent(UBF.namedEvent("still works", params: nil))
            await fixture.postEventCache()
            #expect(try fixture.posted(.namedEvent).map { $0["Event Name"] } == ["still works"])
        }

        @Test func `a file of routes that cannot be used is logged with the reason`() async throws {
            let log = LogLines()
            _ = try await start(deepLinks: #"{"routes": []}"#, log: log)
            let line = log.all.first { $0.hasPrefix("error: MobileDeepLinkingConfig.json cannot be read") }
            #expect(line?.contains("`routes` is no object") == true)
            _ = try await start(
                deepLinks: #"{"routes": {"a": {"routeParameters": {"b": {"regex": "["}}}}}"#, log: log)
            #expect(log.all.contains("error: MobileDeepLinkingConfig.json: a: b has an invalid regex"))
        }

        @Test func `the route of campaigns takes the required name from the path`() async throws {
            let fixture = try await start()
            let seen = Locked<[[String: String]]>([])
            EngageDeepLinkManager.sharedInstance().registerHandler(withName: "mine") { parameters in
                seen.withLock { $0.append(parameters) }
                return parameters
            }
            try await open("Silverpop://campaign")
            #expect(try await campaign(fixture) == nil)
            try await open("Silverpop://campaign/Spring")
            #expect(try await campaign(fixture) == "Spring")
            // Of the two links only the one with the name reached the route's handler.
            #expect(seen.withLock { $0 } == [["CurrentCampaign": "Spring"]])
        }

        @Test func `only the parameter of the documented name sets the campaign, and no other link ends it`()
            async throws
        {
            let fixture = try await start()
            try await open("Silverpop://test/5?Campaign=B")
            #expect(try await campaign(fixture) == nil)
            try await open("Silverpop://test/5?\(CURRENT_CAMPAIGN_PARAM_NAME)=A")
            #expect(try await campaign(fixture) == "A")
            fixture.clock.advance(by: .seconds(3600))
            try await open("Silverpop://test/5?Campaign=B")
            try await expect("A", for: Self.day - 3600, fixture)
        }

        @Test(arguments: [600, 3 * 86_400])
        func `a campaign's end in a link is used, before or after a day`(_ seconds: Int) async throws {
            let fixture = try await start()
            let end = Int(fixture.clock.now().seconds) + seconds
            try await open("Silverpop://campaign/A?\(CAMPAIGN_EXTERNAL_EXPIRATION_DATETIME_PARAM)=\(end)")
            try await expect("A", for: seconds, fixture)
        }

        @Test func `the documented links begin campaigns that end on Christmas, after a day, or never begin`()
            async throws
        {
            let december = try #require(Timestamp(rfc3339: "2014-12-01T00:00:00Z"))
            let fixture = try await start(at: december)
            try await open("Silverpop://campaign/TestCurrentCampaign?CampaignEndTimeStamp=30931200")
            #expect(try await campaign(fixture) == nil)
            #expect(EngageConfig.lastCampaign().isEmpty)
            try await open("Silverpop://campaign/TestCurrentCampaign?CampaignEndTimeStamp=1419465600")
            try await expect("TestCurrentCampaign", for: 24 * Self.day, fixture)
            try await open("Silverpop://campaign/TestCurrentCampaign")
            try await expect("TestCurrentCampaign", for: Self.day, fixture)
        }

        @Test func `a text is the same duration in a link, in the settings and in the parser`()
            async throws
        {
            let text = "1 day 15m"
            let fixture = try await start(general: ["defaultCurrentCampaignExpiration": .string(text)])
            let seconds = EngageExpirationParser(expirationString: text).secondsParsedFromExpiration()
            #expect(seconds == Self.day + 900)
            try await open("Silverpop://campaign/A")
            try await expect("A", for: seconds, fixture)
            let other = try await start()
            try await open("Silverpop://campaign/B?CampaignValidFor=1%20day%2015m")
            try await expect("B", for: seconds, other)
        }

        @Test(arguments: ["", "abc", "15"])
        func `a campaign with an invalid duration gets the default, and the parser calls it invalid`(
            _ text: String
        ) async throws {
            let fixture = try await start(general: ["defaultCurrentCampaignExpiration": "15m"])
            let parser = EngageExpirationParser(expirationString: text)
            #expect(!parser.isValid && parser.secondsParsedFromExpiration() == 0)
            try await open("Silverpop://campaign/A?CampaignValidFor=\(text)")
            try await expect("A", for: 900, fixture)
        }
    }
}
