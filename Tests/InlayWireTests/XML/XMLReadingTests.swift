import Foundation
@_spi(Inlay) import InlayWire
import Testing

@Suite struct XMLReadingTests {
    @Test func `a document becomes a tree without its layout`() throws {
        let tree = try XMLTree(
            reading: """

                <?xml version="1.0" encoding="utf-8"?>
                <!-- a comment -->
                <Envelope a="1&amp;2">
                  <Body> kept <![CDATA[<b> & ]]></Body>
                  <Empty/>
                </Envelope>
                """)
        #expect(
            tree
                == XMLTree(
                    "Envelope", attributes: ["a": "1&2"],
                    [
                        XMLTree("Body", nodes: [.text(" kept "), .cdata("<b> & ")]), XMLTree("Empty"),
                    ]))
        #expect(tree.value("body") == " kept <b> & ")
    }

    @Test func `repeated elements are kept in order and found in any case`() throws {
        let tree = try XMLTree(reading: "<R><Column>1</Column><COLUMN>2</COLUMN><x:column>3</x:column></R>")
        #expect(tree.children(named: "column").map(\.text) == ["1", "2", "3"])
        #expect(tree.child("COLUMN")?.text == "2")
        #expect(tree.child("column")?.text == "1")
        #expect(tree.child("nothing") == nil)
    }

    @Test func `a short path looks through the containers and nowhere else`() throws {
        let tree = try XMLTree(
            reading: """
                <Envelope><Body><RESULT><SUCCESS>TRUE</SUCCESS><COLUMNS><COLUMN><NAME>n</NAME></COLUMN>
                </COLUMNS></RESULT></Body></Envelope>
                """)
        let containers = ["Envelope", "Body", "RESULT"]
        for path in [
            "SUCCESS", "success", "RESULT.SUCCESS", "Body.RESULT.SUCCESS", "Envelope.Body.Result.Success",
        ] {
            #expect(tree.first(path, through: containers)?.text == "TRUE", "\(path)")
        }
        #expect(tree.first("RESULT.COLUMNS.COLUMN.NAME", through: containers)?.text == "n")
        #expect(tree.first("NAME", through: containers) == nil)
        #expect(tree.first("", through: containers) == nil)
        #expect(tree.first("SUCCESS") == nil)
    }

    @Test(
        arguments: [
            ("<!DOCTYPE a [<!ENTITY x 'y'>]><a b='&x;'/>", XMLError.Kind.documentType),
            ("<a/>\n<!DOCTYPE a>", .documentType),
            ("<a><?php x?></a>", .processingInstruction),
            ("<?other?><a/>", .processingInstruction),
            ("<a>&x;</a>", .entity("x")),
            ("<a b='&x;'/>", .entity("x")),
            ("<a>A & B</a>", .entity("")),
            ("<?xml version='1.0' encoding='ISO-8859-1'?><a/>", .encoding("ISO-8859-1")),
            ("", .empty), (" \n ", .empty), ("text", .malformed("text outside of the root")),
            ("<a>\u{1}</a>", .character(1)),
            ("<a><![CDATA[\u{0}]]></a>", .character(0)),
        ])
    func `what may hurt is refused before parsing`(_ text: String, _ kind: XMLError.Kind) {
        #expect(throws: XMLError.self) { try XMLTree(reading: text) }
        do { _ = try XMLTree(reading: text) } catch {
            // A NUL in the first bytes is taken for another encoding.
            #expect(error.kind == kind, "\(error)")
        }
    }

    @Test(arguments: [
        "<a>", "<a></b>", "<a", "</a>", "<a b=1/>", "<a/><b/>", "<a/>text", "<a><!-- </a>",
        "<a b='1' b='2'/>",
        "<a>]]></a>", "<1/>", "<a>&#0;</a>",
    ])
    func `what is not well-formed is an error with a line`(_ text: String) {
        do {
            let tree = try XMLTree(reading: "\n<!-- -->\n" + text)
            // The parser takes this one, harmlessly.
            #expect(text == "<a>]]></a>", "\(tree)")
        } catch {
            #expect(error.line ?? 0 >= 1, "\(error)")
        }
    }

    @Test func `one hundred thousand nested elements are refused at once`() {
        let text = String(repeating: "<a>", count: 100_000) + String(repeating: "</a>", count: 100_000)
        do {
            _ = try XMLTree(reading: text, limits: XMLLimits(bytes: 10 << 20, elements: 1_000_000))
            Issue.record("read")
        } catch {
            #expect(error == XMLError(.tooMuch("elements inside of each other"), line: 1))
        }
    }

    @Test func `each limit refuses what is one over it and reads what is not`() throws {
        let limits = XMLLimits(bytes: 200, depth: 3, elements: 5, attributes: 2, tagBytes: 40, textBytes: 10)
        for good in [
            "<a><b><c/></b></a>", "<a><b/><b/><b/><b/></a>", "<a x='1' y='2'/>", "<a>0123456789</a>",
        ] {
            #expect(throws: Never.self, "\(good)") { try XMLTree(reading: good, limits: limits) }
        }
        for bad in [
            "<a><b><c><d/></c></b></a>", "<a><b/><b/><b/><b/><b/></a>", "<a x='1' y='2' z='3'/>",
            "<a>0123456789!</a>", "<a x='" + String(repeating: "x", count: 40) + "'/>",
            "<a>" + String(repeating: "<!-- -->", count: 25) + "</a>",
        ] {
            do {
                _ = try XMLTree(reading: bad, limits: limits)
                Issue.record("read \(bad)")
            } catch {
                if case .tooMuch = error.kind { continue }
                Issue.record("\(error)")
            }
        }
    }

    @Test func `UTF-16 is refused though the parser would read it`() throws {
        for encoding in [String.Encoding.utf16, .utf16LittleEndian, .utf16BigEndian, .utf32] {
            let data = try #require("<!DOCTYPE a><a/>".data(using: encoding))
            do {
                _ = try XMLTree(reading: data)
                Issue.record("read \(encoding)")
            } catch {
                if case .encoding = error.kind { continue }
                Issue.record("\(error)")
            }
        }
        #expect(throws: XMLError.self) { try XMLTree(reading: Data([0x3C, 0x61, 0x3E, 0xC3, 0x28])) }
        #expect(try XMLTree(reading: Data([0xEF, 0xBB, 0xBF]) + Data("<a/>".utf8)).name == "a")
    }

    @Test func `the error tells the line`() {
        do {
            _ = try XMLTree(reading: "<a>\n<b>\n&nope;</b></a>")
            Issue.record("read")
        } catch {
            #expect(error.description == "line 3: the entity &nope; is unknown; & itself is written &amp;")
        }
    }
}
