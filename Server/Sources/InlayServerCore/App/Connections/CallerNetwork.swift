import NIOCore

/// The name under which a caller's address is counted.
///
/// An IPv6 host has a whole /64 to itself and may send every request from another address of it, so its first
/// half is what counts. An IPv4 address that comes as IPv6 is one host's.
package enum CallerNetwork {
    package static func name(of address: String) -> String {
        guard let bytes = bytes(of: address) else { return address }
        guard !isIPv4(bytes) else { return bytes.suffix(4).map { String($0) }.joined(separator: ".") }
        return prefix(bytes, bits: 64)
    }

    /// The /48 of an IPv6 address, which one customer often has whole; `nil` for an IPv4 address, which nobody gets
    /// more of by asking.
    static func wide(of address: String) -> String? {
        guard let bytes = bytes(of: address), !isIPv4(bytes) else { return nil }
        return prefix(bytes, bits: 48)
    }

    /// The block of addresses that one customer of a provider often has: the /24 of an IPv4 address, the /48 of an
    /// IPv6 address. A text that is no address stands for itself.
    package static func block(of address: String) -> String {
        if let wide = wide(of: address) { return wide }
        let numbers = name(of: address).split(separator: ".", omittingEmptySubsequences: false)
        guard numbers.count == 4, numbers.allSatisfy({ UInt8($0) != nil }) else { return address }
        return numbers.prefix(3).joined(separator: ".") + ".0/24"
    }

    /// The sixteen bytes of an IPv6 address; `nil` for every other text.
    private static func bytes(of address: String) -> [UInt8]? {
        let text = String(address.prefix { $0 != "%" })
        guard case .v6(let parsed)? = try? SocketAddress(ipAddress: text, port: 0) else { return nil }
        return withUnsafeBytes(of: parsed.address.sin6_addr) { Array($0) }
    }

    private static func isIPv4(_ bytes: [UInt8]) -> Bool {
        bytes.prefix(10).allSatisfy { $0 == 0 } && bytes[10] == 0xFF && bytes[11] == 0xFF
    }

    private static func prefix(_ bytes: [UInt8], bits: Int) -> String {
        bytes.prefix(bits / 8).map { String($0, radix: 16) }.joined(separator: "-") + "/\(bits)"
    }
}
