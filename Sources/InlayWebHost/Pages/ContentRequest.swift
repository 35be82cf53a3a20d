import Foundation
@_spi(Inlay) import InlaySurface
@_spi(Inlay) import InlayWire

/// A request for a file of a surface's own content, and its answer.
struct ContentRequest: Sendable {
    let request: WebRequest
    let path: String
    /// The path below which the surface's content is.
    let prefix: String

    /// The client is a document without an origin, to which everything belongs to another site. The address, which
    /// nobody can guess, authorizes it.
    static let openHeaders = [
        "Cross-Origin-Resource-Policy": "cross-origin", "Access-Control-Allow-Origin": "*",
    ]

    func reply(from surface: any Surface) async -> WebReply {
        guard let content = try? await surface.resource(path) else { return .notFound }
        // A picture or a text that is opened as a document would be a document without the host's script.
        guard content.rules != nil || !request.isForDocument else { return WebReply(status: 403) }
        guard let data = try? content.closed(prefix: prefix) else {
            return WebReply(status: 415)
        }
        let base = request.origin + prefix
        var reply = WebReply(
            status: 200, mediaType: content.mediaType, body: data,
            policy: (content.rules ?? FrameRules()).policy(base: base), headers: Self.openHeaders)
        reply.isDocument = content.rules != nil
        reply.headers["Connection-Allowlist"] = (content.rules ?? FrameRules()).connections
        reply.headers["Accept-Ranges"] = "bytes"
        reply.headers["Permissions-Policy"] = Self.permissions
        return content.rules == nil ? part(of: reply) : reply
    }

    /// Every power that a document could ask for, refused. A browser that does not know a name skips it.
    private static let permissions = [
        "accelerometer", "autoplay", "browsing-topics", "camera", "clipboard-read", "clipboard-write",
        "display-capture", "encrypted-media", "geolocation", "gyroscope", "hid", "identity-credentials-get",
        "idle-detection", "local-fonts", "local-network-access", "loopback-network", "magnetometer",
        "microphone", "midi", "otp-credentials", "payment", "publickey-credentials-get", "screen-wake-lock",
        "serial", "storage-access", "usb", "xr-spatial-tracking",
    ].map { "\($0)=()" }.joined(separator: ", ")

    /// The bytes that were asked for: a video is read from where the reader wants to see it.
    private func part(of whole: WebReply) -> WebReply {
        guard request.method == "GET" else { return whole }
        var reply = whole
        let size = whole.body.count
        let range = ByteRange(request.range, size: size)
        reply.headers["Content-Range"] = range.contentRange(size: size)
        switch range {
        case .whole: return whole
        case .unsatisfiable:
            reply.status = 416
            reply.body = Data()
        case .part(let part):
            reply.status = 206
            reply.body = whole.body.subdata(
                in: (whole.body.startIndex + part.lowerBound)..<(whole.body.startIndex + part.upperBound))
        }
        return reply
    }
}
