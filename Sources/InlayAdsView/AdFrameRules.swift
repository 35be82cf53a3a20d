public import Foundation
@_spi(Inlay) public import InlaySurface

/// The limits of a document of an advertiser in a frame.
@_spi(Inlay) public enum AdFrameRules: FramePolicy, Hashable {
    /// Markup of an advertiser, shown as it is: it runs its own script and loads over https from anywhere, but keeps
    /// nothing, asks nothing, opens nothing and leads nowhere. Frames of other sites within it are outside of the
    /// host's limits on connections, processor and memory, so the ad unit has to allow them.
    case creative(allowsFrames: Bool)
    /// The document around a page that a click led to, where there is no browser.
    case landing

    /// The sandbox of the page of a click: it may run scripts and store data in its own origin, and never moves the app's page.
    public static let landingSandbox = "allow-scripts allow-forms allow-same-origin"

    /// The host's own scripts in every creative, below the surface's content, in the order in which they run.
    static let creativeScriptPaths = ["~/ad-network.js", "~/ad-limits.js", "~/ad-mraid.js", "~/ad-frame.js"]

    public func policy(base: String) -> String {
        switch self {
        case .creative(let allowsFrames): creativePolicy(base: base, allowsFrames: allowsFrames)
        case .landing: landingPolicy()
        }
    }

    public func prepared(_ document: Data, prefix: String) throws -> Data {
        let bytes = try FrameDocument.markup(document)
        return switch self {
        case .creative: Self.creative(bytes, prefix: prefix)
        case .landing: Data(bytes)
        }
    }

    /// The policy of a creative. Frames of its own markup (`srcdoc`) are no matter of `frame-src`: they inherit policy
    /// and sandbox, and the host's scripts run in them. What the markup asks for over http is fetched over https.
    /// `webrtc` is for browsers that know it; in the others the host's script takes peer connections away.
    private func creativePolicy(base: String, allowsFrames: Bool) -> String {
        [
            "default-src 'none'", "img-src \(base) https: data: blob:",
            "media-src \(base) https: data: blob:",
            "font-src https: data:", "style-src https: 'unsafe-inline'",
            "script-src \(base) https: 'unsafe-inline'", "connect-src https:",
            "frame-src \(allowsFrames ? "https:" : "'none'")",
            "object-src 'none'", "worker-src 'none'", "manifest-src 'none'", "form-action 'none'",
            "base-uri https:", "frame-ancestors 'self'", "upgrade-insecure-requests", "webrtc 'block'",
            "sandbox \(FrameRules.sandbox)",
        ].joined(separator: "; ")
    }

    /// The policy of the document around a click's page: it holds a frame and nothing else.
    private func landingPolicy() -> String {
        [
            "default-src 'none'", "style-src 'unsafe-inline'", "frame-src https: http:",
            "form-action 'none'", "base-uri 'none'", "frame-ancestors 'self'",
            "sandbox \(Self.landingSandbox)",
        ].joined(separator: "; ")
    }

    /// The host's scripts, then the markup as it is. Without margins, because a banner's size is its own.
    ///
    /// The browser lays a document out by the rules that its document type asks for, and a fragment without one by
    /// the old rules that fragments are written for. So the markup's own type, and no other, comes first.
    private static func creative(_ bytes: [UInt8], prefix: String) -> Data {
        let scripts = creativeScriptPaths.map { path in
            "<script src=\"\(HTMLText.escaped(prefix + path))\"></script>"
        }
        let opening = scripts.joined() + "<style>:where(body) { margin: 0 }</style>"
        return Data(documentType(of: bytes) + Array(opening.utf8) + bytes)
    }

    /// The document type at the start of a document; empty where there is none. It holds no `>` but its last byte, so
    /// a parser makes nothing else of it.
    static func documentType(of bytes: [UInt8]) -> ArraySlice<UInt8> {
        var rest = bytes[...]
        while true {
            rest = rest.drop { [9, 10, 12, 13, 32].contains($0) }
            if rest.starts(with: Array("<!--".utf8)) {
                guard let end = commentEnd(rest.dropFirst(4)) else { return [] }
                rest = rest[end...]
            } else if rest.starts(with: Array("<?".utf8)) {
                // A browser takes the first line of an XML document for a comment.
                guard let end = rest.firstIndex(of: UInt8(ascii: ">")) else { return [] }
                rest = rest[(end + 1)...]
            } else {
                break
            }
        }
        let name = rest.prefix(9).map { $0 | 0x20 }
        guard name == Array("<!doctype".utf8).map({ $0 | 0x20 }),
            let end = rest.firstIndex(of: UInt8(ascii: ">"))
        else { return [] }
        return rest[...end]
    }

    private static func commentEnd(_ bytes: ArraySlice<UInt8>) -> Int? {
        let dash = UInt8(ascii: "-")
        for index in bytes.indices where bytes[index] == UInt8(ascii: ">") {
            if bytes[..<index].suffix(2).elementsEqual([dash, dash]) { return index + 1 }
        }
        return nil
    }
}
