import Foundation
import InlaySurface
import NIOHTTP1

/// A request for a file of a surface's own content, and its answer.
struct ContentRequest: Sendable {
    let head: HTTPRequestHead
    let path: String
    /// The path below which the surface's content is.
    let prefix: String

    /// Who loads from here is a document without an origin, to which everything is another site's. The
    /// address, which nobody guesses, is what lets it in.
    static let openHeaders = [
        "Cross-Origin-Resource-Policy": "cross-origin", "Access-Control-Allow-Origin": "*",
    ]

    /// Where this host is, as the browser that asks sees it; its `Host` was checked.
    static func origin(_ head: HTTPRequestHead) -> String {
        "http://\(head.headers.first(name: "host")?.lowercased() ?? "")"
    }

    func reply(from surface: any Surface) async -> Reply {
        guard let content = try? await surface.resource(path) else { return .notFound }
        // A picture or a text that is opened as a document would be a document without the host's script.
        guard content.rules != nil || !Self.isForDocument(head) else { return Reply(status: .forbidden) }
        guard let data = try? content.closed(prefix: prefix) else {
            return Reply(status: .unsupportedMediaType)
        }
        let base = Self.origin(head) + prefix
        var reply = Reply(
            status: .ok, mediaType: content.mediaType, body: data,
            policy: (content.rules ?? FrameRules()).policy(base: base), headers: Self.openHeaders)
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

    /// Whether the browser would show the answer as a document.
    static func isForDocument(_ head: HTTPRequestHead) -> Bool {
        ["document", "iframe", "frame", "object", "embed"].contains(
            head.headers.first(name: "sec-fetch-dest") ?? "")
    }

    /// The bytes that were asked for: a video is read from where the reader wants to see it.
    private func part(of whole: Reply) -> Reply {
        guard head.method == .GET, let range = head.headers.first(name: "range") else { return whole }
        var reply = whole
        let size = whole.body.count
        switch ByteRange(range, size: size) {
        case .whole: return whole
        case .none:
            reply.status = .rangeNotSatisfiable
            reply.body = Data()
            reply.headers["Content-Range"] = "bytes */\(size)"
        case .part(let part):
            reply.status = .partialContent
            reply.body = whole.body.subdata(
                in: (whole.body.startIndex + part.lowerBound)..<(whole.body.startIndex + part.upperBound + 1))
            reply.headers["Content-Range"] = "bytes \(part.lowerBound)-\(part.upperBound)/\(size)"
        }
        return reply
    }
}

/// What a `Range` header asks for.
enum ByteRange: Equatable {
    /// Nothing that we answer in parts: several ranges, other units, or not a range at all.
    case whole
    /// Nothing that exists.
    case none
    case part(ClosedRange<Int>)

    init(_ header: String, size: Int) {
        let text = header.filter { $0 != " " }
        guard text.hasPrefix("bytes="), !text.contains(",") else {
            self = .whole
            return
        }
        let ends = text.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, ends.allSatisfy({ $0.allSatisfy(\.isNumber) && $0.count <= 18 }) else {
            self = .whole
            return
        }
        switch (Int(ends[0]), Int(ends[1])) {
        case (let first?, let last?) where first <= last && first < size:
            self = .part(first...min(last, size - 1))
        case (_?, _?): self = .none
        case (let first?, nil): self = first < size ? .part(first...(size - 1)) : .none
        case (nil, let length?) where length > 0 && size > 0: self = .part(max(0, size - length)...(size - 1))
        case (nil, _?): self = .none
        case (nil, nil): self = .whole
        }
    }
}
