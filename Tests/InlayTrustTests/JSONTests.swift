import Foundation
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
import Testing

@_spi(Inlay) @testable import InlayTrust

/// Strict parsing and canonical encoding, on which signatures depend.
@Suite struct JSONTests {
    @Test(arguments: [
        (#"{"b":1,"a":[true,false,null]}"#, #"{"a":[true,false,null],"b":1}"#),
        (" { \"a\" :\t-12 , \"\" : \"\" } \r\n", #"{"":"","a":-12}"#),
        (#""\u0041\n\/\"\\\ud83d\ude00é""#, "\"A\n/\\\"\\\\😀é\""),
        (#"{"é":1,"é":2,"z":3}"#, "{\"e\u{301}\":2,\"z\":3,\"\u{e9}\":1}"),
        (#"{"A":1,"a":2,"B":3,"😀":4,"ﬀ":5}"#, #"{"A":1,"B":3,"a":2,"ﬀ":5,"😀":4}"#),
        ("9223372036854775807", "9223372036854775807"), ("[]", "[]"), ("{}", "{}"), ("0", "0"), ("-0", "0"),
    ])
    func `canonical JSON has one spelling for each value`(text: String, canonical: String) throws {
        let precise = text.replacingOccurrences(of: "\"é\":2", with: "\"e\u{301}\":2")
        let value = try TrustJSONParser.parse(Data(precise.utf8))
        #expect(CanonicalJSON.data(value) == Data(canonical.utf8))
    }

    @Test(arguments: [
        "", " ", "{", "[", "[1", "[1,]", "{\"a\":1,}", "{\"a\"}", "{a:1}", "1.0", "1e3", "01", "-", "+1",
        "9223372036854775808", "tru", "nul", "\"", "\"\\x\"", "\"\\u12\"", "\"\\ud800\"", "\"\\udc00\"",
        "\"\\ud800\\u0041\"", "\"\n\"", "1 2", "{\"a\":1,\"a\":2}", "{\"a\":1,\"\\u0061\":2}", "'a'", "NaN",
        "[1]x",
        "\u{feff}{}",
    ])
    func `ambiguous JSON is refused`(text: String) {
        let error = #expect(throws: TrustError.self) { try TrustJSONParser.parse(Data(text.utf8)) }
        #expect(error?.threat == .format)
    }

    @Test(
        arguments: [[0x22, 0xFF, 0x22], [0x22, 0xC0, 0xAF, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22]] as [[UInt8]]
    )
    func `bytes that are no UTF-8 are refused`(bytes: [UInt8]) {
        #expect(throws: TrustError.self) { try TrustJSONParser.parse(Data(bytes)) }
    }

    @Test func `nesting deeper than 64 levels is refused`() throws {
        let deep = { (count: Int) in
            Data((String(repeating: "[", count: count) + String(repeating: "]", count: count)).utf8)
        }
        _ = try TrustJSONParser.parse(deep(64))
        #expect(throws: TrustError.self) { try TrustJSONParser.parse(deep(65)) }
        #expect(throws: TrustError.self) {
            try TrustJSONParser.parse(Data(repeating: 0x5B, count: 1_000_000))
        }
    }

    @Test func `random values survive readable encoding and parsing`() throws {
        var random = SeededRandom(seed: 42)
        for _ in 0..<1_500 {
            let value = Self.value(depth: 0, &random)
            let readable = ReadableJSON.data(value)
            #expect(try TrustJSONParser.parse(readable) == value)
            // Foundation's parser also accepts it as JSON.
            _ = try JSONSerialization.jsonObject(with: readable, options: .fragmentsAllowed)
            let canonical = CanonicalJSON.data(value)
            #expect(CanonicalJSON.data(try TrustJSONParser.parse(readable)) == canonical)
        }
    }

    @Test func `random and damaged bytes never crash the parser`() throws {
        var random = SeededRandom(seed: 1)
        let fixture = try TrustFixture()
        let genuine = Array(fixture.repository.files.values)
        let alphabet = Array("{}[]\",:\\u0123456789eE+-.truefalsn \n\u{0}é".utf8)
        for round in 0..<4_000 {
            var bytes: Data
            if round.isMultiple(of: 2) {
                bytes = Data(
                    (0..<Int.random(in: 0...80, using: &random)).map { _ in
                        alphabet.randomElement(using: &random) ?? 0
                    })
            } else {
                bytes = genuine.randomElement(using: &random) ?? Data()
                for _ in 0...Int.random(in: 0...3, using: &random) {
                    let index = Int.random(in: 0..<bytes.count, using: &random)
                    bytes[index] = alphabet.randomElement(using: &random) ?? 0
                    if Bool.random(using: &random) { bytes = bytes.prefix(index + 1) }
                }
            }
            if let value = try? TrustJSONParser.parse(bytes) {
                let canonical = CanonicalJSON.data(value)
                let again = try TrustJSONParser.parse(ReadableJSON.data(value))
                #expect(again == value && CanonicalJSON.data(again) == canonical)
            }
            _ = try? Signed<RootRole>(bytes: bytes)
            _ = try? Signed<TimestampRole>(bytes: bytes)
            _ = try? Signed<SnapshotRole>(bytes: bytes)
            _ = try? Signed<TargetsRole>(bytes: bytes)
        }
    }

    @Test func `every role is decoded from its own JSON unchanged`() throws {
        var fixture = try TrustFixture(threshold: 2)
        try fixture.delegate("news", scope: .hashPrefixes(["0", "f"]), texts: ["a": "1"])
        try fixture.delegate("sport", scope: .patterns(["s/*"]), isTerminating: true)
        let repository = fixture.repository
        #expect(try RootRole(json: repository.root.content.json) == repository.root.content)
        #expect(try TimestampRole(json: repository.timestamp.content.json) == repository.timestamp.content)
        #expect(try SnapshotRole(json: repository.snapshot.content.json) == repository.snapshot.content)
        #expect(try TargetsRole(json: repository.targets.content.json) == repository.targets.content)
    }

    @Test(arguments: ["2.0.0", "0.9", "1", "1.x", "", "1.0.-"])
    func `other versions of the specification are refused`(version: String) throws {
        let bytes = try TrustFixture().repository.timestamp.bytes
        let other = tampered(bytes, "\"spec_version\":\"1.0.34\"", "\"spec_version\":\"\(version)\"")
        #expect(throws: TrustError.self) { try Signed<TimestampRole>(bytes: other) }
        let minor = tampered(bytes, "\"spec_version\":\"1.0.34\"", "\"spec_version\":\"1.9.0\"")
        _ = try Signed<TimestampRole>(bytes: minor)
    }

    private static func value(depth: Int, _ random: inout SeededRandom) -> TrustJSON {
        switch Int.random(in: 0..<(depth < 4 ? 7 : 5), using: &random) {
        case 0: return .null
        case 1: return .bool(.random(using: &random))
        case 2: return .integer(.random(in: .min ... .max, using: &random))
        case 3, 4: return .string(text(&random))
        case 5:
            return .array(
                (0..<Int.random(in: 0..<5, using: &random)).map { _ in value(depth: depth + 1, &random) })
        default:
            return .members(
                (0..<Int.random(in: 0..<5, using: &random)).map { _ in
                    .init(text(&random), value(depth: depth + 1, &random))
                })
        }
    }

    private static func text(_ random: inout SeededRandom) -> String {
        let pool: [Unicode.Scalar] = [
            "a", "é", "e", "\u{301}", "\"", "\\", "\u{0}", "\u{1f}", "\n", "/", "😀", "\u{7f}",
        ]
        var text = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0..<6, using: &random) {
            text.append(pool.randomElement(using: &random) ?? "a")
        }
        return String(text)
    }
}
