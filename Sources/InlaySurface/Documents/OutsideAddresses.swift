import Foundation
@_spi(Inlay) import InlayWire

/// Turns listed addresses outside, where a document loads them, into addresses below its host.
///
/// It needs no parser and looks only at the characters around an address: the document's policy refuses an address
/// that it misses, and the host checks every address that it changes.
@_spi(Inlay) public struct OutsideAddresses: Sendable {
    private let addresses: [String]
    private let prefix: String

    /// - Parameter prefix: the address below which the surface's files are, ending with a slash.
    public init(_ addresses: [String], prefix: String) {
        // The longest first: one may be the beginning of another.
        self.addresses = addresses.sorted { $0.utf8.count > $1.utf8.count }
        self.prefix = prefix
    }

    /// The address at which the host fetches an address from outside.
    func carried(_ address: String) -> String {
        prefix + FrameRules.outsidePath + "?u="
            + PercentEncoding.encode(address)
    }

    /// The list for the host's script, as an attribute of its tag; nothing without addresses.
    var attribute: String {
        guard !addresses.isEmpty else { return "" }
        let pairs = Dictionary(addresses.map { ($0, carried($0)) }) { first, _ in first }
        guard let json = try? JSONEncoder().encode(pairs) else { return "" }
        return " data-addresses=\"\(HTMLText.escaped(String(decoding: json, as: UTF8.self)))\""
    }

    /// A document or a style sheet in which the listed addresses that it loads are turned.
    public func carried(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        for address in addresses {
            let spellings = Set([address, address.replacingOccurrences(of: "&", with: "&amp;")])
            for spelling in spellings {
                replace(Array(spelling.utf8), Array(carried(address).utf8), in: &bytes)
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

    /// Whether the text before an address makes a browser load it: an attribute, or CSS.
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
