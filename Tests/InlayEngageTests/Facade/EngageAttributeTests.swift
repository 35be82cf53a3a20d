import Foundation
import InlayBehaviors
import InlayEngage
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
import Testing

extension EngageTests {
    @MainActor @Suite struct Attributes {
        @Test func `a goal that started is a named event of the app, and no other type is sent`() async throws
        {
            let fixture = try EngageFixture()
            await fixture.boot()
            let event = UBF.namedEvent("GOAL STARTED", params: nil)
            #expect(event.eventTypeCode == 17)
            UBFManager.get().postEvent(event)
            await fixture.postEventCache()
            // The other event reports the installation.
            #expect(try fixture.posted.map(\.eventTypeCode) == ["12", "17"])
            #expect(try fixture.posted.last?["Event Name"] == "GOAL STARTED")
        }

        @Test func `a param of the app wins over the automatic one, once, and leaves the others`()
            async throws
        {
            let fixture = try EngageFixture()
            await fixture.boot()
            EngageConfig.storeCurrentCampaign("Spring", withExpirationTimestamp: 0)
            UBFManager.get().postEvent(UBF.namedEvent("plain", params: ["Color": "red"]))
            UBFManager.get().postEvent(UBF.namedEvent("own", params: ["Campaign Name": "Mine"]))
            await fixture.postEventCache()
            let plain = try #require(try fixture.posted(named: "plain").first)
            let own = try #require(try fixture.posted(named: "own").first)
            #expect(plain["Color"] == "red" && plain["Campaign Name"] == "Spring")
            #expect(own.attributes.filter { $0.name == "Campaign Name" }.map(\.value) == ["Mine"])
            let automatic = [
                "App Name": "Demo", "App Version": "2.1", "Device Name": "Phone", "OS Name": "TestOS",
                "Device Id": "device-1",
            ]
            for (name, value) in automatic { #expect(plain[name] == value && own[name] == value, "\(name)") }
        }

        @Test func `a goal has a name and no duration, the end of a session the reverse`() async throws {
            let fixture = try EngageFixture()
            let application = await fixture.boot()
            application.onForeground()
            UBFManager.get().postEvent(UBF.goalCompleted("LISTENED TO MVSTERMIND", params: nil))
            application.onBackground()
            await EngageRuntime.shared.settled()
            fixture.clock.advance(by: .seconds(31 * 60))
            application.onForeground()
            await fixture.postEventCache()
            let goal = try #require(try fixture.posted(.goalCompleted).first)
            let end = try #require(try fixture.posted(.sessionEnded).first)
            #expect(goal["Goal Name"] == "LISTENED TO MVSTERMIND" && goal["Session Duration"] == nil)
            #expect(end["Session Duration"] == "0" && end["Goal Name"] == nil)
        }
    }
}
