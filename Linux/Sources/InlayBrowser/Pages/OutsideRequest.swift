import Foundation
import InlaySurface
import NIOHTTP1

/// A request of a document for an address outside, which its surface allows or refuses to the letter.
struct OutsideRequest: Sendable {
    let head: HTTPRequestHead
    /// The address with query and fragment, as the document names it.
    let address: String

    func reply(for surface: any Surface, from media: BrowserHost.MediaLoader?) async -> Reply {
        // Whatever comes from there is a part of a page and never a page.
        guard !ContentRequest.isForDocument(head), await surface.allowsRequest(to: address) else {
            return Reply(status: .forbidden)
        }
        // A fragment is never sent.
        guard let media, let url = URL(string: String(address.prefix { $0 != "#" })) else { return .notFound }
        guard let content = try? await media(url) else { return Reply(status: .badGateway) }
        guard content.data.count <= MediaRules.maximumBytes, let type = Self.type(content.mediaType) else {
            return Reply(status: .unsupportedMediaType)
        }
        return Reply(
            status: .ok, mediaType: type, body: content.data, policy: MediaRules.policy,
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
