import Foundation
@_spi(Inlay) import InlayWire
import Testing

/// The encoding and decoding of the documented ad request.
@Suite struct AdRequestTests {
    private static let bare = AdRequest(
        pubID: "p", unitID: "u", bundle: "com.example.demo", userAgent: "UA-1", appName: "Demo shop")

    @Test func `a request without known values has the seven keys, an empty ifa and a null geo`() throws {
        let text = try WireJSON.text(Self.bare)
        #expect(
            text
                == #"{"appName":"Demo shop","bundle":"com.example.demo","geo":null,"ifa":"","pubID":"p","unitID":"u","userAgent":"UA-1"}"#
        )
    }

    @Test func `a location is encoded as three numbers`() throws {
        var request = Self.bare
        request.geo = AdGeo(latitude: 55.75, longitude: 37.62, precision: 25)
        #expect(
            try WireJSON.text(request).contains(
                #""geo":{"latitude":55.75,"longitude":37.62,"precision":25}"#))
    }

    @Test func `ext with consent, hints and version is decoded unchanged`() throws {
        var request = Self.bare
        request.ext = AdRequestExtension(
            consent: AdConsent(
                gdprApplies: true, tcf: "CPX", gpp: "DBAA", gppSids: [2, 6], coppa: false, lmt: true, att: 3),
            format: .rewarded, size: AdSize(width: 320, height: 50), sdkVersion: "1", storeID: "123")
        #expect(try WireJSON.roundTrip(request) == request)
    }

    @Test func `unknown keys and unreadable parts of ext are ignored`() throws {
        let request = try WireJSON.read(
            AdRequest.self,
            """
            {"pubID":"p","unitID":"u","new":[1],"ifa":null,"ext":{"format":"hologram","size":"large",
            "sdkVersion":"2","consent":{"tcf":7,"gpp":"DBAA","gppSids":"2","more":{}}}}
            """)
        #expect(request.ifa == "" && request.geo == nil && request.bundle == "")
        #expect(request.ext?.format == nil && request.ext?.size == nil && request.ext?.sdkVersion == "2")
        #expect(request.ext?.consent?.gpp == "DBAA" && request.ext?.consent?.tcf == nil)
    }

    @Test(arguments: [
        "7", "[]", #""DBAA""#, #"{"tcf":7}"#, #"{"gpp":["DBAA"]}"#, #"{"gppSids":"2"}"#,
        #"{"gppSids":[7,"x"]}"#,
        #"{"gppSids":[null]}"#, #"{"gdprApplies":1}"#, #"{"coppa":"yes"}"#, #"{"lmt":1}"#, #"{"att":true}"#,
    ])
    func `consent of another type is noted as unreadable`(consent: String) throws {
        let text = #"{"pubID":"p","unitID":"u","ext":{"consent":\#(consent),"sdkVersion":"2"}}"#
        let request = try WireJSON.read(AdRequest.self, text)
        #expect(request.ext?.consent?.isUnreadable == true && request.ext?.sdkVersion == "2")
        // The flag is never encoded.
        let sent = try WireJSON.text(try #require(request.ext?.consent))
        #expect(!sent.contains("isUnreadable"))
    }

    @Test(arguments: [
        "{}", "null", #"{"tcf":null,"gppSids":[],"att":3,"new":7}"#,
        #"{"gdprApplies":false,"tcf":"x","gppSids":[-1]}"#,
    ])
    func `consent that is empty, null or of a newer version is readable`(consent: String)
        throws
    {
        let text = #"{"pubID":"p","unitID":"u","ext":{"consent":\#(consent)}}"#
        let request = try WireJSON.read(AdRequest.self, text)
        #expect(request.ext?.consent?.isUnreadable != true)
    }

    @Test(arguments: [
        #"{"unitID":"u"}"#, #"{"pubID":"p"}"#, #"{"pubID":7,"unitID":"u"}"#,
        #"{"pubID":"p","unitID":"u","geo":"home"}"#, #"{"pubID":"p","unitID":"u","ifa":1}"#, "[]", "",
    ])
    func `a request without its ids, or with a value of the wrong type, is refused`(text: String) {
        #expect(throws: (any Error).self) { try WireJSON.read(AdRequest.self, text) }
    }

    @Test func `a location is plausible only with coordinates on Earth and a precision`() {
        #expect(AdGeo(latitude: -90, longitude: 180, precision: 0).isPlausible)
        for geo in [
            AdGeo(latitude: 90.1, longitude: 0, precision: 1),
            AdGeo(latitude: 0, longitude: -181, precision: 1),
            AdGeo(latitude: 0, longitude: 0, precision: -1),
            AdGeo(latitude: .nan, longitude: 0, precision: 1),
            AdGeo(latitude: 0, longitude: 0, precision: .infinity),
        ] {
            #expect(!geo.isPlausible)
        }
    }
}
