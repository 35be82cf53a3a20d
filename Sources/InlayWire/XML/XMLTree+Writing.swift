public import Foundation

extension XMLTree {
    /// Returns the document as text, without a declaration and without added white space.
    ///
    /// Text and attributes are always escaped, attributes are sorted by name, and equal trees give equal documents.
    /// Throws for an invalid name and for a character that XML does not allow, such as U+0000, even as a reference.
    public func xml() throws(XMLError) -> String {
        var text = ""
        try write(to: &text)
        return text
    }

    /// Returns the document as UTF-8 with a declaration.
    public func document() throws(XMLError) -> Data {
        Data(("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + (try xml())).utf8)
    }

    /// Whether a text is a name that an element or attribute can have.
    public static func isName(_ text: String) -> Bool {
        guard let first = text.unicodeScalars.first, first.properties.isAlphabetic || first == "_" else {
            return false
        }
        return text.unicodeScalars.allSatisfy {
            $0.properties.isAlphabetic || ("0"..."9").contains($0) || "_-.:".unicodeScalars.contains($0)
        }
    }

    private func write(to text: inout String) throws(XMLError) {
        guard Self.isName(name) else { throw XMLError(.name(name)) }
        text += "<" + name
        for (attribute, value) in attributes.sorted(by: { $0.key < $1.key }) {
            guard Self.isName(attribute) else { throw XMLError(.name(attribute)) }
            text += " " + attribute + "=\"" + (try Self.escaped(value, inAttribute: true)) + "\""
        }
        guard !nodes.isEmpty else {
            text += "/>"
            return
        }
        text += ">"
        for node in nodes {
            switch node {
            case .element(let child): try child.write(to: &text)
            case .text(let part): text += try Self.escaped(part, inAttribute: false)
            case .cdata(let part): text += try Self.section(part)
            }
        }
        text += "</" + name + ">"
    }

    private static func escaped(_ text: String, inAttribute: Bool) throws(XMLError) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            try check(scalar)
            switch scalar {
            case "&": result.append(contentsOf: "&amp;".unicodeScalars)
            case "<": result.append(contentsOf: "&lt;".unicodeScalars)
            case ">": result.append(contentsOf: "&gt;".unicodeScalars)
            case "\"" where inAttribute: result.append(contentsOf: "&quot;".unicodeScalars)
            // A parser would change these into spaces or line feeds.
            case "\r": result.append(contentsOf: "&#13;".unicodeScalars)
            case "\n" where inAttribute: result.append(contentsOf: "&#10;".unicodeScalars)
            case "\t" where inAttribute: result.append(contentsOf: "&#9;".unicodeScalars)
            default: result.append(scalar)
            }
        }
        return String(result)
    }

    private static func section(_ text: String) throws(XMLError) -> String {
        var result = String.UnicodeScalarView()
        var brackets = 0
        for scalar in text.unicodeScalars {
            try check(scalar)
            switch scalar {
            // A parser would change it into a line feed, and a section has no references.
            case "\r": result.append(contentsOf: "]]>&#13;<![CDATA[".unicodeScalars)
            // The end mark would end the section, so it is split over two sections.
            case ">" where brackets >= 2: result.append(contentsOf: "]]><![CDATA[>".unicodeScalars)
            default: result.append(scalar)
            }
            brackets = scalar == "]" ? brackets + 1 : 0
        }
        return "<![CDATA[" + String(result) + "]]>"
    }

    private static func check(_ scalar: Unicode.Scalar) throws(XMLError) {
        let isAllowed =
            switch scalar.value {
            case 0x09, 0x0A, 0x0D, 0x20...0xFFFD, 0x10000...0x10FFFF: true
            default: false
            }
        guard isAllowed else { throw XMLError(.character(scalar.value)) }
    }
}
