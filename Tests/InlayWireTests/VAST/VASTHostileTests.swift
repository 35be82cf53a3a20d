import Foundation
import InlayTesting
@_spi(Inlay) import InlayWire
import Testing

/// Malicious and malformed VAST documents.
@Suite struct VASTHostileTests {
    private static let laughs =
        "<?xml version=\"1.0\"?><!DOCTYPE l [<!ENTITY a \"ha\">"
        + (0..<9).map { "<!ENTITY b\($0) \"&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;\">" }.joined()
        + "]><VAST version=\"4.2\"><Error>&b8;</Error></VAST>"

    private static let attributes =
        "<!DOCTYPE v [<!ENTITY a \"\(String(repeating: "x", count: 100_000))\">]><VAST version=\"4.2\">"
        + String(repeating: "<q q=\"&a;&a;&a;&a;&a;&a;&a;&a;\"/>", count: 1000) + "</VAST>"

    @Test func `a document's own entities are never expanded, in text or in attributes`() throws {
        for text in [Self.laughs, Self.attributes] {
            let error = #expect(throws: VASTError.self) { try VASTDocument(reading: text) }
            #expect(error?.code == .unreadable)
            // The document is refused where it declares its entities, before the text that uses them is read.
            #expect(error?.detail.contains("document type") == true)
        }
    }

    @Test func `a document type in UTF-16 or UTF-32 is refused`() throws {
        let text = "<!DOCTYPE v [<!ENTITY a \"x\">]><VAST version=\"4.2\"/>"
        for encoding in [String.Encoding.utf16, .utf16LittleEndian, .utf16BigEndian, .utf32] {
            #expect(code(try #require(text.data(using: encoding))) == .unreadable)
        }
        let named = "<?xml version=\"1.0\" encoding=\"UTF-16\"?>\(text)"
        #expect(code(Data(named.utf8)) == .unreadable)
    }

    @Test func `100,000 elements inside of each other are refused`() {
        let text = "<VAST version=\"4.2\">" + String(repeating: "<a>", count: 100_000)
        #expect(code(Data(text.utf8)) == .unreadable)
        let deep = String(repeating: "<a>", count: 32) + String(repeating: "</a>", count: 32)
        #expect(code(Data("<VAST version=\"4.2\">\(deep)</VAST>".utf8)) == .unreadable)
    }

    @Test func `more bytes, elements or attribute bytes than the limits are refused`() {
        let many = "<VAST version=\"4.2\">" + String(repeating: "<a/>", count: 10_000) + "</VAST>"
        #expect(code(Data(many.utf8)) == .unreadable)
        let large = VASTSamples.document(head: "<!--" + String(repeating: " ", count: 256 << 10) + "-->")
        #expect(code(Data(large.utf8)) == .unreadable)
        let wide = "<VAST version=\"4.2\"><a b=\"\(String(repeating: "x", count: 9000))\"/></VAST>"
        #expect(code(Data(wide.utf8)) == .unreadable)
    }

    @Test func `nothing at all is an error`() {
        for data in [Data(), Data(" \n\t ".utf8), Data([0]), Data([0xFF, 0xFE]), Data([0xEF, 0xBB, 0xBF])] {
            #expect(code(data) == .unreadable)
        }
    }

    @Test func `white space and a byte order mark in front do no harm`() throws {
        for start in ["  \n\t", "\u{FEFF}", "\u{FEFF} \n"] {
            let text = start + "<?xml version=\"1.0\"?>" + VASTSamples.document(VASTSamples.ad())
            #expect(try VASTDocument(reading: text).ads.count == 1)
        }
    }

    @Test func `a bare ampersand is read as itself, a written one too`() throws {
        let text = VASTSamples.document(
            VASTSamples.ad(
                head: """
                    <Impression>https://i.test/?a=1&b=2&copy=3&amp;d=4&#38;e=5&lt=6&unknown;</Impression>
                    <!-- & in a comment --><Impression><![CDATA[https://i.test/?a=1&b=2]]></Impression>
                    """))
        #expect(
            try VASTDocument(reading: text).ads.first?.impressions.map(\.address) == [
                "https://i.test/a", "https://i.test/?a=1&b=2&copy=3&d=4&e=5&lt=6&unknown;",
                "https://i.test/?a=1&b=2",
            ])
    }

    @Test func `broken XML is error 100`() {
        for text in [
            "<VAST version=\"4.2\">", "<VAST version=\"4.2\"><Ad></VAST>", "not XML", "{}",
            "<VAST version=\"4.2\"/><VAST version=\"4.2\"/>", "<VAST version=4.2/>",
            "<?php?><VAST version=\"4.2\"/>",
        ] { #expect(code(Data(text.utf8)) == .unreadable, "\(text)") }
    }

    @Test(arguments: 0..<8)
    func `a randomly changed document is refused, or all kept addresses and ads are valid`(
        _ seed: UInt64
    ) {
        var random = SeededRandom(seed: seed)
        let pieces = [
            "<", ">", "&", "]]>", "<![CDATA[", "<!DOCTYPE a>", "\"", "<Ad>", "</Ad>", "https://", "http://x",
            "\u{0}", "%", "[ERRORCODE]", "<Linear>", "é", "-", "9999999999999999999", "<?x?>", "<!--",
        ].map { Array($0.utf8) }
        let source = Array(VASTSamples.full.utf8)
        let limits = VASTLimits()
        for _ in 0..<150 {
            var bytes = source
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                let offset = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes[offset] = UInt8.random(in: .min ... .max, using: &random)
                case 1:
                    let end = min(offset + Int.random(in: 1...80, using: &random), bytes.count)
                    bytes.removeSubrange(offset..<end)
                case 2: bytes.insert(contentsOf: pieces.randomElement(using: &random) ?? [], at: offset)
                default:
                    let end = min(offset + Int.random(in: 1...400, using: &random), bytes.count)
                    bytes.insert(contentsOf: Array(bytes[offset..<end]), at: offset)
                }
            }
            guard let document = try? VASTDocument(reading: Data(bytes)) else { continue }
            for ad in document.ads {
                let addresses =
                    ad.impressions.map(\.address) + ad.errors
                    + (ad.linear?.mediaFiles.map(\.address) ?? [])
                    + (ad.linear?.tracking.map(\.address) ?? [])
                // A kept address does not change when it is read again.
                for address in addresses {
                    #expect((try? limits.secured(WebAddress(address)))?.text == address)
                }
                #expect(ad.wrapper != nil || !ad.creatives.isEmpty)
                #expect(ad.linear.map { $0.duration != nil && !$0.mediaFiles.isEmpty } ?? true)
            }
        }
    }

    private func code(_ data: Data) -> VASTErrorCode? {
        do {
            _ = try VASTDocument(reading: data)
            return nil
        } catch { return error.code }
    }
}
