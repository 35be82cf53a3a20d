package import Foundation

/// Makes an HTML document fit for a frame that must reach nothing outside.
///
/// A policy stops every load but not every connection: browsers look names up and open connections for
/// `<link rel="dns-prefetch">` and `preconnect` without asking it. And a document inside the document would
/// be a place that the host's script never saw, as would a closed tree within it. So those kinds of tags are renamed, in every spelling that
/// a parser could read as one. This goes by bytes, not by parsing: a tag's name has no escapes, so what is
/// not there as text is not there for any parser.
package enum FrameDocument {
    /// The reason for which a document is not shown.
    package enum Failure: Error, Hashable {
        /// It starts with the mark of an encoding in which tags would look different.
        case foreignEncoding
    }

    /// Tags that connect, embed another document, or say where addresses start.
    static let closedTags: Set = [
        "link", "iframe", "frame", "frameset", "object", "embed", "applet", "portal", "fencedframe", "base",
        "meta", "template",
    ]

    static func prepared(_ data: Data, prefix: String, rules: FrameRules) throws -> Data {
        document(try markup(data), prefix: prefix, rules: rules)
    }

    /// The bytes of a document without the mark of its encoding, which is UTF-8.
    package static func markup(_ data: Data) throws -> [UInt8] {
        var bytes = [UInt8](data)
        // These marks win over the type that the host sends.
        if bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE]) {
            throw Failure.foreignEncoding
        }
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
        return bytes
    }

    private static func document(_ bytes: [UInt8], prefix: String, rules: FrameRules) -> Data {
        // An import, not a link: there is no link element in a closed document that a script could turn around.
        let own = HTMLText.escaped(prefix + "~/frame")
        let listed = OutsideAddresses(rules.addresses, prefix: prefix)
        let opening =
            "<!DOCTYPE html><script src=\"\(own)-apis.js\"></script>"
            + "<script src=\"\(own).js\"\(listed.attribute)></script>"
            + "<style>@import url(\"\(own).css\");</style>"
        // An outer document may reach everything anyway.
        let body = rules.outside == .anything ? bytes : listed.carried(closed(bytes))
        return Data(Array(opening.utf8) + viewport + body)
    }

    /// Pages written for a phone say so; `meta` is closed, so the host says it for all.
    private static let viewport = Array(
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">".utf8)

    /// The document with every closed tag renamed; a plain style sheet becomes an import.
    static func closed(_ bytes: [UInt8]) -> [UInt8] {
        var out: [UInt8] = []
        out.reserveCapacity(bytes.count + 256)
        var index = 0
        while index < bytes.count {
            guard bytes[index] == UInt8(ascii: "<") else {
                out.append(bytes[index])
                index += 1
                continue
            }
            if let (sheet, end) = styleSheet(bytes, at: index) {
                out += Array("<style>@import url(\"\(sheet)\");</style>".utf8)
                index = end
            } else if let name = closedTag(bytes, at: index + 1) {
                out += Array("<inlay-\(name)".utf8)
                index += 1 + name.utf8.count
            } else {
                out.append(bytes[index])
                index += 1
            }
        }
        return out
    }

    /// The closed tag whose whole name starts here.
    private static func closedTag(_ bytes: [UInt8], at start: Int) -> String? {
        let name = bytes[start...].prefix(16).prefix { !endsName($0) }
        let lower = String(decoding: name.map { $0 | 0x20 }, as: UTF8.self)
        return closedTags.contains(lower) ? lower : nil
    }

    private static func endsName(_ byte: UInt8) -> Bool {
        [9, 10, 12, 13, 32, UInt8(ascii: "/"), UInt8(ascii: ">")].contains(byte)
    }

    private static let sheetStart = Array("<link rel=\"stylesheet\" href=\"".utf8)

    /// A style sheet link written in the one way that is kept, with an address that needs no escapes.
    private static func styleSheet(_ bytes: [UInt8], at start: Int) -> (address: String, end: Int)? {
        guard bytes[start...].starts(with: sheetStart) else { return nil }
        let rest = bytes[(start + sheetStart.count)...]
        guard let quote = rest.firstIndex(of: UInt8(ascii: "\"")),
            let end = rest[quote...].firstIndex(of: UInt8(ascii: ">")),
            rest[(quote + 1)..<end].allSatisfy({ $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "/") })
        else { return nil }
        let address = rest[..<quote]
        let isPlain = address.allSatisfy { byte in
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
                || (UInt8(ascii: "-")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "_")
        }
        guard isPlain, !address.isEmpty else { return nil }
        return (String(decoding: address, as: UTF8.self), end + 1)
    }
}
