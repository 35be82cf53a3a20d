import Foundation
import InlaySurface
import NIOHTTP1

/// An answer to a request for a page, before it is bytes.
struct Reply: Sendable {
    var status: HTTPResponseStatus
    var mediaType = "text/plain; charset=utf-8"
    var body = Data()
    var policy = SurfaceAssets.contentSecurityPolicy
    var caching = "no-store"
    var location: String?
    /// Added to what every answer carries, or in its place.
    var headers: [String: String] = [:]

    static let notFound = Reply(status: .notFound, body: Data("Not found".utf8))

    /// The head with what every answer carries. The secret stands in the address, so no answer may
    /// send it on as a referrer; and no other site may embed or read anything of ours.
    func head(version: HTTPVersion, keepsAlive: Bool) -> HTTPResponseHead {
        var headers: HTTPHeaders = [
            "Content-Type": mediaType,
            "Content-Length": String(body.count),
            "Content-Security-Policy": policy,
            "Cache-Control": caching,
            "X-Content-Type-Options": "nosniff",
            "X-Frame-Options": "SAMEORIGIN",
            "Referrer-Policy": "no-referrer",
            "Cross-Origin-Opener-Policy": "same-origin",
            "Cross-Origin-Resource-Policy": "same-origin",
            "X-DNS-Prefetch-Control": "off",
            "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
        ]
        for (name, value) in self.headers { headers.replaceOrAdd(name: name, value: value) }
        if let location { headers.add(name: "Location", value: location) }
        if !keepsAlive { headers.add(name: "Connection", value: "close") }
        return HTTPResponseHead(version: version, status: status, headers: headers)
    }
}
