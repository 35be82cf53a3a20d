import Foundation

/// The addresses that pages may load although the content is local only, and the schemes of the app.
///
/// Addresses are compared as they were written, with query and fragment; domains as exact host names,
/// never their subdomains. Plain http is refused here.
public struct HubAllowList: Hashable, Sendable {
    /// Addresses, character by character.
    public private(set) var urls: Set<String> = []
    /// Host names in lower case.
    public private(set) var domains: Set<String> = []
    /// Schemes of the app, in lower case.
    public private(set) var schemes: Set<String> = []
    /// Whether plain http on a listed domain is allowed too, for apps that migrated from an older product.
    package private(set) var allowsPlainHTTP = false

    /// An empty list.
    public init() {}

    /// Allows one address; https only.
    public mutating func allow(url: String) throws(HubError) {
        guard Self.parts(url)?.scheme == "https" else {
            throw .invalidConfiguration("An allowed address begins with https://; \(url) does not.")
        }
        urls.insert(url)
    }

    /// Allows every https address of one host.
    public mutating func allow(domain: String) throws(HubError) {
        guard let host = Self.host(domain) else {
            throw .invalidConfiguration("A domain is a host name such as www.example.com, not \(domain).")
        }
        domains.insert(host)
    }

    /// Gives links of a scheme to the app.
    ///
    /// - Throws: for a text that is no scheme, and for schemes of the web and of scripts, which no app owns.
    public mutating func allow(scheme: String) throws(HubError) {
        let lower = scheme.lowercased()
        guard Self.isScheme(lower), !Self.reserved.contains(lower) else {
            throw .invalidConfiguration("\(scheme) is no scheme that an app can own.")
        }
        schemes.insert(lower)
    }

    /// Allows one address, also with plain http, as an older product did.
    package mutating func allowVerbatim(url: String) {
        urls.insert(url)
        allowsPlainHTTP = true
    }

    /// Allows every address of one host, also with plain http, as an older product did.
    package mutating func allowVerbatim(domain: String) {
        guard let host = Self.host(domain) else { return }
        domains.insert(host)
        allowsPlainHTTP = true
    }

    /// Whether the lists allow a page to load an address.
    public func allows(_ address: String) -> Bool {
        if lists(url: address) { return true }
        guard let (scheme, host) = Self.parts(address), domains.contains(host) else { return false }
        return scheme == "https" || (scheme == "http" && allowsPlainHTTP)
    }

    /// Whether exactly this address is listed.
    func lists(url address: String) -> Bool {
        // By bytes: Swift's strings are equal when they look the same.
        urls.contains { $0.utf8.elementsEqual(address.utf8) }
    }

    /// Whether a scheme was given to the app.
    public func owns(scheme: String) -> Bool { schemes.contains(scheme.lowercased()) }

    private static let reserved: Set = [
        "http", "https", "ws", "wss", "ftp", "file", "javascript", "data", "blob", "about", "vbscript",
        "filesystem", "view-source", "hub", "mailto", "tel",
    ]

    static func isScheme(_ text: String) -> Bool {
        // The underscore is in no standard, and in the schemes of apps all the same.
        guard let first = text.utf8.first, (0x61...0x7A).contains(first), text.utf8.count <= 64 else {
            return false
        }
        return text.utf8.allSatisfy {
            (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || "+-._".utf8.contains($0)
        }
    }

    private static func host(_ text: String) -> String? {
        let host = text.lowercased()
        let isHost = host.utf8.allSatisfy {
            (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || ".-".utf8.contains($0)
        }
        return isHost && !host.isEmpty && host.utf8.count <= 253 && !host.hasPrefix(".") ? host : nil
    }

    /// Returns scheme and host of an absolute web address; `nil` for one that URL parsers could read differently.
    static func parts(_ address: String) -> (scheme: String, host: String)? {
        guard let components = URLComponents(string: address), let scheme = components.scheme?.lowercased(),
            let host = components.host.flatMap(host), components.user == nil, components.password == nil,
            components.port == nil || components.port == (scheme == "https" ? 443 : 80),
            address.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") })
        else { return nil }
        return (scheme, host)
    }
}
