public import Foundation
@_spi(Inlay) public import InlaySurface

/// The reply to a request of a page.
@_spi(Inlay) public struct WebReply: Sendable {
    /// The HTTP status.
    public var status: Int
    /// The media type of the body.
    public var mediaType: String
    /// The bytes.
    public var body: Data
    /// The content security policy.
    public var contentSecurityPolicy: String
    /// The header field `Cache-Control`.
    public var cacheControl = "no-store"
    /// Whether a frame may show the body as a document.
    public var isDocument = false
    /// The header fields that are added to the default ones or replace them.
    public var headers: [String: String]

    /// Creates a reply; by default a plain text with the policy of pages.
    public init(
        status: Int, mediaType: String = "text/plain; charset=utf-8", body: Data = Data(),
        contentSecurityPolicy: String = SurfaceAssets.contentSecurityPolicy,
        headers: [String: String] = [:]
    ) {
        self.status = status
        self.mediaType = mediaType
        self.body = body
        self.contentSecurityPolicy = contentSecurityPolicy
        self.headers = headers
    }

    /// The reply for an unknown URL, or one that the client may not know.
    public static let notFound = WebReply(status: 404, body: Data("Not found".utf8))

    /// All header fields but the length. The access token is a part of the URL, so no reply may allow it to be sent as
    /// a referrer; and no other site may embed or read a reply.
    public var fields: [String: String] {
        [
            "Content-Type": mediaType, "Content-Security-Policy": contentSecurityPolicy,
            "Cache-Control": cacheControl,
            "X-Content-Type-Options": "nosniff", "X-Frame-Options": "SAMEORIGIN",
            "Referrer-Policy": "no-referrer", "Cross-Origin-Opener-Policy": "same-origin",
            "Cross-Origin-Resource-Policy": "same-origin", "X-DNS-Prefetch-Control": "off",
            "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
        ].merging(headers) { $1 }
    }
}
