import Foundation
@_spi(Inlay) import InlaySurface
@_spi(Inlay) import InlayWire

/// A request for a file of a surface's own content.
struct ContentRequest: Sendable {
    let request: WebRequest
    let path: String
    /// The path below which the surface's content is.
    let prefix: String

    /// The client is a document with an opaque origin, so all requests are cross-origin. The URL cannot be guessed and
    /// authorizes the request.
    static let openHeaders = [
        "Cross-Origin-Resource-Policy": "cross-origin", "Access-Control-Allow-Origin": "*",
    ]

    func reply(from surface: any Surface) async -> WebReply {
        guard let content = try? await surface.resource(path) else { return .notFound }
        // A browser that showed another file as a document would show a document without the host's script.
        guard content.rules != nil || !request.isForDocument else { return WebReply(status: 403) }
        guard let data = try? content.closed(prefix: prefix) else {
            return WebReply(status: 415)
        }
        let base = request.origin + prefix
        var reply = WebReply(
            status: 200, mediaType: content.mediaType, body: data,
            contentSecurityPolicy: (content.rules ?? FrameRules()).policy(base: base),
            headers: Self.openHeaders)
        reply.isDocument = content.rules != nil
        reply.headers["Connection-Allowlist"] = (content.rules ?? FrameRules()).connectionAllowlist
        reply.headers["Accept-Ranges"] = "bytes"
        reply.headers["Permissions-Policy"] = Self.deniedPermissions
        return content.rules == nil ? part(of: reply) : reply
    }

    /// All permissions that a document could request, denied. Browsers ignore unknown names.
    private static let deniedPermissions = [
        "accelerometer", "autoplay", "browsing-topics", "camera", "clipboard-read", "clipboard-write",
        "display-capture", "encrypted-media", "geolocation", "gyroscope", "hid", "identity-credentials-get",
        "idle-detection", "local-fonts", "local-network-access", "loopback-network", "magnetometer",
        "microphone", "midi", "otp-credentials", "payment", "publickey-credentials-get", "screen-wake-lock",
        "serial", "storage-access", "usb", "xr-spatial-tracking",
    ].map { "\($0)=()" }.joined(separator: ", ")

    /// Returns the requested range of bytes: video players request parts of a file.
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
