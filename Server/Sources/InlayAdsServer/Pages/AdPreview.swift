import InlayServerCore
@_spi(Inlay) import InlayWire

/// The preview of a creative for operators: HTML in a frame, VAST as apps read it.
struct AdPreview {
    /// A frame with the creative's HTML, or with the media file that apps would play.
    struct Frame {
        let framePath: String
        /// In points; `nil` fills a phone's screen.
        let frameWidth: Int?
        let frameHeight: Int?
        let isFixed: Bool
        let frameText: String
    }

    let frame: Frame?
    let vast: VASTPreview?
    /// The addresses in the creative that use http.
    let plain: InsecureAddresses?

    /// Creates the preview of a creative whose frame is at a path. Hosts of `cleartextHosts` are reached without TLS,
    /// as by apps of a server on the same machine.
    init(_ creative: AdCreative, at path: String, cleartextHosts: Set<String>) {
        switch creative.kind {
        case .html:
            let isFixed = creative.width > 0 && creative.height > 0
            vast = nil
            plain = InsecureAddresses(html: creative.servedMarkup, cleartextHosts: cleartextHosts)
            frame = Frame(
                framePath: path, frameWidth: isFixed ? creative.width : nil,
                frameHeight: isFixed ? creative.height : nil, isFixed: isFixed,
                frameText: isFixed
                    ? "\(creative.width) × \(creative.height) points, without an origin."
                    : "It fills its placement; here the screen of a phone, in a frame without an origin.")
        case .vast:
            let summary = VASTPreview(creative.servedMarkup, cleartextHosts: cleartextHosts)
            vast = summary
            plain = summary.plain
            frame = summary.mediaFile.map { file in
                let (width, height) = Self.size(of: file)
                return Frame(
                    framePath: path, frameWidth: width, frameHeight: height, isFixed: true,
                    frameText: "The file that apps choose.")
            }
        }
    }

    /// Returns the size of the frame: at most 480 points wide and 640 high, in the file's aspect ratio where that fits.
    private static func size(of file: VASTMediaFile) -> (Int, Int) {
        guard file.width > 0, file.height > 0 else { return (480, 270) }
        let width = min(file.width, 480)
        return (width, min(max(file.height * width / file.width, 1), 640))
    }

    // MARK: The frame's document

    /// Returns the frame's content security policy. The creative runs without an origin, can neither leave the frame
    /// nor send a form, and loads over https only; http addresses in the markup become https, as in apps.
    static func policy(cleartextHosts: Set<String>) -> String {
        let sources = (["https:", "data:"] + cleartextHosts.sorted().map { "http://\($0):*" }).joined(
            separator: " ")
        return [
            "sandbox allow-scripts", "default-src 'none'", "img-src \(sources)", "media-src \(sources)",
            "font-src https: data:", "style-src 'unsafe-inline' https:", "script-src 'unsafe-inline' https:",
            "form-action 'none'", "base-uri 'none'", "frame-ancestors 'self'", "upgrade-insecure-requests",
        ].joined(separator: "; ")
    }

    /// The frame's HTML document; `nil` for VAST in which there is nothing to play.
    static func document(of creative: AdCreative, cleartextHosts: Set<String>) -> String? {
        let head = "<!doctype html><meta charset=\"utf-8\"><body style=\"margin:0\">"
        switch creative.kind {
        case .html:
            // No document type is added, so a fragment is laid out in quirks mode, as in apps.
            let start = creative.servedMarkup.drop { $0.isWhitespace }
            guard !start.prefix(9).lowercased().elementsEqual("<!doctype") else {
                return creative.servedMarkup
            }
            return "<meta charset=\"utf-8\"><style>:where(body) { margin: 0 }</style>" + creative.servedMarkup
        case .vast:
            return VASTPreview(creative.servedMarkup, cleartextHosts: cleartextHosts).mediaFile.map { file in
                "\(head)<video controls playsinline preload=\"metadata\" style=\"display:block;width:100%;"
                    + "height:100vh;background:#000\" src=\"\(HTMLText.escaped(file.address))\"></video>"
            }
        }
    }
}
