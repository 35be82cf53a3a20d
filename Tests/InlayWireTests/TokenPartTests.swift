import Foundation
@_spi(Inlay) import InlayWire
import Testing

/// The claims of a token, as the SDK and the server both read them.
@Suite struct TokenPartTests {
    private func part(_ json: String) throws -> TokenPart {
        let text = Data(json.utf8).base64EncodedString().replacing("=", with: "").replacing("+", with: "-")
        return try #require(TokenPart(base64URL: text.replacing("/", with: "_")))
    }

    @Test(arguments: [
        (#""maya""#, "maya"), ("4711", "4711"), ("4711.0", "4711"), ("1e3", "1000"), ("-5", "-5"), ("0", "0"),
        ("9007199254740993", "9007199254740993"), ("9223372036854775807", "9223372036854775807"),
        (#""4711""#, "4711"), (#""007""#, "007"), (#"" maya ""#, " maya "), (#""👩‍👩‍👧‍👦""#, "👩‍👩‍👧‍👦"),
    ])
    func `a user's id is a string, or the digits of a whole number`(_ value: String, _ id: String) throws {
        #expect(try part(#"{"sub":\#(value)}"#).userID("sub") == id)
        #expect(try part(#"{"customer":\#(value)}"#).userID("customer") == id)
    }

    @Test(arguments: [
        "9223372036854775808", "12345678901234567890", "4711.5", "true", "false", "null", #""""#, "[4711]",
        #"{"id":4711}"#, #""a\u0000b""#, #""a\nb""#, #""a\u0085b""#, #""account:1""#,
        "\"" + String(repeating: "x", count: 129) + "\"", "\"" + String(repeating: "👩‍👩‍👧‍👦", count: 21) + "\"",
    ])
    func `any other value is no user's id`(_ value: String) throws {
        #expect(try part(#"{"sub":\#(value)}"#).userID("sub") == nil)
        #expect(try part("{}").userID("sub") == nil)
    }

    @Test func `an id has at most 128 characters and 512 bytes`() {
        #expect(
            IDRule.admits(String(repeating: "é", count: 128))
                && IDRule.admits(String(repeating: "👩", count: 128)))
        #expect(!IDRule.admits(String(repeating: "é", count: 129)) && !IDRule.admits(""))
        #expect(!IDRule.admits("a" + String(repeating: "\u{301}", count: 256)))
    }

    @Test func `a time is a number of seconds, and any other type is an error`() throws {
        #expect(try part(#"{"exp":1800000000}"#).moment("exp") == Timestamp(seconds: 1_800_000_000))
        #expect(try part(#"{"exp":1800000000.5}"#).moment("exp") == Timestamp(seconds: 1_800_000_000.5))
        #expect(try part(#"{"exp":1e300}"#).moment("exp") == Timestamp(microseconds: .max))
        #expect(try part(#"{"exp":null}"#).moment("exp") == nil)
        #expect(try part("{}").moment("exp") == nil)
        for value in [#""1800000000""#, "true", "[1]", #""soon""#] {
            #expect(throws: TokenPart.UnreadableMoment.self) {
                try part(#"{"nbf":\#(value)}"#).moment("nbf")
            }
        }
    }

    @Test func `an audience is a string or an array of strings`() throws {
        #expect(try part(#"{"aud":"inlay"}"#).isMeant(for: "inlay"))
        #expect(try part(#"{"aud":["other","inlay"]}"#).isMeant(for: "inlay"))
        for value in [#""other""#, "1", #"[["inlay"]]"#, "null"] {
            #expect(try !part(#"{"aud":\#(value)}"#).isMeant(for: "inlay"))
        }
    }

    @Test(arguments: ["", "e", "e30=", "W10", "eyJhIjoxfQ==", "e3+", "e3/", "e30 ", "ä"])
    func `a part is a JSON object in base64url without padding`(_ text: String) {
        #expect(TokenPart(base64URL: text) == nil)
        #expect(TokenPart(base64URL: "e30") != nil)
    }
}
