import Foundation
@_spi(Inlay) import InlayWire
import Testing

@Suite struct XMLReadingTests {
    @Test func `a document is parsed without the white space between elements`() throws {
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

    @Test func `a short path skips only the containers`() throws {
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
            ("<?xml-stylesheets href='a'?><a/>", .processingInstruction),
            ("<a><?xml-stylesheet href='a'?></a>", .processingInstruction),
            ("<a/><?xml-stylesheet href='a'?>", .processingInstruction),
            ("<?xml-stylesheet <a/>", .malformed("a comment, CDATA section or instruction has no end")),
            ("<?xml-stylesheet \u{1}?><a/>", .character(1)),
            ("<a>&x;</a>", .entity("x")),
            ("<a b='&x;'/>", .entity("x")),
            ("<a>A & B</a>", .entity("")),
            ("<?xml version='1.0' encoding='ISO-8859-1'?><a/>", .encoding("ISO-8859-1")),
            ("<?xml version='1.0' encoding='windows-1252'?><a/>", .encoding("windows-1252")),
            ("<?xml version='1.0' encoding='utf-7'?><a/>", .encoding("utf-7")),
            ("<?xml version='1.0' encoding=''?><a/>", .encoding("")),
            ("", .empty), (" \n ", .empty), ("text", .malformed("text outside of the root")),
            ("<a>\u{1}</a>", .character(1)),
            ("<a><![CDATA[\u{0}]]></a>", .character(0)),
        ])
    func `dangerous documents are refused before parsing`(_ text: String, _ kind: XMLError.Kind) {
        #expect(throws: XMLError.self) { try XMLTree(reading: text) }
        do { _ = try XMLTree(reading: text) } catch {
            // The NUL comes after the first four bytes, in which it would be taken for another encoding.
            #expect(error.kind == kind, "\(error)")
        }
    }

    @Test(arguments: [
        "<a>", "<a></b>", "<a", "</a>", "<a b=1/>", "<a/><b/>", "<a/>text", "<a><!-- </a>",
        "<a b='1' b='2'/>",
        "<a>]]></a>", "<1/>", "<a>&#0;</a>",
    ])
    func `malformed XML is an error with a line`(_ text: String) {
        let error = #expect(throws: XMLError.self) { try XMLTree(reading: "<!-- -->\n\n" + text) }
        #expect(error?.line == 3)
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

    @Test func `each limit refuses one over it and accepts its maximum`() throws {
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

    @Test(arguments: [
        "utf-8", "UTF-8", "utf8", "UTF8", "us-ascii", "US-ASCII", "ascii", "ANSI_X3.4-1968", "utf-16",
        "UTF-16LE",
    ])
    func `a declaration may use any name of a supported encoding`(_ name: String) throws {
        let text = "<?xml version=\"1.0\" encoding=\"\(name)\"?><a>ø</a>"
        #expect(try XMLTree(reading: text).text == "ø")
        #expect(try XMLTree(reading: TextFileTests.utf16(text)).text == "ø")
    }

    @Test func `UTF-16 with a mark is read, in both orders, by the same rules`() throws {
        for isBigEndian in [true, false] {
            let text = "<?xml version='1.0' encoding='utf-16'?>\n<a b='&amp;'>Åland 🚢<![CDATA[<]]></a>"
            let tree = try XMLTree(reading: TextFileTests.utf16(text, isBigEndian: isBigEndian))
            #expect(tree.attributes == ["b": "&"] && tree.text == "Åland 🚢<")
            for (text, kind) in [
                ("<!DOCTYPE a [<!ENTITY x 'y'>]><a>&x;</a>", XMLError.Kind.documentType),
                ("<?php x?><a/>", .processingInstruction),
                ("<?xml version='1.0' encoding='ISO-8859-1'?><a/>", .encoding("ISO-8859-1")),
            ] {
                let document = TextFileTests.utf16(text, isBigEndian: isBigEndian)
                let error = #expect(throws: XMLError.self) { try XMLTree(reading: document) }
                #expect(error?.kind == kind)
            }
        }
    }

    @Test func `limits count the bytes before and after they are decoded`() throws {
        // Three bytes of UTF-8 for two of UTF-16.
        let document = TextFileTests.utf16("<a>" + String(repeating: "語", count: 100) + "</a>")
        #expect(document.count < 300)
        #expect(throws: XMLError(.tooMuch("307 bytes"))) {
            try XMLTree(reading: document, limits: XMLLimits(bytes: 300))
        }
        #expect(throws: Never.self) { try XMLTree(reading: document, limits: XMLLimits(bytes: 307)) }
        let wide = TextFileTests.utf16("<a>" + String(repeating: "x", count: 100) + "</a>")
        #expect(throws: XMLError(.tooMuch("216 bytes"))) {
            try XMLTree(reading: wide, limits: XMLLimits(bytes: 200))
        }
    }

    @Test func `other encodings than UTF-8 and UTF-16 with a mark are refused by name`() throws {
        for (encoding, name) in [
            (String.Encoding.utf16LittleEndian, "without a byte order mark"),
            (.utf16BigEndian, "without a byte order mark"), (.utf32, "UTF-32"),
        ] {
            let data = try #require("<!DOCTYPE a><a/>".data(using: encoding))
            let error = #expect(throws: XMLError.self) { try XMLTree(reading: data) }
            guard case .encoding(let found)? = error?.kind else {
                Issue.record("\(encoding): \(String(describing: error))")
                continue
            }
            #expect(found.contains(name))
        }
        for bytes in [[0x3C, 0x61, 0x3E, 0xC3, 0x28], [0xFF, 0xFE, 0x3C, 0x00, 0x3D, 0xD8]] as [[UInt8]] {
            let error = #expect(throws: XMLError.self) { try XMLTree(reading: Data(bytes)) }
            guard case .encoding? = error?.kind else {
                Issue.record("\(String(describing: error))")
                continue
            }
        }
        #expect(try XMLTree(reading: Data([0xEF, 0xBB, 0xBF]) + Data("<a/>".utf8)).name == "a")
    }

    @Test func `a style sheet's instruction before the root is passed over`() throws {
        let text = """
            <?xml version="1.0" encoding="utf-8"?>
            <?xml-stylesheet type="text/xsl" href="a.xsl?x=1&y=<2>"?>
            <!-- a comment --><?xml-stylesheet href='b'?><?xml-stylesheet?>
            <a><b/></a>
            """
        #expect(try XMLTree(reading: text) == XMLTree("a", [XMLTree("b")]))
    }

    @Test func `an ad's document is read in the same encodings, with its addresses repaired`() throws {
        let text = """
            <?xml version="1.0" encoding="utf-16"?><?xml-stylesheet href="a.xsl"?>
            <VAST version="4.2"><Error>https://ads.test/e?a=1&b=ø</Error></VAST>
            """
        for document in [
            Data(text.utf8), TextFileTests.utf16(text), TextFileTests.utf16(text, isBigEndian: true),
        ] {
            let errors = try VASTDocument(reading: document).errors
            #expect(errors.count == 1 && errors[0].hasPrefix("https://ads.test/e?a=1&b="))
        }
    }

    @Test func `each line break in CDATA is read as one line feed`() throws {
        let tree = try XMLTree(reading: "<a><![CDATA[\r\nx\r\ny\rz\n\r\n\r\r\n]]></a>")
        #expect(tree.text == "\nx\ny\nz\n\n\n\n")
    }

    // The first error is found by the check of the bytes, the second by the parser.
    @Test(arguments: ["<a>&nope;</a>", "<a b='1' b='2'/>"])
    func `lines in front of the document count`(_ text: String) {
        let error = #expect(throws: XMLError.self) { try XMLTree(reading: "\n \r\n\t" + text) }
        #expect(error?.line == 3)
    }

    @Test func `the error names the line`() {
        do {
            _ = try XMLTree(reading: "<a>\n<b>\n&nope;</b></a>")
            Issue.record("read")
        } catch {
            #expect(error.description == "line 3: the entity &nope; is unknown; & itself is written &amp;")
        }
    }
}
