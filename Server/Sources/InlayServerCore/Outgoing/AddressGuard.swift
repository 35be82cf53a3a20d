import Foundation

/// The reason why an address may not be called.
package struct RefusedAddress: Error, CustomStringConvertible {
    package let description: String
}

/// A guard that decides which hosts this server may call, by the addresses that their names lead to.
///
/// Connect only to the addresses that were checked: a name may lead to others the second time.
package struct AddressGuard: Sendable {
    /// The networks that may be called.
    package enum Networks: Sendable {
        /// Only addresses of the public Internet, for hosts that others than the operators of this server name.
        case global
        /// Private networks and this machine too, but no link-local, multicast or reserved address: for hosts that the
        /// settings of this server name.
        case globalAndPrivate
        /// Every address, for demos and tests.
        case all

        /// Selects the networks for addresses that others name: the Internet, or all if this server's settings say so.
        package init(isPrivateAllowed: Bool) { self = isPrivateAllowed ? .all : .global }
    }

    /// Finds the addresses of a host.
    package typealias Resolve = @Sendable (_ host: String) async throws -> [IPAddress]

    let networks: Networks
    private let resolve: Resolve

    /// Creates a guard that asks the system's resolver by default.
    package init(_ networks: Networks, resolve: @escaping Resolve = Self.resolve) {
        self.networks = networks
        self.resolve = resolve
    }

    /// Returns the numeric addresses of a host. Throws ``RefusedAddress`` when any of them may not be called: a name
    /// that has both kinds is an attempt to get in.
    package func addresses(of host: String) async throws -> [String] {
        let addresses = try await resolve(host)
        guard !addresses.isEmpty else { throw RefusedAddress(description: "the host has no address") }
        guard addresses.allSatisfy(allows) else {
            throw RefusedAddress(description: "the host leads into a private network")
        }
        return addresses.map(\.text)
    }

    /// Whether an address may be called.
    func allows(_ address: IPAddress) -> Bool {
        switch networks {
        case .global: address.scope == .global
        case .globalAndPrivate: address.scope != .none
        case .all: true
        }
    }

    /// Throws ``RefusedAddress`` for a URL that would be refused now. A name that is not known now is not refused,
    /// because each call checks the name again.
    package func check(_ url: String, _ lookups: HostLookups<String>) async throws {
        guard networks != .all, let host = Self.host(of: url) else { return }
        do {
            _ = try await lookups.addresses(of: host, for: "settings")
        } catch let refusal as RefusedAddress {
            throw refusal
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            return
        }
    }

    /// Returns the host of an address of http or https; see ``endpoint(of:)``.
    package static func host(of address: String) -> String? { endpoint(of: address)?.host }

    /// Returns the host and port of an address of http or https, read as the HTTP client reads it: `URLComponents`
    /// shows `xn--…` in its own letters, and then one name would be checked and another called. `nil` for any other
    /// scheme, for an address with a user's name, and for a port that is none (0, or above 65,535).
    static func endpoint(of address: String) -> (host: String, port: Int)? {
        guard let url = URL(string: address), let scheme = url.scheme?.lowercased(),
            scheme == "https" || scheme == "http", let host = url.host, !host.isEmpty, url.user == nil
        else { return nil }
        let port = url.port ?? (scheme == "https" ? 443 : 80)
        guard (1...65_535).contains(port) else { return nil }
        return (host.trimmingCharacters(in: CharacterSet(charactersIn: "[]")), port)
    }

    private static func resolve(_ host: String) async throws -> [IPAddress] {
        // `getaddrinfo` blocks, so it has a thread of its own and not one of Swift's few.
        try await withCheckedThrowingContinuation { done in
            Thread { done.resume(with: Result { try all(host) }) }.start()
        }
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
