import Crypto
package import Foundation
import HTTPTypes
package import Hummingbird
import InlayServerCore

/// The responses with pages and files.
package enum WorkbenchResponse {
    /// The content security policy of the Workbench: its own files and nothing else, no inline script or style.
    static let policy = [
        "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data:",
        "font-src 'self'", "media-src 'self'",
        "connect-src 'self'", "frame-src 'self'", "form-action 'self'", "base-uri 'none'",
        "frame-ancestors 'none'",
    ].joined(separator: "; ")

    /// Returns a page that no cache may store, because only this operator may see it.
    static func html(_ html: String, status: HTTPResponse.Status) -> Response {
        Response(
            status: status,
            headers: [
                .contentType: "text/html; charset=utf-8", .contentSecurityPolicy: policy,
                .cacheControl: "no-store",
                .xFrameOptions: "DENY",
            ],
            body: .init(byteBuffer: ByteBuffer(string: html)))
    }

    /// Returns bytes that no cache may store, because only this operator may see them.
    static func data(_ data: Data, _ mediaType: String, policy: String) -> Response {
        body(.init(byteBuffer: ByteBuffer(bytes: data)), mediaType, policy: policy)
    }

    /// Returns a body, such as a stream, that no cache may store, because only this operator may see it.
    static func body(_ body: ResponseBody, _ mediaType: String, policy: String) -> Response {
        Response(
            status: .ok,
            headers: [.contentType: mediaType, .contentSecurityPolicy: policy, .cacheControl: "no-store"],
            body: body)
    }

    /// Returns a file that is the same for everyone; caches revalidate it with its entity tag.
    package static func asset(_ data: Data, _ mediaType: String, for request: Request) -> Response {
        let hash = SHA256.hash(data: data).prefix(12).map { String(format: "%02x", $0) }.joined()
        let tag = "\"\(hash)\""
        let headers: HTTPFields = [.contentType: mediaType, .cacheControl: "no-cache", .eTag: tag]
        if request.headers[.ifNoneMatch] == tag { return Response(status: .notModified, headers: headers) }
        return Response(status: .ok, headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: data)))
    }

    /// Returns a page that is the same for everyone; caches revalidate it with its entity tag.
    static func openPage(_ html: Data, for request: Request) -> Response {
        var response = asset(html, "text/html; charset=utf-8", for: request)
        response.headers[.contentSecurityPolicy] = policy
        response.headers[.xFrameOptions] = "DENY"
        return response
    }
}

extension HTTPField.Name {
    // Literals of valid tokens, so the failable initializer cannot fail.
    static let inlayFragment = HTTPField.Name("Inlay-Fragment")!
    static let inlayForm = HTTPField.Name("Inlay-Form")!
    static let secFetchSite = HTTPField.Name("Sec-Fetch-Site")!
}
