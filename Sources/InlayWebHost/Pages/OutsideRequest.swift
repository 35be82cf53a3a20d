import Foundation
@_spi(Inlay) import InlaySurface
@_spi(Inlay) import InlayWire

/// A request of a document for an outside URL, which its surface must allow exactly.
struct OutsideRequest: Sendable {
    let request: WebRequest
    /// The URL with its query and fragment, as the document wrote it.
    let address: String

    func reply(for surface: any Surface, from media: WebContent.Loader?) async -> WebReply {
        // The reply may be a part of a document, but must never be shown as a document.
        guard !request.isForDocument, await surface.allowsRequest(to: address) else {
            return WebReply(status: 403)
        }
        // Fragments are not sent to servers.
        guard let media, let url = WebAddress.url(String(address.prefix { $0 != "#" })) else {
            return .notFound
        }
        guard let content = try? await media(url) else { return WebReply(status: 502) }
        guard content.data.count <= MediaRules.maximumBytes, let type = Self.type(content.mediaType) else {
            return WebReply(status: 415)
        }
        return WebReply(
            status: 200, mediaType: type, body: content.data, contentSecurityPolicy: MediaRules.policy,
            headers: ContentRequest.openHeaders)
    }

    /// Returns the media type and its character set; no other text of the remote server gets into the reply's headers.
    private static func type(_ mediaType: String) -> String? {
        guard let match = mediaType.lowercased().firstMatch(of: /^\s*([a-z]+\/[a-z0-9.+-]+)/) else {
            return nil
        }
        let charset = mediaType.lowercased().firstMatch(of: /;\s*charset="?([a-z0-9_-]+)/)
        return String(match.output.1) + (charset.map { "; charset=\($0.output.1)" } ?? "")
    }
}
