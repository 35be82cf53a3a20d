public import Foundation
@_spi(Inlay) public import InlayCore

extension WebContent {
    /// A loader of images and fonts that surfaces show, and of outside URLs that a surface allows a document to load.
    ///
    /// `InlaySession.media` is the loader of a session. Any other loader must throw for every status but 200.
    public typealias Loader = @Sendable (URL) async throws -> WebContent
}

extension InlaySession {
    /// A loader that uses the session's transport and its request gate, and sends no token.
    public var media: WebContent.Loader { transport.media }
}

extension Transport {
    /// Fetches media with this transport.
    ///
    /// - Throws: For every status but 200, and for a response without a media type.
    public func media(_ address: URL) async throws -> WebContent {
        let answer = try await send(TransportRequest(url: address))
        guard answer.status == 200, let type = answer.headers["content-type"] else {
            throw URLError(.badServerResponse)
        }
        return WebContent(mediaType: type, data: answer.body)
    }
}
