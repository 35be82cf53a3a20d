import Foundation

/// Why an address may not be called.
struct RefusedAddress: Error {
    let words: String
}

/// Where a host's name leads, unless that is somewhere private.
enum ResolvedAddress {
    /// One numeric address of the host. Throws ``RefusedAddress`` when any of them is not public: a name that
    /// mixes both is on its way in.
    static func look(up host: String, allowsPrivate: Bool) async throws -> String {
        // `getaddrinfo` blocks, so it has a thread of its own and not one of Swift's few.
        let addresses = try await withCheckedThrowingContinuation { done in
            Thread { done.resume(with: Result { try all(host) }) }.start()
        }
        guard let first = addresses.first else { throw RefusedAddress(words: "the host has no address") }
        guard allowsPrivate || addresses.allSatisfy(\.isPublic) else {
            throw RefusedAddress(words: "the host leads into a private network")
        }
        return first.text
    }

    private static func all(_ host: String) throws -> [IPAddress] {
        var hints = addrinfo()
        hints.ai_family = AF_UNSPEC
        #if os(Linux)
            hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        #else
            hints.ai_socktype = SOCK_STREAM
        #endif
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, nil, &hints, &list) == 0, let list else { throw UnknownHost() }
        defer { freeaddrinfo(list) }
        var found: [IPAddress] = []
        var next: UnsafeMutablePointer<addrinfo>? = list
        while let entry = next {
            if let address = IPAddress(entry.pointee) { found.append(address) }
            next = entry.pointee.ai_next
        }
        return found
    }

    /// The name is not known now; it may be later.
    private struct UnknownHost: Error, CustomStringConvertible {
        let description = "the host's name is not known"
    }
}

/// A numeric address, and whether it is one of the whole Internet's.
struct IPAddress: Sendable {
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

    init(bytes: [UInt8]) {
        self.bytes = bytes
        text = ""
    }

    var isPublic: Bool {
        if bytes.count == 4 { return Self.isPublic(bytes) }
        // IPv4 in IPv6's clothes: mapped, compatible, NAT64, 6to4.
        if bytes.prefix(10).allSatisfy({ $0 == 0 }), bytes[10] == bytes[11], [0, 255].contains(bytes[10]) {
            return Self.isPublic(Array(bytes.suffix(4)))
        }
        // The prefix of everybody; a network's own one (64:ff9b:1::) leads wherever that network likes.
        if bytes.starts(with: [0x00, 0x64, 0xff, 0x9b] + Array(repeating: 0, count: 8)) {
            return Self.isPublic(Array(bytes.suffix(4)))
        }
        if bytes.starts(with: [0x20, 0x02]) { return Self.isPublic(Array(bytes[2..<6])) }
        // Only 2000::/3 is given out; documentation and Teredo within it lead nowhere good.
        return bytes[0] & 0xe0 == 0x20 && !bytes.starts(with: [0x20, 0x01, 0x0d, 0xb8])
            && !bytes.starts(with: [0x20, 0x01, 0x00, 0x00])
    }

    private static func isPublic(_ v4: [UInt8]) -> Bool {
        switch (v4[0], v4[1]) {
        case (0, _), (10, _), (127, _), (169, 254), (192, 168), (224..., _): false
        case (100, 64...127), (172, 16...31), (198, 18...19): false
        case (192, 0): v4[2] != 0 && v4[2] != 2
        case (198, 51): v4[2] != 100
        case (203, 0): v4[2] != 113
        default: true
        }
    }
}
