public import Foundation
@_spi(Inlay) public import InlaySurface

/// The answer to a request of a page.
@_spi(Inlay) public struct WebReply: Sendable {
    /// The HTTP status.
    public var status: Int
    /// The type of the body.
    public var mediaType: String
    /// The bytes.
    public var body: Data
    /// The content security policy.
    public var policy: String
    /// The header field `Cache-Control`.
    public var caching = "no-store"
    /// Whether a frame may show the body as a document of its own.
    public var isDocument = false
    /// Fields that are added, or replace the default ones.
    public var headers: [String: String]

    /// An answer; without other arguments a short text under the policy of pages.
    public init(
        status: Int, mediaType: String = "text/plain; charset=utf-8", body: Data = Data(),
        policy: String = SurfaceAssets.contentSecurityPolicy, headers: [String: String] = [:]
    ) {
        self.status = status
        self.mediaType = mediaType
        self.body = body
        self.policy = policy
        self.headers = headers
    }

    /// There is nothing at this address, or nothing that the client may know of.
    public static let notFound = WebReply(status: 404, body: Data("Not found".utf8))

    /// All header fields but the length. The secret stands in the address, so no answer may send it on as a referrer;
    /// and no other site may embed or read anything of ours.
    public var fields: [String: String] {
        [
            "Content-Type": mediaType, "Content-Security-Policy": policy, "Cache-Control": caching,
            "X-Content-Type-Options": "nosniff", "X-Frame-Options": "SAMEORIGIN",
            "Referrer-Policy": "no-referrer", "Cross-Origin-Opener-Policy": "same-origin",
            "Cross-Origin-Resource-Policy": "same-origin", "X-DNS-Prefetch-Control": "off",
            "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
        ].merging(headers) { $1 }
    }
}
