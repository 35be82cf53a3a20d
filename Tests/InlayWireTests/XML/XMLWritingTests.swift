import Foundation
@_spi(Inlay) import InlayWire
import Testing

@Suite struct XMLWritingTests {
    @Test func `text and attributes are always escaped`() throws {
        let tree = XMLTree("a", attributes: ["q": "\"<&>'\n\t\r"], text: "A & B <c> ]]> \" '\r\n")
        let xml = try tree.xml()
        #expect(
            xml
                == "<a q=\"&quot;&lt;&amp;&gt;'&#10;&#9;&#13;\">A &amp; B &lt;c&gt; ]]&gt; \" '&#13;\n</a>")
        #expect(try XMLTree(reading: xml) == tree)
    }

    @Test func `the end mark of CDATA in its text is split and parsed unchanged`() throws {
        for text in ["]]>", "a]]>b]]>c", "]]]]>>", "]]>\u{301}", "<x>&amp;", "]"] {
            let tree = XMLTree("a", cdata: text)
            let xml = try tree.xml()
            #expect(xml.hasPrefix("<a><![CDATA["))
            #expect(try XMLTree(reading: xml) == tree, "\(xml)")
        }
    }

    @Test func `a carriage return in CDATA is written as a reference and read back`() throws {
        for text in ["a\r\nb", "\r", "a\r]]>\r\n"] {
            let xml = try XMLTree("a", cdata: text).xml()
            #expect(!xml.unicodeScalars.contains("\r"), "\(xml)")
            #expect(try XMLTree(reading: xml).text == text, "\(xml)")
        }
    }

    @Test func `characters that XML does not allow are refused in text, CDATA and attributes`() {
        for scalar: Unicode.Scalar in ["\u{0}", "\u{8}", "\u{B}", "\u{1F}", "\u{FFFE}", "\u{FFFF}"] {
            let text = "a" + String(scalar)
            let trees = [
                XMLTree("a", text: text), XMLTree("a", cdata: text), XMLTree("a", attributes: ["b": text]),
            ]
            for tree in trees {
                #expect(throws: XMLError(.character(scalar.value))) { try tree.xml() }
            }
        }
    }

    @Test(arguments: ["", "a b", "a>", "1a", "a/", "<a", "a\"", "-a", "&"])
    func `an invalid name is refused`(_ name: String) {
        #expect(throws: XMLError(.name(name))) { try XMLTree(name).xml() }
        #expect(throws: XMLError(.name(name))) { try XMLTree("a", attributes: [name: ""]).xml() }
    }

    @Test func `equal trees give equal documents`() throws {
        let names = (0..<20).map { "n\($0)" }
        let first = XMLTree("a", attributes: Dictionary(uniqueKeysWithValues: names.map { ($0, $0) }))
        let second = XMLTree(
            "a", attributes: Dictionary(uniqueKeysWithValues: names.reversed().map { ($0, $0) }))
        #expect(try first.document() == second.document())
        #expect(try XMLTree(reading: first.document()) == first)
    }
}
