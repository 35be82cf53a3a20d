import Foundation
@_spi(Inlay) import InlayWire
import Testing

@testable import InlayOpenRTB

/// Tests that the fast reader accepts and refuses the same requests as Foundation's decoder.
@Suite struct AdRequestReaderTests {
    static let full = """
        {"ifa":"6D92078A-8246-4BA4-AE5B-76104861E7DC","pubID":"p","unitID":"u","bundle":"com.example.demo",
         "userAgent":"Mozilla/5.0 \\"x\\" \\u00e9","appName":"Demo shop",
         "geo":{"latitude":55.75,"longitude":-37.62,"precision":25},
         "ext":{"consent":{"gdprApplies":true,"tcf":"CO","gpp":"DB","gppSids":[2,6],"coppa":false,"lmt":true,"att":3},
         "format":"rewarded","size":{"width":320,"height":50.5},"sdkVersion":"0.1.0","storeID":"42"}}
        """

    static let texts = [
        full, "{}", "[]", "null", "1", "", "{\"pubID\":\"p\"}", "{\"pubID\":\"p\",\"unitID\":\"u\"}",
        "{\"pubID\":\"p\",\"unitID\":\"u\",\"geo\":null,\"ifa\":null,\"new\":[1,{}]}",
        "{\"pubID\":\"p\",\"unitID\":null}", "{\"pubID\":1,\"unitID\":\"u\"}",
        "{\"pubID\":\"p\",\"unitID\":\"u\",\"ifa\":5}", "{\"pubID\":\"p\",\"unitID\":\"u\",\"appName\":{}}",
        "{\"pubID\":\"p\",\"unitID\":\"u\",\"geo\":{}}",
        "{\"pubID\":\"p\",\"unitID\":\"u\",\"geo\":{\"latitude\":1,\"longitude\":2}}",
        "{\"pubID\":\"p\",\"unitID\":\"u\",\"geo\":{\"latitude\":\"1\",\"longitude\":2,\"precision\":3}}",
        "{\"pubID\":\"p\",\"unitID\":\"u\",\"geo\":{\"latitude\":true,\"longitude\":2,\"precision\":3}}",
        "{\"pubID\":\"p\",\"unitID\":\"u\",\"geo\":[]}", "{\"pubID\":\"p\",\"unitID\":\"u\",\"geo\":\"x\"}",
        "{\"pubID\":\"p\",\"unitID\":\"u\",\"geo\":{\"latitude\":1e1,\"longitude\":-2.5e-1,\"precision\":0}}",
        "{\"pubID\":\"p\",\"unitID\":\"u\",\"ext\":5}", "{\"pubID\":\"p\",\"unitID\":\"u\",\"ext\":{}}",
        "{\"pubID\":\"p\",\"unitID\":\"u\",\"ext\":null}",
        "{\"pubID\":\"p\",\"unitID\":\"u\",\"ext\":{\"consent\":7,\"format\":\"x\",\"size\":{\"width\":1}}}",
        "{\"pubID\":\"p\",\"unitID\":\"u\",\"ext\":{\"consent\":{\"gppSids\":[1,\"x\"],\"lmt\":1,\"att\":true,\"tcf\":\"t\"}}}",
        "{\"pubID\":\"p\",\"unitID\":\"u\",\"ext\":{\"consent\":{\"att\":1.5,\"gppSids\":[],\"coppa\":true}}}",
        "{\"pubID\":\"p\",\"unitID\":\"u\",\"ext\":{\"consent\":null}}",
        "{\"pubID\":\"p\",\"unitID\":\"u\",\"ext\":{\"consent\":[\"DBAA\"],\"storeID\":\"7\"}}",
        "{\"pubID\":\"p\",\"unitID\":\"u\",\"ext\":{\"consent\":{\"gdprApplies\":1,\"gpp\":[],\"gppSids\":[null]}}}",
        "{\"pubID\":\"p\",\"unitID\":\"u\"} x",
        "{\"pubID\":\"p\" \"unitID\":\"u\"}",
        "{\"pubID\":\"p\\ud83d\\ude00\",\"unitID\":\"\\u0075\"}", "{\"pubID\":\"p\",\"unitID\":\"a\u{1}b\"}",
    ]

    @Test(arguments: texts) func `the reader accepts and refuses the same texts as Foundation's decoder`(
        _ text: String
    ) {
        let theirs = try? JSONDecoder().decode(AdRequest.self, from: Data(text.utf8))
        let ours = try? AdRequestReader.read(Array(text.utf8))
        #expect(ours == theirs)
    }

    @Test func `invalid UTF-8 is refused by both decoders, but within ext it does not refuse the request`()
        throws
    {
        for (field, isRefused) in [
            ("\"bundle\":\"", true), ("\"ext\":{\"format\":\"banner\",\"storeID\":\"", false),
        ] {
            let start = Array("{\"pubID\":\"p\",\"unitID\":\"u\",\(field)a".utf8)
            let bytes = start + [0xC3, 0x28] + Array((isRefused ? "\"}" : "\"}}").utf8)
            let theirs = try? JSONDecoder().decode(AdRequest.self, from: Data(bytes))
            let ours = try? AdRequestReader.read(bytes)
            #expect(ours == theirs && (ours == nil) == isRefused)
            #expect(ours?.ext?.storeID == nil)
        }
    }

    @Test func `what the SDK writes is read`() throws {
        let bytes = Array(try JSONEncoder().encode(OpenRTBSamples.adRequest))
        #expect(try AdRequestReader.read(bytes) == OpenRTBSamples.adRequest)
    }

    @Test func `a trailing comma is refused, although Foundation's decoder accepts it`() {
        #expect(throws: OpenRTB.Fault.self) {
            try AdRequestReader.read(Array("{\"pubID\":\"p\",\"unitID\":\"u\",}".utf8))
        }
    }

    @Test func `a refusal names the field`() {
        for (text, path) in [
            ("{\"unitID\":\"u\"}", "pubID"), ("{\"pubID\":\"p\"}", "unitID"),
            ("{\"pubID\":\"p\",\"unitID\":\"u\",\"ifa\":5}", "ifa"),
            ("{\"pubID\":\"p\",\"unitID\":\"u\",\"geo\":{\"latitude\":\"1\"}}", "geo.latitude"),
            ("{\"pubID\":\"p\",\"unitID\":\"u\",\"geo\":{}}", "geo.latitude"), ("[]", ""),
        ] {
            do {
                _ = try AdRequestReader.read(Array(text.utf8))
                #expect(Bool(false), "\(text)")
            } catch { #expect(error.path == path, "\(error)") }
        }
    }

    @Test func `a body over the limit is refused unread`() {
        let bytes = [UInt8](repeating: UInt8(ascii: " "), count: AdLimits.maximumRequestBytes + 1)
        do {
            _ = try AdRequestReader.read(bytes)
            #expect(Bool(false))
        } catch { #expect(error.reason == .tooLarge) }
    }
}
