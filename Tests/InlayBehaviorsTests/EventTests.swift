import Foundation
@_spi(Inlay) import InlayCore
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
import Testing

@testable import InlayBehaviors

@Suite struct EventTests {
    static let allTypes: [(Behavior, String)] = [
        (Behavior(.installed), "12"), (Behavior(.sessionStarted), "13"), (Behavior(.sessionEnded), "14"),
        (.goalAbandoned("Ferry booked"), "15"), (.goalCompleted("Ferry booked"), "16"),
        (.named("Timetable viewed"), "17"), (Behavior(.receivedNotification), "48"),
        (Behavior(.openedNotification), "49"),
    ]

    @Test(arguments: allTypes)
    func `every type of event has its documented code`(behavior: Behavior, code: String) async throws {
        let fixture = try await BehaviorsFixture.start()
        #expect(try await fixture.tracked(behavior).eventTypeCode == code)
    }

    @Test func `a code that is not documented is invalid`() {
        #expect(BehaviorCode(text: "17") == .namedEvent)
        for text in ["18", "0", "-17", "017", "seventeen", "", "17.0"] {
            #expect(BehaviorCode(text: text) == nil, "\(text)")
        }
    }

    @Test func `a goal carries its name, a named event its own`() async throws {
        let fixture = try await BehaviorsFixture.start()
        let done = try await fixture.tracked(.goalCompleted("LISTENED TO MVSTERMIND"))
        #expect(done["Goal Name"] == "LISTENED TO MVSTERMIND" && done["Event Name"] == nil)
        let left = try await fixture.tracked(.goalAbandoned("LISTENED TO MVSTERMIND"))
        #expect(left["Goal Name"] == "LISTENED TO MVSTERMIND" && left["Session Duration"] == nil)
        let named = try await fixture.tracked(.named("PLAYER LOADED"))
        #expect(named["Event Name"] == "PLAYER LOADED" && named["Goal Name"] == nil)
    }

    @Test func `an event without a type of its own is a named event`() async throws {
        let fixture = try await BehaviorsFixture.start()
        let event = try await fixture.tracked(.named("GOAL STARTED"))
        #expect(event.eventTypeCode == "17")
        #expect(event["Event Name"] == "GOAL STARTED")
    }

    @Test func `attributes may have any name, and a text with commas is not split`() async throws {
        let fixture = try await BehaviorsFixture.start()
        let id = try await fixture.behaviors.track(
            .named(
                "PLAYER LOADED",
                attributes: [
                    "Event Source View": "HomeViewController", "Event Tags": "MVSTERMIND,Underground",
                    "count": 3, "ratio": 0.5, "whole": 2.0, "is new": true, "nothing": .null,
                    "many": ["a", 1, false], "thing": ["b": 1, "a": "x"], "quote \"ä\u{1}\\": "\"ü\"\n\u{0}/",
                ]))
        await fixture.behaviors.postEventCache()
        let event = try #require(try fixture.posted.first { $0.id == id })
        #expect(event["Event Source View"] == "HomeViewController")
        #expect(event["Event Tags"] == "MVSTERMIND,Underground")
        #expect(event["count"] == "3" && event["ratio"] == "0.5" && event["whole"] == "2")
        #expect(event["is new"] == "true" && event["nothing"]?.isEmpty == true)
        #expect(event["many"] == "a,1,false")
        #expect(event["thing"] == #"{"a":"x","b":1}"#)
        #expect(event["quote \"ä\u{1}\\"] == "\"ü\"\n/")
    }

    @Test func `the app's attributes replace the SDK's, and each is sent once`() async throws {
        let fixture = try await BehaviorsFixture.start()
        try await fixture.behaviors.beginCampaign(["CurrentCampaign": "Spring"])
        let plain = try await fixture.tracked(.named("a", attributes: ["Color": "red"], tags: ["x"]))
        #expect(plain["Campaign Name"] == "Spring" && plain["Event Name"] == "a" && plain["Tags"] == "x")
        #expect(plain["Device Name"] == "Phone")
        let own = try await fixture.tracked(
            .named(
                "a", attributes: ["Campaign Name": "Mine", "Device Name": "Tin can", "Tags": "own"],
                tags: ["x"]))
        for (name, value) in [("Campaign Name", "Mine"), ("Device Name", "Tin can"), ("Tags", "own")] {
            #expect(own.attributes.filter { $0.name == name }.map(\.value) == [value])
        }
        #expect(own["Event Name"] == "a" && own["OS Name"] == "TestOS")
    }

    @Test func `names that differ only in NUL characters are one attribute`() async throws {
        let fixture = try await BehaviorsFixture.start()
        let event = try await fixture.tracked(
            .named("a", attributes: ["Event Name\u{0}": "own", "Color": "red", "Color\u{0}": "blue"]))
        #expect(event.attributes.filter { $0.name == "Event Name" }.map(\.value) == ["own"])
        #expect(event.attributes.filter { $0.name == "Color" }.map(\.value) == ["red"])
    }

    @Test func `tags are joined with commas`() async throws {
        let fixture = try await BehaviorsFixture.start()
        #expect(
            try await fixture.tracked(.named("a", tags: ["one", "two", "three"]))["Tags"] == "one,two,three")
        #expect(try await fixture.tracked(.named("a"))["Tags"] == nil)
    }

    @Test func `the names of automatic attributes are those of the settings`() async throws {
        let fixture = try await BehaviorsFixture.start {
            $0.settings.fields.eventName = "N"
            $0.settings.fields.goalName = "G"
            $0.settings.fields.tags = "T"
            $0.settings.fields.currentCampaign = "K"
            $0.settings.fields.lastCampaign = "L"
            $0.settings.fields.displayedMessage = "M"
            $0.settings.fields.callToAction = "C"
        }
        #expect(try await fixture.tracked(.named("e", tags: ["t"]))["N"] == "e")
        #expect(try await fixture.tracked(.named("e", tags: ["t"]))["T"] == "t")
        #expect(try await fixture.tracked(.goalCompleted("g"))["G"] == "g")
        try await fixture.behaviors.beginCampaign(["CurrentCampaign": "A"])
        #expect(try await fixture.tracked(.named("e"))["K"] == "A")
        #expect(try await fixture.tracked(.named("e"))["Campaign Name"] == nil)
        try await fixture.behaviors.beginCampaign(["CurrentCampaign": "B"])
        #expect(try await fixture.tracked(Behavior(.installed))["L"] == "A")
        let id = try await fixture.behaviors.notificationReceived(.local(body: "Hello", action: "Go"))
        let event = try #require(try await fixture.behaviors.stored().first { $0.id == id }).event
        #expect(event["M"] == "Hello" && event["C"] == "Go")
        #expect(event["Displayed Message"] == nil && event["Call To Action"] == nil)
    }

    @Test func `a preview is what would be sent, and nothing is stored or sent for it`() async throws {
        let fixture = try await BehaviorsFixture.start()
        let preview = try await fixture.behaviors.preview(.named("a", attributes: ["x": "y"]))
        #expect(preview["Event Name"] == "a" && preview["x"] == "y" && preview["App Name"] == "Demo")
        await fixture.behaviors.postEventCache()
        #expect(try await fixture.behaviors.stored().isEmpty)
        #expect(fixture.server.requests(BehaviorsFixture.path).isEmpty)
    }

    @Test func `an event is sent as the documented JSON by POST`() async throws {
        let fixture = try await BehaviorsFixture.start()
        let id = try await fixture.behaviors.track(.named("sampleNamedEvent", attributes: ["k": "v"]))
        let kept = try #require(try await fixture.behaviors.stored().first).event
        await fixture.behaviors.postEventCache()
        let request = try #require(fixture.server.requests(BehaviorsFixture.path).first)
        #expect(request.method == "POST")
        #expect(request.url.absoluteString == "https://behaviors.test/rest/events/submission")
        #expect(request.headers["Content-Type"] == "application/json")
        #expect(request.headers["Authorization"]?.hasPrefix("Bearer ") == true)
        let top = try JSONDecoder().decode([String: JSONValue].self, from: request.body ?? Data())
        guard case .array(let events)? = top["events"], events.count == 1 else {
            Issue.record("a submission is an object with a list of events")
            return
        }
        #expect(events[0]["id"] == .string(id))
        #expect(events[0]["eventTypeCode"] == "17")
        #expect(events[0]["eventTimestamp"] == "2030-01-01T00:00:00.000Z")
        #expect(events[0]["contactId"] == nil)
        #expect(try fixture.posted == [kept])
        // Exactly the members of the event's own serialisation.
        let own = try JSONDecoder().decode(JSONValue.self, from: JSONEncoder().encode(kept))
        #expect(events[0] == own)
        #expect(top.keys.sorted() == ["events"])
        #expect(kept["k"] == "v" && kept["Device Name"] == "Phone" && kept["App Version"] == "2.1")
    }
}
