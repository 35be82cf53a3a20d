import NIOCore

/// The address that a request comes from, parsed once.
///
/// An IPv4 address that comes as IPv6 (`::ffff:192.0.2.1`) is IPv4, and an IPv6 address has no zone: one host has one
/// spelling in limits, in logs and in tables.
package struct CallerAddress: Hashable, Sendable, CustomStringConvertible {
    /// A caller without a network address: a Unix socket, or a command on this machine.
    package static let local = Self(name: "local")

    /// IPv4 with dots, IPv6 in the form of RFC 5952, or the name of a caller that has no address.
    package let description: String
    /// The four bytes of an IPv4 address, the sixteen of an IPv6 address; none for a name.
    let bytes: [UInt8]

    /// A caller that is counted by a name, because it has no address.
    package init(name: String) {
        description = name
        bytes = []
    }

    /// Parses an IPv4 or an IPv6 address; the latter may have a zone (`fe80::1%eth0`), which is dropped.
    ///
    /// `nil` for every other text.
    package init?(_ text: some StringProtocol) {
        let number = text.prefix { $0 != "%" }
        let isNumber =
            number.utf8.count <= Self.maximumBytes
            && number.allSatisfy { $0.isASCII && ($0.isHexDigit || $0 == "." || $0 == ":") }
        // Only IPv6 has zones.
        guard isNumber, number.endIndex == text.endIndex || number.contains(":"),
            let socket = try? SocketAddress(ipAddress: String(number), port: 0)
        else { return nil }
        self.init(socket)
    }

    /// The address of the other end of a socket.
    init(_ socket: SocketAddress?) {
        let all: [UInt8] =
            switch socket {
            case .v4(let v4)?: withUnsafeBytes(of: v4.address.sin_addr) { Array($0) }
            case .v6(let v6)?: withUnsafeBytes(of: v6.address.sin6_addr) { Array($0) }
            default: []
            }
        bytes = all.starts(with: Self.mapped) ? Array(all.suffix(4)) : all
        description =
            bytes.count == 4
            ? bytes.map { String($0) }.joined(separator: ".")
            : socket?.ipAddress ?? Self.local.description
    }

    /// The longest IPv6 address: six groups, and an IPv4 address in place of the last two.
    private static let maximumBytes = 45
    /// The first bytes of the IPv6 form of an IPv4 address (RFC 4291, section 2.5.5.2).
    private static let mapped: [UInt8] = Array(repeating: 0, count: 10) + [0xFF, 0xFF]
}

/// The network by which a caller is counted.
package struct CallerNetwork: Hashable, Sendable {
    /// The network's name. Databases contain it, also as a hash, so it must stay as it is.
    package let name: String

    fileprivate init(name: String) { self.name = name }
}

extension CallerAddress {
    /// Whether the address is IPv6 and does not stand for an IPv4 address.
    var isIPv6: Bool { bytes.count == 16 }

    /// Whether the address is IPv4, in either form.
    var isIPv4: Bool { bytes.count == 4 }

    /// The network of one host: its IPv4 address, or its IPv6 /64, from any address of which the host may send.
    package var network: CallerNetwork {
        CallerNetwork(name: isIPv6 ? prefix(bits: 64) : description)
    }

    /// The network that one customer of a provider often has: an IPv4 /24 or an IPv6 /48.
    package var block: CallerNetwork {
        if isIPv6 { return CallerNetwork(name: prefix(bits: 48)) }
        guard isIPv4 else { return network }
        return CallerNetwork(
            name: bytes.prefix(3).map { String($0) }.joined(separator: ".") + ".0/24")
    }

    private func prefix(bits: Int) -> String {
        bytes.prefix(bits / 8).map { String($0, radix: 16) }.joined(separator: "-") + "/\(bits)"
    }
}
