import Foundation
import InlayBehaviors
@_spi(Inlay) import InlayCore
import InlayEngage
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
import Testing

extension EngageTests {
    @MainActor @Suite struct Events {
        @Test func `the Engage guide's Java sample is stored, then delivered once`() async throws {
            let fixture = try EngageFixture()
            await fixture.boot()
            let params: [AnyHashable: Any] = ["text": "a \"b\" é", "number": 5, "half": 0.5, "flag": true]
            let namedGoalStarted = UBF.namedEvent(EngageContext.shared, "sampleNamedEvent", params)
            #expect(namedGoalStarted.eventTypeCode == 17)
            UBFManager.get().postEvent(namedGoalStarted)
            try await fixture.flush()
            try await fixture.flush()
            let events = try fixture.posted(.namedEvent)
            #expect(events.count == 1)
            let event = try #require(events.first)
            #expect(event["Event Name"] == "sampleNamedEvent")
            #expect(event["text"] == "a \"b\" é")
            #expect(event["number"] == "5")
            #expect(event["half"] == "0.5")
            #expect(event["flag"] == "true")
        }

        @Test func `addParam takes any text and gives it back`() async throws {
            let fixture = try EngageFixture()
            await fixture.boot()
            let event = UBF.namedEvent("e", params: nil)
            let nasty = ["a\"b": "\"\\\n", "ключ": "значение 🚲", "nul\u{1}": "\u{1}"]
            for (name, value) in nasty { event.addParam(name, value) }
            event.addParam("nothing", nil)
            UBFManager.get().postEvent(event)
            try await fixture.flush()
            let posted = try #require(try fixture.posted(.namedEvent).first)
            for (name, value) in nasty { #expect(posted[name] == value) }
            #expect(posted["nothing"] == "")
        }

        @Test func `a number of the app is sent with all its digits`() async throws {
            let fixture = try EngageFixture()
            await fixture.boot()
            let numbers: [String: NSNumber] = [
                "9007199254740993": NSNumber(value: 9_007_199_254_740_993 as Int64),
                "-9223372036854775808": NSNumber(value: Int64.min), "10.5": NSNumber(value: 10.50),
                "12345678901234567890": NSNumber(value: 12_345_678_901_234_567_890 as UInt64),
                "7": NSNumber(value: 7.0),
                "0.1234567890123456789": NSDecimalNumber(string: "0.1234567890123456789"),
            ]
            let event = UBF.namedEvent("numbers", params: nil)
            for (name, number) in numbers { event.addParam(name, number) }
            UBFManager.get().postEvent(event)
            try await fixture.flush()
            let posted = try #require(try fixture.posted(named: "numbers").first)
            for name in numbers.keys { #expect(posted[name] == name) }
        }

        @Test func `an event that is not submitted is neither stored nor sent`() async throws {
            let fixture = try EngageFixture()
            await fixture.boot()
            _ = UBF.namedEvent("never", params: nil)
            try await fixture.flush()
            #expect(try await !fixture.stored().contains { $0.event["Event Name"] == "never" })
            #expect(try !fixture.posted.contains { $0["Event Name"] == "never" })
        }

        @Test func `the goals and named events of the Objective-C samples are sent with their attributes`()
            async throws
        {
            let fixture = try EngageFixture()
            await fixture.boot()
            UBFManager.sharedInstance().trackEvent(UBF.goalCompleted("LISTENED TO MVSTERMIND", params: nil))
            UBFManager.sharedInstance().trackEvent(UBF.goalAbandoned("LISTENED TO MVSTERMIND", params: nil))
            UBFManager.sharedInstance().trackEvent(
                UBF.namedEvent(
                    "PLAYER LOADED",
                    params: [
                        "Event Source View": "HomeViewController", "Event Tags": "MVSTERMIND,Underground",
                    ]))
            try await fixture.flush()
            let completed = try #require(try fixture.posted(.goalCompleted).first)
            #expect(completed.eventTypeCode == "16")
            #expect(completed["Goal Name"] == "LISTENED TO MVSTERMIND")
            #expect(completed["App Name"] == "Demo")
            let abandoned = try #require(try fixture.posted(.goalAbandoned).first)
            #expect(abandoned.eventTypeCode == "15")
            #expect(abandoned["Goal Name"] == "LISTENED TO MVSTERMIND")
            #expect(abandoned["App Name"] == "Demo")
            let named = try #require(try fixture.posted(.namedEvent).first)
            #expect(named.eventTypeCode == "17")
            #expect(named["Event Name"] == "PLAYER LOADED")
            #expect(named["Event Source View"] == "HomeViewController")
            #expect(named["Event Tags"] == "MVSTERMIND,Underground")
        }

        @Test func `trackEvent and postEvent do the same`() async throws {
            let fixture = try EngageFixture()
            await fixture.boot()
            UBFManager.sharedInstance().trackEvent(UBF.namedEvent("tracked", params: nil))
            UBFManager.get().postEvent(UBF.namedEvent("posted", params: nil))
            try await fixture.flush()
            let names = try fixture.posted(.namedEvent).compactMap { $0["Event Name"] }
            #expect(names.sorted() == ["posted", "tracked"])
            let kept = try await fixture.stored([.posted]).filter { $0.event.eventTypeCode == "17" }
            #expect(kept.count == 2)
        }

        @Test func `the constructors of events have their documented codes`() throws {
            _ = try EngageFixture()
            #expect(UBF.namedEvent("n", params: nil).eventTypeCode == 17)
            #expect(UBF.goalCompleted("g", params: nil).eventTypeCode == 16)
            #expect(UBF.goalAbandoned("g", params: nil).eventTypeCode == 15)
            #expect(UBF.installed().eventTypeCode == 12)
            #expect(UBF.sessionStarted().eventTypeCode == 13)
            #expect(UBF.sessionEnded().eventTypeCode == 14)
        }

        @Test func `posting offline loses nothing, and a later run delivers it`() async throws {
            let fixture = try EngageFixture()
            fixture.network.setReachable(false)
            fixture.server.always(InlayPath.oauthToken, .failure(.unreachable("offline")))
            await fixture.boot()
            UBFManager.get().postEvent(UBF.namedEvent("offline", params: nil))
            UBFManager.get().postEventCache()
            try await fixture.flush()
            #expect(fixture.server.requests.isEmpty)
            let waiting = try await fixture.stored([.notPosted]).first { $0.event["Event Name"] == "offline" }
            #expect(waiting?.tries == 0)
            let later = try EngageFixture(in: fixture.folder)
            await later.boot()
            try await later.flush()
            #expect(try later.posted(.namedEvent).map { $0["Event Name"] } == ["offline"])
        }

        @Test func `coming online sends what waited`() async throws {
            let fixture = try EngageFixture()
            await fixture.boot()
            fixture.network.setReachable(false)
            UBFManager.get().postEvent(UBF.namedEvent("offline", params: nil))
            try await fixture.flush()
            #expect(fixture.server.requests(EngageFixture.events).isEmpty)
            fixture.network.setReachable(true)
            try await fixture.server.untilRequests(EngageFixture.events)
            #expect(try fixture.posted.contains { $0["Event Name"] == "offline" })
        }

        @Test func `postEventCache sends fewer than a batch, and nothing when nothing waits`() async throws {
            let fixture = try EngageFixture(settings: ["General": ["ubfEventCacheSize": 10]])
            await fixture.boot()
            UBFManager.get().postEvent(UBF.namedEvent("one", params: nil))
            UBFManager.get().postEvent(UBF.namedEvent("two", params: nil))
            await EngageRuntime.shared.settled()
            #expect(fixture.server.requests(EngageFixture.events).isEmpty)
            UBFManager.sharedInstance().postEventCache()
            await EngageRuntime.shared.settled()
            #expect(try fixture.posted(.namedEvent).map { $0["Event Name"] } == ["one", "two"])
            let before = fixture.server.requests.count
            UBFClient.client().postEventCache()
            await EngageRuntime.shared.settled()
            #expect(fixture.server.requests.count == before)
        }

        @Test func `a plug-in is given its context first, and what it returns is posted`() async throws {
            let fixture = try EngageFixture()
            let weather = WeatherPlugin()
            UBFManager.register(weather)
            await fixture.boot()
            let event = UBF.namedEvent("walk", params: nil)
            UBFManager.get().postEvent(event)
            try await fixture.untilReleased()
            try await fixture.flush()
            #expect(weather.calls.first == "setContext")
            #expect(weather.calls.filter { $0 == "setContext" }.count == 1)
            let posted = try #require(try fixture.posted(.namedEvent).first)
            #expect(posted["outside temperature fahrenheit"] == "68")
            #expect(posted["outside temperature celsius"] == "20")
            #expect(event.params.isEmpty)
        }

        @MainActor @Test func `a local notification is tracked with its text and the given params`()
            async throws
        {
            let fixture = try EngageFixture()
            await fixture.boot()
            let notification = UILocalNotification()
            notification.alertBody = "Ferry at noon"
            notification.alertAction = "Board"
            UBFManager.sharedInstance().handleLocalNotificationReceivedEvents(notification, withParams: nil)
            UBFManager.sharedInstance().handleLocalNotificationReceivedEvents(
                notification, withParams: ["Source": "test", "Displayed Message": "Mine"])
            try await fixture.flush()
            let events = try fixture.posted(.receivedNotification)
            #expect(events.count == 2)
            #expect(events.map { $0["Displayed Message"] } == ["Ferry at noon", "Mine"])
            #expect(events.map { $0["Call To Action"] } == ["Board", "Board"])
            #expect(events.map { $0["Source"] } == [nil, "test"])
        }

        @Test func `a push is tracked with its alert and its call to action`() async throws {
            let fixture = try EngageFixture()
            await fixture.boot()
            let uid = UBFManager.sharedInstance().handlePushNotificationReceivedEvents([
                "aps": ["alert": "Hello"], "CallToAction": "Buy",
            ])
            try await fixture.flush()
            let event = try #require(try fixture.posted(.receivedNotification).first)
            #expect(event["Displayed Message"] == "Hello")
            #expect(event["Call To Action"] == "Buy")
            #expect(uid.absoluteString == "inlay-event:\(event.id)")
        }

        /// Opens the notification that launched the app, as the sample in EngageSDK's guide does.
        @MainActor private func launch(_ launchOptions: [UIApplication.LaunchOptionsKey: Any]?) {
            guard let launchOptions else { return }
            var notification: Any?
            if let remote = launchOptions[.remoteNotification] {
                notification = remote
            } else if let local = launchOptions[.localNotification] {
                notification = local
            }
            UBFManager.sharedInstance().handleNotificationOpenedEvents(notification)
        }

        @MainActor @Test func `the notification that opened the app is tracked, the remote one first`()
            async throws
        {
            let remote: [AnyHashable: Any] = ["aps": ["alert": "Remote"]]
            let local: [AnyHashable: Any] = ["aps": ["alert": "Local"]]
            let cases: [([UIApplication.LaunchOptionsKey: Any]?, [String])] = [
                ([.remoteNotification: remote], ["Remote"]),
                ([.remoteNotification: remote, .localNotification: local], ["Remote"]),
                ([.localNotification: local], ["Local"]), ([:], []), (nil, []),
            ]
            for (options, messages) in cases {
                let fixture = try EngageFixture()
                await fixture.boot()
                launch(options)
                try await fixture.flush()
                #expect(
                    try fixture.posted(.openedNotification).compactMap { $0["Displayed Message"] } == messages
                )
            }
        }

        @MainActor @Test func `a local notification object opens too, and nil tracks nothing`() async throws {
            let fixture = try EngageFixture()
            await fixture.boot()
            let notification = UILocalNotification()
            notification.alertBody = "Tides"
            launch([.localNotification: notification])
            #expect(UBFManager.sharedInstance().handleNotificationOpenedEvents(nil) == nil)
            try await fixture.flush()
            #expect(try fixture.posted(.openedNotification).map { $0["Displayed Message"] } == ["Tides"])
        }

        @Test func `a link gives an id of its event, sets the campaign and runs the app's handlers`()
            async throws
        {
            let fixture = try EngageFixture(
                deepLinks: """
                    {"defaultRoute":{"handlers":["postSilverpop"]},"routes":{"test/:testId":{"handlers":
                    ["postSilverpop","mine"],"routeParameters":{"testId":{"required":"true"},
                    "CurrentCampaign":{"required":"false"}}}}}
                    """)
            await fixture.boot()
            let seen = Locked<[[String: String]]>([])
            EngageDeepLinkManager.sharedInstance().registerHandler(withName: "mine") { parameters in
                seen.withLock { $0.append(parameters) }
                return parameters
            }
            let url = try #require(URL(string: "Silverpop://test/5?CurrentCampaign=A"))
            let ubfEventUid = UBFManager.sharedInstance().handleExternalURLOpenedEvents(url)
            UBFManager.get().postEvent(UBF.namedEvent("after", params: nil))
            try await fixture.flush()
            #expect(seen.withLock { $0 } == [["testId": "5", "CurrentCampaign": "A"]])
            let event = try #require(try fixture.posted.first { $0["testId"] == "5" })
            #expect(ubfEventUid?.absoluteString == "inlay-event:\(event.id)")
            let after = try fixture.posted.first { $0["Event Name"] == "after" }
            #expect(after?["Campaign Name"] == "A")
            #expect(EngageConfig.currentCampaign() == "A")
            fixture.clock.advance(by: .seconds(86_401))
            #expect(EngageConfig.currentCampaign().isEmpty)
            #expect(EngageConfig.lastCampaign() == "A")
        }

        @Test func `a campaign that the app stores ends when it says, or after the configured time`()
            async throws
        {
            let fixture = try EngageFixture()
            await fixture.boot()
            let end = Int(fixture.clock.now().seconds) + 600
            EngageConfig.storeCurrentCampaign("Spring", withExpirationTimestamp: end)
            await EngageRuntime.shared.settled()
            #expect(EngageConfig.currentCampaign() == "Spring")
            fixture.clock.advance(by: .seconds(601))
            #expect(EngageConfig.currentCampaign().isEmpty)
            EngageConfig.storeCurrentCampaign("Summer", withExpirationTimestamp: 0)
            await EngageRuntime.shared.settled()
            fixture.clock.advance(by: .seconds(86_399))
            #expect(EngageConfig.currentCampaign() == "Summer")
            fixture.clock.advance(by: .seconds(2))
            #expect(EngageConfig.currentCampaign().isEmpty)
        }
    }
}

/// EngageSDK's sample plug-in.
@MainActor private final class WeatherPlugin: UBFAugmentationPlugin {
    private(set) var calls: [String] = []
    private var context: EngageContext?

    nonisolated init() {}

    func setContext(_ context: EngageContext) {
        calls.append("setContext")
        self.context = context
    }

    func isSupplementalDataReady() -> Bool {
        calls.append("isSupplementalDataReady")
        return true
    }

    func processSyncronously() -> Bool {
        calls.append("processSyncronously")
        return true
    }

    func process(_ ubf: UBF) -> UBF {
        calls.append("process")
        ubf.addParam("outside temperature fahrenheit", 68)
        ubf.addParam("outside temperature celsius", 20)
        return ubf
    }
}
