public import Foundation

/// The restrictions of a document of the surface's own content in a frame, prepared by `FrameDocument`.
///
/// The document always runs in a sandbox with an opaque origin: it cannot access the surrounding page or its host, open
/// windows, submit forms, or navigate the app's page.
@_spi(Inlay) public struct FrameRules: FramePolicy, Codable, Hashable, Sendable {
    /// The outside origins that a document may connect to.
    public enum Outside: Codable, Hashable, Sendable {
        /// No outside origin.
        case nothing
        /// These origins, such as `https://www.example.com`, with all their URLs.
        case origins([String])
        /// All outside origins.
        case anything
    }

    /// Whether script files of the surface's own content run. Inline scripts of the document never do.
    public var allowsScripts: Bool
    /// The outside origins that the document may connect to.
    public var outside: Outside
    /// Single outside URLs that the document may load, each with its query and its fragment.
    ///
    /// A content security policy cannot express this, because browsers compare a URL without its query. So the policy
    /// blocks these URLs; the document requests them from its host below ``outsidePath``, and the host calls
    /// ``Surface/allowsRequest(to:)`` for each request.
    public var addresses: [String]

    /// Creates rules; the defaults allow nothing.
    public init(allowsScripts: Bool = false, outside: Outside = .nothing, addresses: [String] = []) {
        self.allowsScripts = allowsScripts
        self.outside = outside
        self.addresses = addresses
    }

    /// The path below the surface's content at which a host fetches listed URLs for a document; the query's `u` is the
    /// URL.
    public static let outsidePath = "~/outside"

    /// The host's own scripts in every frame, as paths below the surface's content, in the order in which they run: the
    /// first disables APIs, the second forwards links and keys.
    public static let scriptPaths = ["~/frame-apis.js", "~/frame.js"]

    /// The value of the frame element's `sandbox` attribute, and of the directive in the document's policy.
    ///
    /// Scripts are allowed because the host's own scripts must run; the policy blocks all others.
    public static let sandbox = "allow-scripts"

    /// Returns the content security policy of a document in a frame.
    ///
    /// - Parameter base: The absolute URL below which the surface's files are, ending with a slash. `'self'` would also
    ///   allow the host's other URLs, such as pictures from outside.
    public func policy(base: String) -> String {
        let outsideSources = sources
        func rule(_ name: String, _ ownSources: [String]) -> String {
            let all = ownSources + outsideSources
            return "\(name) \(all.isEmpty ? "'none'" : all.joined(separator: " "))"
        }
        var rules = [
            "default-src 'none'", rule("img-src", [base, "data:"]), rule("media-src", [base]),
            rule("font-src", [base, "data:"]), rule("style-src", [base, "'unsafe-inline'"]),
            // A document's scripts may also come from the allowed origins; without them only the host's own scripts
            // run.
            allowsScripts
                ? rule("script-src", [base])
                : "script-src \(Self.scriptPaths.map { base + $0 }.joined(separator: " "))",
            rule("connect-src", addresses.isEmpty ? [] : [base + Self.outsidePath]), rule("frame-src", []),
            "object-src 'none'", "worker-src 'none'",
            "form-action 'none'", "base-uri 'none'", "frame-ancestors 'self'", "sandbox \(Self.sandbox)",
        ]
        if outside != .anything {
            rules += ["require-trusted-types-for 'script'", "trusted-types default"]
        }
        return rules.joined(separator: "; ")
    }

    /// The `Connection-Allowlist` of a document without outside origins; `nil` for others.
    ///
    /// A browser that supports it opens no other connection for the document, neither ahead of a load nor for a
    /// navigation that is then blocked. In other browsers only the remaining restrictions apply.
    public var connectionAllowlist: String? { outside == .nothing ? "(response-origin)" : nil }

    /// Returns the document's bytes, prepared by `FrameDocument`.
    public func prepared(_ document: Data, prefix: String) throws -> Data {
        try FrameDocument.prepared(document, prefix: prefix, rules: self)
    }

    /// The allowed outside origins, as source expressions of a policy.
    private var sources: [String] {
        switch outside {
        case .nothing: []
        case .anything: ["https:", "http:", "wss:", "ws:"]
        case .origins(let origins): origins.compactMap(Self.source)
        }
    }

    /// Returns an origin as a source expression of a policy; `nil` for any other text.
    static func source(_ origin: String) -> String? {
        guard let scheme = ["https://", "http://"].first(where: origin.hasPrefix) else { return nil }
        return isHost(String(origin.dropFirst(scheme.count))) ? origin : nil
    }

    static func isHost(_ text: String) -> Bool {
        let labels = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return (1...253).contains(text.utf8.count) && labels.count > 1
            && labels.allSatisfy { label in
                (1...63).contains(label.count) && label.first != UInt8(ascii: "-")
                    && label.allSatisfy { byte in
                        byte == UInt8(ascii: "-") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                            || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
                    }
            }
    }
}

/// The restrictions of a document in a frame: the headers that hosts send with it, and the prepared bytes.
@_spi(Inlay) public protocol FramePolicy: Sendable {
    /// Returns the content security policy of the document.
    ///
    /// - Parameter base: The absolute URL below which the surface's files are, ending with a slash.
    func policy(base: String) -> String

    /// The `Connection-Allowlist` of the document; `nil` for none.
    var connectionAllowlist: String? { get }

    /// Returns the document as the frame receives it.
    ///
    /// - Parameter prefix: The URL below which the surface's files are, ending with a slash.
    func prepared(_ document: Data, prefix: String) throws -> Data
}

extension FramePolicy {
    /// By default there is none.
    public var connectionAllowlist: String? { nil }
}
