public import Foundation

/// The limits of a document of the surface's own content in a frame, closed by `FrameDocument`.
///
/// In any case it runs in a sandbox with an origin of its own: it reaches neither the page around
/// it nor its host, opens no window, sends no form and never leads the app's page elsewhere.
@_spi(Inlay) public struct FrameRules: FramePolicy, Codable, Hashable, Sendable {
    /// The addresses outside of the surface's own content that a document may reach.
    public enum Outside: Codable, Hashable, Sendable {
        /// Nothing can be reached.
        case nothing
        /// Only these places, with every address in them: origins such as `https://www.example.com`.
        case places([String])
        /// Everything can be reached.
        case anything
    }

    /// Whether script files of the surface's own content run. Script inside of the document never does.
    public var allowsScripts: Bool
    /// The addresses outside that it may reach.
    public var outside: Outside
    /// Single addresses outside that the document may load, each with its query and its fragment.
    ///
    /// No policy can say this: browsers compare an address without its query. So the policy lets none of them
    /// through; the document asks its host for them below ``outsidePath``, and the host asks
    /// ``Surface/allowsRequest(to:)`` for each request.
    public var addresses: [String]

    /// Rules; the defaults allow nothing.
    public init(allowsScripts: Bool = false, outside: Outside = .nothing, addresses: [String] = []) {
        self.allowsScripts = allowsScripts
        self.outside = outside
        self.addresses = addresses
    }

    /// The path at which a host fetches listed addresses for a document, below the surface's content; the address is
    /// the query's `u`.
    public static let outsidePath = "~/outside"

    /// The host's own scripts in every frame, below the surface's content, in the order in which they run: the first
    /// disables APIs, the second passes on links and keys.
    public static let scriptPaths = ["~/frame-apis.js", "~/frame.js"]

    /// The value of `sandbox` in the frame's element, and in the document's policy.
    ///
    /// Scripts are named because the host's own scripts must run; the policy stops all others.
    public static let sandbox = "allow-scripts"

    /// The policy of a document in a frame.
    ///
    /// - Parameter base: the absolute address below which the surface's files are, ending with a slash. Not
    ///   `'self'`: that would let a document ask its host for what is not content, such as pictures from
    ///   elsewhere.
    public func policy(base: String) -> String {
        let far = sources
        func rule(_ name: String, _ near: [String]) -> String {
            let all = near + far
            return "\(name) \(all.isEmpty ? "'none'" : all.joined(separator: " "))"
        }
        var rules = [
            "default-src 'none'", rule("img-src", [base, "data:"]), rule("media-src", [base]),
            rule("font-src", [base, "data:"]), rule("style-src", [base, "'unsafe-inline'"]),
            // A document's script may reach the document's addresses; the host's own scripts are always the same files.
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

    /// The `Connection-Allowlist` of a document that reaches nothing outside; `nil` where something is let in.
    ///
    /// A browser that knows it opens no connection of any kind to anywhere else for the document, neither
    /// ahead of a load nor of a navigation that is then refused. Others have the rest of the locks.
    public var connections: String? { outside == .nothing ? "(response-origin)" : nil }

    /// The document's bytes, closed by `FrameDocument`.
    public func prepared(_ document: Data, prefix: String) throws -> Data {
        try FrameDocument.prepared(document, prefix: prefix, rules: self)
    }

    /// Places outside, as a policy names them.
    private var sources: [String] {
        switch outside {
        case .nothing: []
        case .anything: ["https:", "http:", "wss:", "ws:"]
        case .places(let places): places.compactMap(Self.source)
        }
    }

    /// An origin as a policy names it; `nil` for anything else.
    static func source(_ place: String) -> String? {
        guard let scheme = ["https://", "http://"].first(where: place.hasPrefix) else { return nil }
        return isHost(String(place.dropFirst(scheme.count))) ? place : nil
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

/// The limits of a document in a frame: what hosts send with it, and the bytes that the frame gets.
@_spi(Inlay) public protocol FramePolicy: Sendable {
    /// The content security policy of the document.
    ///
    /// - Parameter base: the absolute address below which the surface's files are, ending with a slash.
    func policy(base: String) -> String

    /// The `Connection-Allowlist` of the document; `nil` for none.
    var connections: String? { get }

    /// The document as the frame gets it.
    ///
    /// - Parameter prefix: the address below which the surface's files are, ending with a slash.
    func prepared(_ document: Data, prefix: String) throws -> Data
}

extension FramePolicy {
    /// There is none.
    public var connections: String? { nil }
}
