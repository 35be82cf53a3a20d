public import Foundation
@_spi(Inlay) public import InlaySurface

/// The restrictions on an advertiser's document in a frame.
@_spi(Inlay) public enum AdFrameRules: FramePolicy, Hashable {
    /// The unchanged markup of an advertiser. It runs its own scripts and loads over https from anywhere, but it stores
    /// no data, shows no prompts, opens no windows and navigates nowhere. Frames of other sites in it are outside of
    /// the host's limits on connections, processor and memory, so the ad unit has to allow them.
    case creative(allowsFrames: Bool)
    /// The document around a landing page that is shown because there is no browser.
    case landing

    /// The sandbox of a landing page: it may run scripts and store data in its own origin, but it cannot navigate the
    /// app's page.
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

    /// Returns the policy of a creative. `frame-src` does not apply to frames of its own markup (`srcdoc`): they
    /// inherit policy and sandbox, and the host's scripts run in them. Requests over http are sent over https. In
    /// browsers that do not support `webrtc`, the host's script removes peer connections.
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

    /// Returns the policy of the document around a landing page, which contains only a frame.
    private func landingPolicy() -> String {
        [
            "default-src 'none'", "style-src 'unsafe-inline'", "frame-src https: http:",
            "form-action 'none'", "base-uri 'none'", "frame-ancestors 'self'",
            "sandbox \(Self.landingSandbox)",
        ].joined(separator: "; ")
    }

    /// Returns the markup with the host's scripts before it, and without margins, because a banner has no space for
    /// them.
    ///
    /// The markup's own document type stays first and none is added, because it decides whether the browser uses its
    /// standard mode or the quirks mode, for which fragments without a type are written.
    private static func creative(_ bytes: [UInt8], prefix: String) -> Data {
        let scripts = creativeScriptPaths.map { path in
            "<script src=\"\(HTMLText.escaped(prefix + path))\"></script>"
        }
        let opening = scripts.joined() + "<style>:where(body) { margin: 0 }</style>"
        return Data(documentType(of: bytes) + Array(opening.utf8) + bytes)
    }

    /// Returns the document type at the start of a document; empty when there is none. Only its last byte is `>`, so
    /// that a parser cannot read anything else in it.
    static func documentType(of bytes: [UInt8]) -> ArraySlice<UInt8> {
        var rest = bytes[...]
        while true {
            rest = rest.drop { [9, 10, 12, 13, 32].contains($0) }
            if rest.starts(with: Array("<!--".utf8)) {
                guard let end = commentEnd(rest.dropFirst(4)) else { return [] }
                rest = rest[end...]
            } else if rest.starts(with: Array("<?".utf8)) {
                // Browsers read the first line of an XML document as a comment.
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
