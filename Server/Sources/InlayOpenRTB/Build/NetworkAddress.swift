import NIOCore

/// A caller's IP address in the form that bidders may get.
package enum NetworkAddress {
    /// Returns the address, or only its network: three of four bytes of IPv4, 48 of 128 bits of IPv6.
    package static func shared(_ text: String, isExact: Bool) -> (v4: String?, v6: String?) {
        guard let address = try? SocketAddress(ipAddress: text, port: 0) else { return (nil, nil) }
        switch address {
        case .v4:
            guard !isExact else { return (text, nil) }
            return (text.split(separator: ".").prefix(3).joined(separator: ".") + ".0", nil)
        case .v6(let address):
            guard !isExact else { return (nil, text) }
            let groups = withUnsafeBytes(of: address.address.sin6_addr) { bytes in
                stride(from: 0, to: 6, by: 2).map { UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]) }
            }
            return (nil, groups.map { String($0, radix: 16) }.joined(separator: ":") + "::")
        case .unixDomainSocket: return (nil, nil)
        }
    }
}
