import Foundation
@_spi(Inlay) import InlaySurface
@_spi(Inlay) import InlayWire

/// A request of a document for an address outside, which its surface allows or refuses to the letter.
struct OutsideRequest: Sendable {
    let request: WebRequest
    /// The address with query and fragment, as the document names it.
    let address: String

    func reply(for surface: any Surface, from media: WebContent.Loader?) async -> WebReply {
        // An answer from there is a part of a page and never a page.
        guard !request.isForDocument, await surface.allowsRequest(to: address) else {
            return WebReply(status: 403)
        }
        // A fragment is never sent.
        guard let media, let url = WebAddress.url(String(address.prefix { $0 != "#" })) else {
            return .notFound
        }
        guard let content = try? await media(url) else { return WebReply(status: 502) }
        guard content.data.count <= MediaRules.maximumBytes, let type = Self.type(content.mediaType) else {
            return WebReply(status: 415)
        }
        return WebReply(
            status: 200, mediaType: type, body: content.data, policy: MediaRules.policy,
            headers: ContentRequest.openHeaders)
    }

    /// The type and its character set; what a server writes gets into our headers in no other form.
    private static func type(_ mediaType: String) -> String? {
        guard let match = mediaType.lowercased().firstMatch(of: /^\s*([a-z]+\/[a-z0-9.+-]+)/) else {
            return nil
        }
        let charset = mediaType.lowercased().firstMatch(of: /;\s*charset="?([a-z0-9_-]+)/)
        return String(match.output.1) + (charset.map { "; charset=\($0.output.1)" } ?? "")
    }
}
