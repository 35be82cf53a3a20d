import Crypto
import Foundation
import Hummingbird
@_spi(Inlay) import InlayWire
import NIOCore

/// Responses with public files: cacheable, with ranges, and with nothing that a browser could run.
enum HubFileResponse {
    static func metadata(_ data: Data, name: String, _ request: Request) -> Response {
        let tag = "\"\(HubBlobStore.hex(SHA256.hash(data: data)))\""
        var headers = common(tag: tag, type: "application/json")
        // All metadata but the timestamp has its version in its name.
        if name == "timestamp.json" { headers[.cacheControl] = "no-cache" }
        if isKnown(tag, request) { return Response(status: .notModified, headers: headers) }
        return Response(status: .ok, headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: data)))
    }

    static func file(
        _ blob: HubBlob, _ media: HubMedia?, _ request: Request,
        read: @escaping @Sendable (Range<Int>) -> AsyncThrowingStream<Data, any Error>
    ) -> Response {
        let tag = "\"\(blob.hash)\""
        var headers = common(tag: tag, type: media?.contentType ?? "application/octet-stream")
        headers[.acceptRanges] = "bytes"
        if isKnown(tag, request) { return Response(status: .notModified, headers: headers) }
        let range = ByteRange(request.headers[.range], size: blob.size)
        headers[.contentRange] = range.contentRange(size: blob.size)
        switch range {
        case .whole:
            return Response(status: .ok, headers: headers, body: body(0..<blob.size, read))
        case .part(let part):
            return Response(status: .partialContent, headers: headers, body: body(part, read))
        case .unsatisfiable:
            return Response(status: .rangeNotSatisfiable, headers: headers)
        }
    }

    /// Returns a body with the bytes in a range, which are read piece by piece while they are sent.
    static func body(
        _ range: Range<Int>, _ read: @escaping @Sendable (Range<Int>) -> AsyncThrowingStream<Data, any Error>
    ) -> ResponseBody {
        ResponseBody(contentLength: range.count) { writer in
            for try await data in read(range) { try await writer.write(ByteBuffer(bytes: data)) }
            try await writer.finish(nil)
        }
    }

    private static func common(tag: String, type: String) -> HTTPFields {
        var headers: HTTPFields = [
            .eTag: tag, .contentType: type, .cacheControl: "public, max-age=31536000, immutable",
            .contentSecurityPolicy: "default-src 'none'; sandbox", .accessControlAllowOrigin: "*",
        ]
        headers[.xContentTypeOptions] = "nosniff"
        return headers
    }

    private static func isKnown(_ tag: String, _ request: Request) -> Bool {
        guard let known = request.headers[.ifNoneMatch] else { return false }
        return known == "*"
            || known.split(separator: ",").contains { part in
                let part = part.trimmingCharacters(in: .whitespaces)
                return part == tag || part == "W/" + tag
            }
    }
}
