import Foundation
@_spi(Inlay) import InlayWire
import Testing

/// The encoding and decoding of the documented ad response.
@Suite struct AdResponseTests {
    private static func text(_ type: String, _ more: String = "") -> String {
        #"{"type":\#(type),"adm":"<b>x</b>","tracker":{"view":"v","click":"c"}\#(more)}"#
    }

    @Test(arguments: [(1, AdType.banner), (2, .video), (3, .rewarded)])
    func `the three types are read as integers`(number: Int, type: AdType) throws {
        let response = try WireJSON.read(AdResponse.self, Self.text("\(number)"))
        #expect(response.type == type && response.type.rawValue == number)
        #expect(response.type.isVideo == (number != 1))
    }

    @Test(arguments: ["0", "4", "-1", "1.5", #""1""#, "null", "true"])
    func `a response of any other type is refused`(type: String) {
        #expect(throws: (any Error).self) { try WireJSON.read(AdResponse.self, Self.text(type)) }
    }

    @Test func `the documented answer is written with its keys and nothing else`() throws {
        let answer = AdResponse(
            type: .banner, adm: "<b>x</b>", closeTimeout: 2000, width: 300, height: 250,
            tracker: AdTrackers(view: "https://v", click: "https://c"))
        #expect(
            try WireJSON.text(answer)
                == #"{"adm":"<b>x</b>","closeTimeout":2000,"height":250,"tracker":{"click":"https://c","view":"https://v"},"type":1,"width":300}"#
        )
        #expect(try WireJSON.roundTrip(answer) == answer)
    }

    @Test func `invalid numbers become zero, and too large ones become the maximum`() throws {
        let answer = try WireJSON.read(
            AdResponse.self,
            Self.text("1", #","closeTimeout":-5,"width":"wide","height":1e300"#))
        #expect(answer.closeTimeout == 0 && answer.width == 0 && answer.height == 100_000)
        #expect(answer.size.isAdaptive)
        let late = try WireJSON.read(AdResponse.self, Self.text("1", #","closeTimeout":1e18"#))
        #expect(late.closeTimeout == 86_400_000)
    }

    @Test(arguments: [(0, 250), (300, 0), (0, 0)])
    func `one zero makes a size adaptive`(width: Double, height: Double) {
        #expect(AdSize(width: width, height: height).isAdaptive)
        #expect(!AdSize(width: 300, height: 250).isAdaptive)
    }

    @Test func `every tracker of the set is kept, whatever its event is called`() throws {
        let answer = try WireJSON.read(
            AdResponse.self,
            #"{"type":1,"adm":"x","tracker":{"view":"v","click":"c","close":"z","odd":[1]}}"#)
        #expect(answer.tracker == AdTrackers(view: "v", click: "c", others: ["close": "z"]))
    }

    @Test func `the extension of Inlay's route is decoded unchanged, and unreadable parts are ignored`()
        throws
    {
        let ext = AdResponseExtension(
            impressionID: "i", expiresIn: 300, format: .rewarded, refresh: 30, lockLimit: 15_000, mraid: true,
            frames: true, reward: AdReward(amount: 5, currency: "coins"),
            events: ["start": "s", "error": "e"])
        let answer = AdResponse(type: .rewarded, adm: "x", tracker: AdTrackers(), ext: ext)
        #expect(try WireJSON.roundTrip(answer) == answer)
        let odd = try WireJSON.read(
            AdResponse.self,
            Self.text("2", #","ext":{"expiresIn":"soon","reward":{},"mraid":true,"frames":"https:","new":1}"#)
        )
        #expect(odd.ext == AdResponseExtension(mraid: true))
    }
}
