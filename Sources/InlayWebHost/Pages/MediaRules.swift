/// The restrictions of the media that a host fetches for a page.
enum MediaRules {
    /// The maximum size of a file, in bytes.
    static let maximumBytes = 16 << 20

    /// The Content-Security-Policy of fetched media. Scripts in an SVG must not run in this host's origin when the
    /// image is opened by itself.
    static let policy =
        "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox; frame-ancestors 'none'"

    private static let allowed: Set<String> = [
        "image/avif", "image/bmp", "image/gif", "image/jpeg", "image/png", "image/svg+xml", "image/webp",
        "image/x-icon", "image/vnd.microsoft.icon", "font/otf", "font/ttf", "font/woff", "font/woff2",
        "application/font-woff", "application/font-woff2", "application/x-font-ttf", "application/x-font-otf",
    ]

    /// Returns the media type without parameters when it is an image or a font. No other text of the remote server gets
    /// into the reply's headers.
    static func allowedType(_ mediaType: String) -> String? {
        let essence = mediaType.prefix { $0 != ";" }.filter { !$0.isWhitespace }.lowercased()
        return allowed.contains(essence) ? essence : nil
    }
}
