import NIOCore

/// The name under which a caller's address is counted.
///
/// An IPv6 host has a whole /64 to itself and may send every request from another address of it, so its first
/// half is what counts. An IPv4 address that comes as IPv6 is one host's.
enum CallerNetwork {
    static func name(of address: String) -> String {
        let text = String(address.prefix { $0 != "%" })
        guard case .v6(let parsed)? = try? SocketAddress(ipAddress: text, port: 0) else { return address }
        let bytes = withUnsafeBytes(of: parsed.address.sin6_addr) { Array($0) }
        let isMapped = bytes.prefix(10).allSatisfy { $0 == 0 } && bytes[10] == 0xFF && bytes[11] == 0xFF
        guard !isMapped else { return bytes.suffix(4).map { String($0) }.joined(separator: ".") }
        return bytes.prefix(8).map { String($0, radix: 16) }.joined(separator: "-") + "/64"
    }
}
