public import Foundation

/// The files a page loads: script, style sheets and the page itself.
public enum SurfaceAssets {
    /// The names that a host serves under its own origin.
    public static let names = [
        "surface.js", "card-arrivals.js", "setup.js", "ads.js", "ad-sight.js", "ad-line.js", "ad-creative.js",
        "ad-video.js",
        "surface.css", "hub.css", "setup.css", "ads.css", "tokens.css",
    ]

    /// What a host serves below a surface's content at `~/`, for the frames in a page.
    public static let frameNames = ["frame.js", "frame.css", "ad-realm.js", "ad-frame.js"]

    /// The policy every host sends with the page; nothing a surface draws needs more.
    public static let contentSecurityPolicy = [
        "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data:",
        "font-src 'self'", "connect-src 'self'", "form-action 'none'", "base-uri 'none'",
        "frame-ancestors 'self'",
    ].joined(separator: "; ")

    /// The same for the page of a surface with content of its own: it may frame documents and play videos
    /// from below `content`, an absolute address that ends with a slash.
    public static func contentSecurityPolicy(content: String) -> String {
        "\(contentSecurityPolicy); frame-src \(content); media-src \(content)"
    }

    /// The bytes of one of `names` or `frameNames`; `nil` for every other name, so a path from a request may be passed in.
    public static func data(named name: String) -> Data? {
        guard names.contains(name) || frameNames.contains(name) else { return nil }
        return try? Data(contentsOf: folder.appendingPathComponent(name))
    }

    /// The media type of one of `names`.
    public static func mediaType(of name: String) -> String {
        name.hasSuffix(".js") ? "text/javascript; charset=utf-8" : "text/css; charset=utf-8"
    }

    /// The page that shows a surface. It loads its assets by relative address and connects to the WebSocket
    /// `socket` beside itself, unless its host brings a bridge of its own.
    public static func page(surface: String, title: String = "") throws -> Data {
        let html = try SurfaceRenderer.load().render("page", ["surface": surface, "title": title])
        return Data(html.utf8)
    }

    // Foundation on Linux takes a bundle's folder called Resources for the root of its resources, Foundation on
    // Apple platforms does not; so the folder is there once or twice.
    static let folder: URL = {
        let root = Bundle.module.resourceURL ?? Bundle.module.bundleURL
        let inner = root.appendingPathComponent("Resources", isDirectory: true)
        return FileManager.default.fileExists(atPath: inner.path) ? inner : root
    }()
}
