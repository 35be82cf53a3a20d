import Foundation
@_spi(Inlay) public import InlaySurface
@_spi(Inlay) import InlayWire

/// The responder to the requests of surfaces' pages: for the pages, their files, media and content.
@_spi(Inlay) public struct SurfacePages: Sendable {
    /// The URLs of the pages.
    public let addresses: SurfaceAddresses
    private let surfaces: [String: any Surface]
    private let title: String
    private let media: WebContent.Loader?

    /// Creates pages. Each has this title until its surface sets its own.
    public init(surfaces: [String: any Surface], title: String, media: WebContent.Loader?) {
        self.surfaces = surfaces
        self.title = title
        self.media = media
        addresses = SurfaceAddresses(surfaces.mapValues(\.assets))
    }

    /// Returns the reply to a request. Takes as long as the media loader or the surface.
    public func reply(to request: WebRequest) async -> WebReply {
        await reply(to: request, for: addresses.target(of: request.target))
    }

    /// Returns the reply to a request whose target is known.
    public func reply(to request: WebRequest, for target: SurfaceRequestTarget) async -> WebReply {
        guard target != .nothing else { return .notFound }
        guard request.method == "GET" || request.method == "HEAD" else { return WebReply(status: 405) }
        switch target {
        case .page(let surface): return page(of: surface, request)
        case .asset(let surface, let name): return asset(surface, name, [:])
        case .frameAsset(let surface, let name): return asset(surface, name, ContentRequest.openHeaders)
        case .media(let url): return await mediaReply(url)
        case .content(let surface, let path):
            guard let surface = surfaces[surface] else { return .notFound }
            let content = addresses.content(of: surface.name)
            return await ContentRequest(request: request, path: path, prefix: content).reply(from: surface)
        case .outside(let surface, let address):
            guard let surface = surfaces[surface] else { return .notFound }
            return await OutsideRequest(request: request, address: address).reply(for: surface, from: media)
        case .other, .nothing: return .notFound
        }
    }

    private func page(of surface: String, _ request: WebRequest) -> WebReply {
        guard let page = try? surfaces[surface]?.assets.page(surface: surface, title: title) else {
            return WebReply(status: 500)
        }
        let content = request.origin + addresses.content(of: surface)
        return WebReply(
            status: 200, mediaType: "text/html; charset=utf-8", body: page,
            contentSecurityPolicy: SurfaceAssets.contentSecurityPolicy(content: content))
    }

    private func asset(_ surface: String, _ name: String, _ headers: [String: String]) -> WebReply {
        guard let data = surfaces[surface]?.assets.data(named: name) else { return .notFound }
        return WebReply(
            status: 200, mediaType: SurfaceAssets.mediaType(of: name), body: data, headers: headers)
    }

    private func mediaReply(_ url: URL) async -> WebReply {
        guard let media else { return .notFound }
        guard let content = try? await media(url) else { return WebReply(status: 502) }
        guard let type = MediaRules.allowedType(content.mediaType),
            content.data.count <= MediaRules.maximumBytes
        else { return WebReply(status: 415) }
        var reply = WebReply(
            status: 200, mediaType: type, body: content.data, contentSecurityPolicy: MediaRules.policy)
        reply.cacheControl = "private, max-age=600"
        return reply
    }
}
