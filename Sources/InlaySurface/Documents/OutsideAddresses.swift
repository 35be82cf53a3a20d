import Foundation
@_spi(Inlay) import InlayWire

/// The listed outside URLs of a document, rewritten to URLs below its host wherever the document loads them.
///
/// The rewriting needs no parser, because it looks only at the characters around a URL: the document's policy blocks a
/// URL that was missed, and the host checks every request for a rewritten URL.
@_spi(Inlay) public struct OutsideAddresses: Sendable {
    private let addresses: [String]
    private let prefix: String

    /// - Parameter prefix: The URL below which the surface's files are, ending with a slash.
    public init(_ addresses: [String], prefix: String) {
        // The longest first, because one URL may be the beginning of another.
        self.addresses = addresses.sorted { $0.utf8.count > $1.utf8.count }
        self.prefix = prefix
    }

    /// Returns the host's URL for an outside URL.
    func rewritten(_ address: String) -> String {
        prefix + FrameRules.outsidePath + "?u="
            + PercentEncoding.encode(address)
    }

    /// The list for the host's script, as an attribute of the script's tag; empty without addresses.
    var attribute: String {
        guard !addresses.isEmpty else { return "" }
        let pairs = Dictionary(addresses.map { ($0, rewritten($0)) }) { first, _ in first }
        guard let json = try? JSONEncoder().encode(pairs) else { return "" }
        return " data-addresses=\"\(HTMLText.escaped(String(decoding: json, as: UTF8.self)))\""
    }

    /// Returns a document or a style sheet with the listed URLs rewritten where they are loaded.
    public func rewritten(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        for address in addresses {
            let spellings = Set([address, address.replacingOccurrences(of: "&", with: "&amp;")])
            for spelling in spellings {
                replace(Array(spelling.utf8), Array(rewritten(address).utf8), in: &bytes)
            }
        }
        return bytes
    }

    private func replace(_ address: [UInt8], _ new: [UInt8], in bytes: inout [UInt8]) {
        guard let first = address.first, bytes.count >= address.count else { return }
        var (out, index) = ([UInt8](), 0)
        while index < bytes.count {
            if bytes[index] == first, bytes[index...].starts(with: address), Self.isLoaded(bytes, at: index),
                Self.ends(bytes, at: index + address.count)
            {
                out += new
                index += address.count
            } else {
                out.append(bytes[index])
                index += 1
            }
        }
        bytes = out
    }

    /// Whether the text before a URL makes a browser load it: it is in an attribute or in CSS.
    private static func isLoaded(_ bytes: [UInt8], at index: Int) -> Bool {
        let before = String(decoding: bytes[max(0, index - 24)..<index], as: UTF8.self).lowercased()
        return before.range(
            of: #"([\s"'/](src|poster|srcset)\s*=\s*["']?|url\(\s*["']?|@import\s+["'])$"#,
            options: .regularExpression) != nil
    }

    private static func ends(_ bytes: [UInt8], at index: Int) -> Bool {
        index >= bytes.count || [9, 10, 12, 13, 32].contains(bytes[index])
            || [UInt8](#""'>),"#.utf8).contains(bytes[index])
    }
}
