/// A kind of file that a source may contain, named by the extension.
package enum HubMedia: String, CaseIterable, Sendable {
    case svg, png, jpg, jpeg, webp, gif, avif
    case mp4, webm, m4a, mp3, vtt
    case css, js, json, woff2, html

    /// Creates the kind of a file from its path; `nil` when a source may not contain such files.
    package init?(path: String) {
        guard let dot = path.lastIndex(of: ".") else { return nil }
        self.init(rawValue: String(path[path.index(after: dot)...]))
    }

    package var isPicture: Bool { [.svg, .png, .jpg, .jpeg, .webp, .gif, .avif].contains(self) }
    package var isVideo: Bool { [.mp4, .webm].contains(self) }
    /// Whether files of this kind belong to all pages, and not only to the page that names them.
    var isShared: Bool { [.css, .js, .json, .woff2].contains(self) }

    /// The maximum size of a file of this kind, in bytes.
    package var maximumBytes: Int { isVideo ? HubLimits.maximumVideoBytes : HubLimits.maximumFileBytes }

    /// The media type that the server sends.
    ///
    /// Kinds that a browser would run as a page of this server are sent as plain bytes: devices know the kind of a
    /// file from its name, and no other client has reason to open it here.
    var contentType: String {
        switch self {
        case .png: "image/png"
        case .jpg, .jpeg: "image/jpeg"
        case .webp: "image/webp"
        case .gif: "image/gif"
        case .avif: "image/avif"
        case .mp4: "video/mp4"
        case .webm: "video/webm"
        case .m4a: "audio/mp4"
        case .mp3: "audio/mpeg"
        case .vtt: "text/vtt"
        case .json: "application/json"
        case .woff2: "font/woff2"
        case .svg, .css, .js, .html: "application/octet-stream"
        }
    }
}
