package import Foundation

/// The preparation of an HTML document for a frame that must not connect to anything outside.
///
/// A content security policy blocks loads but not all connections: for `<link rel="dns-prefetch">` and `preconnect`,
/// browsers look up names and open connections without checking it. A document inside the document, or a closed shadow
/// tree, would be out of reach of the host's script. Therefore these tags are renamed, in every spelling that a parser
/// could read as one. The search works on bytes and needs no parser: a tag's name has no escapes, so a parser finds no
/// tag whose name is not in the bytes.
package enum FrameDocument {
    /// The reason why a document is not shown.
    package enum Failure: Error, Hashable {
        /// The document begins with the byte order mark of an encoding in which tags would be other bytes.
        case foreignEncoding
    }

    /// The tags that connect to a server, embed another document, or change the base of relative URLs.
    static let closedTags: Set = [
        "link", "iframe", "frame", "frameset", "object", "embed", "applet", "portal", "fencedframe", "base",
        "meta", "template",
    ]

    static func prepared(_ data: Data, prefix: String, rules: FrameRules) throws -> Data {
        document(try markup(data), prefix: prefix, rules: rules)
    }

    /// Returns the bytes of a document without a UTF-8 byte order mark.
    package static func markup(_ data: Data) throws -> [UInt8] {
        var bytes = [UInt8](data)
        // Byte order marks take precedence over the type that the host sends.
        if bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE]) {
            throw Failure.foreignEncoding
        }
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
        return bytes
    }

    private static func document(_ bytes: [UInt8], prefix: String, rules: FrameRules) -> Data {
        // The style sheet is imported, because a closed document must have no `link` element that a script could
        // change.
        let own = HTMLText.escaped(prefix + "~/frame")
        let listed = OutsideAddresses(rules.addresses, prefix: prefix)
        let opening =
            "<!DOCTYPE html><script src=\"\(own)-apis.js\"></script>"
            + "<script src=\"\(own).js\"\(listed.attribute)></script>"
            + "<style>@import url(\"\(own).css\");</style>"
        // Such a document may connect to anything, so its tags stay.
        let body = rules.outside == .anything ? bytes : listed.rewritten(closed(bytes))
        return Data(Array(opening.utf8) + viewport + body)
    }

    /// Renders at the width of the device, as pages for phones request with `meta`, which is one of the renamed tags.
    private static let viewport = Array(
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">".utf8)

    /// Returns the document with every closed tag renamed; a plain style sheet link becomes an import.
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

    /// Returns the closed tag whose whole name starts here; `nil` for other tags.
    private static func closedTag(_ bytes: [UInt8], at start: Int) -> String? {
        let name = bytes[start...].prefix(16).prefix { !endsName($0) }
        let lower = String(decoding: name.map { $0 | 0x20 }, as: UTF8.self)
        return closedTags.contains(lower) ? lower : nil
    }

    private static func endsName(_ byte: UInt8) -> Bool {
        [9, 10, 12, 13, 32, UInt8(ascii: "/"), UInt8(ascii: ">")].contains(byte)
    }

    private static let sheetStart = Array("<link rel=\"stylesheet\" href=\"".utf8)

    /// Reads a style sheet link that is written in exactly this way, with a URL that needs no escapes.
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
