import Foundation

/// A numeric address with its scope.
package struct IPAddress: Sendable {
    /// The scope of an address.
    enum Scope: Hashable, Sendable {
        /// An address of the public Internet.
        case global
        /// This machine or a private network: loopback, RFC 1918, carrier-grade NAT, unique local, and addresses behind
        /// a NAT64 translator with a prefix of its own.
        case `private`
        /// No server: link-local (where clouds keep their metadata), multicast, unspecified, reserved.
        case none
    }

    let bytes: [UInt8]
    let text: String

    init?(_ entry: addrinfo) {
        var name = [CChar](repeating: 0, count: 64)
        guard let address = entry.ai_addr,
            getnameinfo(address, entry.ai_addrlen, &name, 64, nil, 0, NI_NUMERICHOST) == 0
        else { return nil }
        text = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        switch entry.ai_family {
        case AF_INET:
            bytes = address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { v4 in
                withUnsafeBytes(of: v4.pointee.sin_addr) { Array($0) }
            }
        case AF_INET6:
            bytes = address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { v6 in
                withUnsafeBytes(of: v6.pointee.sin6_addr) { Array($0) }
            }
        default: return nil
        }
    }

    init(bytes: [UInt8], text: String = "") {
        self.bytes = bytes
        self.text = text
    }

    /// Whether the address is one of the public Internet.
    var isPublic: Bool { scope == .global }

    /// The scope of the address; an IPv4 address inside an IPv6 address counts as itself.
    var scope: Scope {
        if bytes.count == 4 { return Self.scope(bytes) }
        if let embedded = embeddedAddress { return Self.scope(embedded) }
        if bytes.dropLast().allSatisfy({ $0 == 0 }) { return bytes.last == 1 ? .private : .none }
        // Link-local and multicast.
        if bytes[0] == 0xff || (bytes[0] == 0xfe && bytes[1] & 0xc0 == 0x80) { return .none }
        // Only 2000::/3 is given out; documentation, Teredo and ORCHID within it are not of the public Internet.
        let isGlobal = bytes[0] & 0xe0 == 0x20 && !Self.special.contains { bytes.starts(with: $0) }
        return isGlobal ? .global : .private
    }

    private static let special: [[UInt8]] = [
        [0x20, 0x01, 0x0d, 0xb8], [0x20, 0x01, 0x00, 0x00], [0x20, 0x01, 0x00, 0x10],
        [0x20, 0x01, 0x00, 0x20],
        [0x3f, 0xff],
    ]

    /// The IPv4 address that an IPv6 address leads to: mapped, compatible, NAT64, 6to4.
    private var embeddedAddress: [UInt8]? {
        let isMapped = bytes.prefix(10).allSatisfy { $0 == 0 } && bytes[10] == bytes[11]
        // `::1` and `::` are addresses of IPv6 itself.
        if isMapped, bytes[10] == 255 || (bytes[10] == 0 && bytes[12...14].contains { $0 != 0 }) {
            return Array(bytes.suffix(4))
        }
        // The well-known prefix; a network's own one (64:ff9b:1::) leads wherever that network likes.
        if bytes.starts(with: [0x00, 0x64, 0xff, 0x9b] + Array(repeating: 0, count: 8)) {
            return Array(bytes.suffix(4))
        }
        return bytes.starts(with: [0x20, 0x02]) ? Array(bytes[2..<6]) : nil
    }

    private static func scope(_ v4: [UInt8]) -> Scope {
        switch (v4[0], v4[1]) {
        case (0, _), (169, 254), (224..., _): .none
        case (10, _), (127, _), (192, 168), (100, 64...127), (172, 16...31), (198, 18...19): .private
        case (192, 0): v4[2] == 0 || v4[2] == 2 ? .private : .global
        case (192, 88): v4[2] == 99 ? .private : .global
        case (198, 51): v4[2] == 100 ? .private : .global
        case (203, 0): v4[2] == 113 ? .private : .global
        default: .global
        }
    }
}
