@_spi(Inlay) public import InlayWire
@_spi(Inlay) import InlaySurface

/// The rules for what pages may load and where links may lead.
///
/// The publisher's signed lists narrow the app's, never widen them: while the policy names addresses or
/// domains, only what both allow is reachable.
@_spi(Inlay) public struct HubAccess: Hashable, Sendable {
    /// The sources that pages may load from.
    public var contentSource: HubSettings.ContentSource
    /// The app's lists.
    public var allowed: HubAllowList
    /// Addresses that the publisher signed.
    public var signedURLs: [String] = []
    /// Domains that the publisher signed.
    public var signedDomains: [String] = []

    /// The rules of an app, with the policy of the source where there is one.
    public init(contentSource: HubSettings.ContentSource, allowed: HubAllowList, policy: HubPolicy? = nil) {
        self.contentSource = contentSource
        self.allowed = allowed
        signedURLs = policy?.allowedURLs ?? []
        signedDomains = policy?.allowedDomains ?? []
    }

    /// Whether a page may load an address from outside the content.
    public func allowsResource(_ address: String) -> Bool {
        switch contentSource {
        case .externalAllowed: LinkTarget.web(address) != nil
        case .localOnly: allowed.allows(address) && isSigned(address)
        }
    }

    /// Returns the decision about a link that the reader follows.
    public func decision(for link: String) -> HubPresentation.LinkDecision {
        if let reference = HubReference(uri: link) { return .content(reference) }
        guard let scheme = Self.scheme(of: link) else { return .refuse }
        if allowed.owns(scheme: scheme) { return .app(link) }
        // An address of the hub's scheme that names no page belongs to nobody else either.
        guard scheme != HubReference.scheme else { return .refuse }
        // A web page never loads in the hub: it opens outside, and only when the reader agrees.
        if case .address(let address)? = LinkTarget(link) { return .ask(address) }
        guard contentSource == .externalAllowed, LinkTarget.isForApp(link) else { return .refuse }
        return .ask(link)
    }

    /// The origins that a page may load anything from, as sources of a Content-Security-Policy; `nil` when all are
    /// allowed.
    public var sources: [String]? {
        guard contentSource == .localOnly else { return nil }
        let schemes = allowed.allowsPlainHTTP ? ["https", "http"] : ["https"]
        return allowed.domains.sorted().flatMap { host in schemes.map { "\($0)://\(host)" } }
            .filter { isSigned($0 + "/") }
    }

    /// The single addresses that a page may load, each with exactly its query and its fragment.
    ///
    /// A Content-Security-Policy cannot name them, because it knows neither query nor fragment: a host fetches them for
    /// the page and asks ``allowsAddress(_:)`` for each request. Empty when all addresses are allowed.
    public var addresses: [String] {
        guard contentSource == .localOnly else { return [] }
        return allowed.urls.union(signedURLs).filter(allowsResource).sorted()
    }

    /// Whether exactly this address is one of ``addresses``.
    public func allowsAddress(_ address: String) -> Bool {
        // By bytes: Swift's strings are equal when they look the same.
        addresses.contains { $0.utf8.elementsEqual(address.utf8) }
    }

    private func isSigned(_ address: String) -> Bool {
        guard !signedURLs.isEmpty || !signedDomains.isEmpty else { return true }
        if signedURLs.contains(where: { $0.utf8.elementsEqual(address.utf8) }) { return true }
        guard let (scheme, host) = HubAllowList.parts(address), scheme == "https" else { return false }
        return signedDomains.contains { $0.lowercased() == host }
    }

    private static func scheme(of link: String) -> String? {
        guard let colon = link.firstIndex(of: ":") else { return nil }
        let scheme = link[..<colon].lowercased()
        let isClean = link.unicodeScalars.allSatisfy { $0.value > 0x20 && $0.value != 0x7F }
        return isClean && link.utf8.count <= LinkTarget.maximumAddressLength && HubAllowList.isScheme(scheme)
            ? scheme : nil
    }
}

extension HubPresentation {
    /// The decision about a link.
    public enum LinkDecision: Hashable, Sendable {
        /// To a page of the hub.
        case content(HubReference)
        /// To the app, with the address unchanged.
        case app(String)
        /// Out of the app, when the reader agrees.
        case ask(String)
        /// Nowhere.
        case refuse
    }
}
