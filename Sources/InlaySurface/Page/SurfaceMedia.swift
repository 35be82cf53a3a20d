@_spi(Inlay) import InlayWire

/// The source from which a page loads its images.
///
/// A page may load only from its own host, which fetches images with the SDK's transport and its gate.
public struct SurfaceMedia: Codable, Hashable, Sendable {
    private enum Source: Codable, Hashable, Sendable {
        case host(prefix: String)
        case direct
    }

    private let source: Source

    /// Images are loaded from the page's host at `media?u=<address>`, relative to the page; the default everywhere.
    public static let throughHost = SurfaceMedia(source: .host(prefix: "media?u="))

    /// Images are loaded from their own URLs: for a preview whose policy allows that.
    public static let direct = SurfaceMedia(source: .direct)

    /// Images are loaded from a host at another URL: the percent-encoded address follows the prefix.
    public static func through(prefix: String) -> SurfaceMedia { SurfaceMedia(source: .host(prefix: prefix)) }

    /// Returns the URL that the page loads; `nil` when the image's address is not http or https.
    public func source(of address: String) -> String? {
        guard let address = LinkTarget.web(address) else { return nil }
        switch source {
        case .direct: return address
        case .host(let prefix): return prefix + PercentEncoding.encode(address)
        }
    }
}

/// The media type of a file of a surface's content, by the extension of its path.
///
/// The path is signed with the content; the bytes are never inspected.
@_spi(Inlay) public enum SurfaceMediaType {
    /// Returns the type of a path; `application/octet-stream` for an unknown extension.
    public static func of(_ path: String) -> String {
        let name = path.utf8.split(separator: UInt8(ascii: "/")).last.map {
            String(decoding: $0, as: UTF8.self)
        }
        guard let name, let dot = name.lastIndex(of: ".") else { return unknown }
        return types[name[name.index(after: dot)...].lowercased()] ?? unknown
    }

    private static let unknown = "application/octet-stream"

    private static let types = [
        "html": "text/html; charset=utf-8", "htm": "text/html; charset=utf-8",
        "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8",
        "mjs": "text/javascript; charset=utf-8", "json": "application/json",
        "txt": "text/plain; charset=utf-8",
        "vtt": "text/vtt; charset=utf-8", "svg": "image/svg+xml", "png": "image/png", "jpg": "image/jpeg",
        "jpeg": "image/jpeg", "gif": "image/gif", "webp": "image/webp", "avif": "image/avif",
        "woff": "font/woff", "woff2": "font/woff2", "ttf": "font/ttf", "otf": "font/otf",
        "mp4": "video/mp4", "m4v": "video/mp4", "webm": "video/webm", "mov": "video/quicktime",
        "mp3": "audio/mpeg", "m4a": "audio/mp4", "ogg": "audio/ogg", "wav": "audio/wav",
        "pdf": "application/pdf",
    ]
}
