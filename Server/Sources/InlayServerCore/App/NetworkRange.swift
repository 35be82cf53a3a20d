import NIOCore

/// A range of addresses in CIDR notation, for example `192.0.2.0/24` or `2001:db8::/32`; a single address is a
/// range of one.
package struct NetworkRange: Hashable, Sendable {
    private let prefix: [UInt8]
    private let bits: Int

    /// Parses a range or a single address; `nil` when the text is neither.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first, let bytes = Self.bytes(of: String(first)) else { return nil }
        guard parts.count == 2 else {
            (prefix, bits) = (bytes, bytes.count * 8)
            return
        }
        guard let bits = Int(parts[1]), (0...bytes.count * 8).contains(bits) else { return nil }
        (prefix, self.bits) = (bytes, bits)
    }

    /// Whether an address is in the range. An IPv4 address that comes as IPv6 counts as IPv4.
    package func contains(_ address: String) -> Bool {
        guard let bytes = Self.bytes(of: address), bytes.count == prefix.count else { return false }
        let (whole, rest) = bits.quotientAndRemainder(dividingBy: 8)
        guard bytes.prefix(whole) == prefix.prefix(whole) else { return false }
        return rest == 0 || (bytes[whole] ^ prefix[whole]) >> (8 - rest) == 0
    }

    private static func bytes(of address: String) -> [UInt8]? {
        switch try? SocketAddress(ipAddress: String(address.prefix { $0 != "%" }), port: 0) {
        case .v4(let parsed)?: withUnsafeBytes(of: parsed.address.sin_addr) { Array($0) }
        case .v6(let parsed)?:
            withUnsafeBytes(of: parsed.address.sin6_addr) { bytes in
                let isIPv4 = bytes.prefix(10).allSatisfy { $0 == 0 } && bytes[10] == 0xFF && bytes[11] == 0xFF
                return Array(isIPv4 ? bytes.suffix(4) : bytes[...])
            }
        default: nil
        }
    }
}
