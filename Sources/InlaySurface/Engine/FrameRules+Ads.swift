extension FrameRules {
    /// What kind of document is in a frame.
    public enum Kind: String, Codable, Hashable, Sendable {
        /// A document of the surface's own content, closed by ``FrameDocument``.
        case document
        /// Markup of an advertiser, shown as it is.
        case creative
        /// The host's own document around a page of the web.
        case landing
    }

    /// A creative's document: it runs its own script and loads over https from anywhere, but keeps nothing,
    /// asks nothing, opens nothing and leads nowhere.
    public static let creative = FrameRules(kind: .creative, allowsScripts: true, outside: .anything)

    /// The document around a page that a click led to, where there is no browser.
    public static let landing = FrameRules(kind: .landing, allowsScripts: false, outside: .anything)

    /// What the page of a click may do: run and keep things in its own origin, never move the app's page.
    public static let landingSandbox = "allow-scripts allow-forms allow-same-origin"

    /// The host's own scripts in every creative, below the surface's content, in the order in which they run.
    static let creativeScriptPaths = ["~/ad-realm.js", "~/ad-frame.js"]

    /// The policy of a creative. Frames within are let in because many tags are made of them; they inherit the
    /// sandbox, so they can do no more than the creative itself. What the markup asks for over http is fetched over
    /// https. `webrtc` is for browsers that know it; in the others the host's script takes peer connections away.
    func creativePolicy(base: String) -> String {
        [
            "default-src 'none'", "img-src \(base) https: data: blob:",
            "media-src \(base) https: data: blob:",
            "font-src https: data:", "style-src https: 'unsafe-inline'",
            "script-src \(base) https: 'unsafe-inline'", "connect-src https:", "frame-src https:",
            "object-src 'none'", "worker-src 'none'", "manifest-src 'none'", "form-action 'none'",
            "base-uri https:", "frame-ancestors 'self'", "upgrade-insecure-requests", "webrtc 'block'",
            "sandbox \(Self.sandbox)",
        ].joined(separator: "; ")
    }

    /// The policy of the document around a click's page: it holds a frame and nothing else.
    func landingPolicy() -> String {
        [
            "default-src 'none'", "style-src 'unsafe-inline'", "frame-src https: http:",
            "form-action 'none'", "base-uri 'none'", "frame-ancestors 'self'",
            "sandbox \(Self.landingSandbox)",
        ].joined(separator: "; ")
    }
}
