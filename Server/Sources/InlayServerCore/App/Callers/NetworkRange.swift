/// A range of addresses in CIDR notation, for example `192.0.2.0/24` or `2001:db8::/32`; a single address is a
/// range of one.
package struct NetworkRange: Hashable, Sendable {
    private let prefix: [UInt8]
    private let bits: Int

    /// Parses a range or a single address; `nil` when the text is neither.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let bytes = CallerAddress(parts[0])?.bytes else { return nil }
        guard parts.count == 2 else {
            (prefix, bits) = (bytes, bytes.count * 8)
            return
        }
        guard let bits = Int(parts[1]), (0...bytes.count * 8).contains(bits) else { return nil }
        (prefix, self.bits) = (bytes, bits)
    }

    /// Whether an address is in the range. A caller without an address is in none.
    package func contains(_ address: CallerAddress) -> Bool {
        let bytes = address.bytes
        guard bytes.count == prefix.count else { return false }
        let (whole, rest) = bits.quotientAndRemainder(dividingBy: 8)
        guard bytes.prefix(whole) == prefix.prefix(whole) else { return false }
        return rest == 0 || (bytes[whole] ^ prefix[whole]) >> (8 - rest) == 0
    }
}
