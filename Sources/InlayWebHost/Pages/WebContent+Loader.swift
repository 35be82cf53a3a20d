public import Foundation
@_spi(Inlay) public import InlayCore

extension WebContent {
    /// Fetches an image or a font that a surface shows, or an address outside that a surface lets a document load.
    ///
    /// A session has one: `InlaySession.media`. A loader of your own must throw for every status but 200.
    public typealias Loader = @Sendable (URL) async throws -> WebContent
}

extension InlaySession {
    /// Fetches media by the session's transport, after its request gate; no token is sent.
    public var media: WebContent.Loader { transport.media }
}

extension Transport {
    /// Fetches media by this transport.
    ///
    /// - Throws: For every status but 200, and for an answer without a type.
    public func media(_ address: URL) async throws -> WebContent {
        let answer = try await send(TransportRequest(url: address))
        guard answer.status == 200, let type = answer.headers["content-type"] else {
            throw URLError(.badServerResponse)
        }
        return WebContent(mediaType: type, data: answer.body)
    }
}
