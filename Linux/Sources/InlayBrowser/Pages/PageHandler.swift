import Foundation
import InlaySurface
import NIOCore
import NIOFoundationCompat
import NIOHTTP1
import NIOWebSocket

/// Answers requests for pages, their files and their pictures on one connection.
final class PageHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private let router: Router
    private let configuration: BrowserHost.Configuration
    private let media: BrowserHost.MediaLoader?
    private let surfaces: [String: any Surface]
    private var head: HTTPRequestHead?

    init(
        router: Router, surfaces: [String: any Surface], configuration: BrowserHost.Configuration,
        media: BrowserHost.MediaLoader?
    ) {
        self.router = router
        self.surfaces = surfaces
        self.configuration = configuration
        self.media = media
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch Self.unwrapInboundIn(data) {
        case .head(let head): self.head = head
        // Nothing here takes a body. One that comes is answered by closing, not by reading it.
        case .body: context.close(promise: nil)
        case .end:
            guard let head else { return }
            answer(head, context)
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is IdleStateHandler.IdleStateEvent { return context.close(promise: nil) }
        context.fireUserInboundEventTriggered(event)
    }

    func triggerUserOutboundEvent(
        context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?
    ) {
        guard event is HostGoesAway else { return context.triggerUserOutboundEvent(event, promise: promise) }
        context.close(promise: promise)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // A refused upgrade comes by as an error too; its request follows and is answered.
        if error is NIOWebSocketUpgradeError { return }
        context.close(promise: nil)
    }

    private func answer(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        guard Doorman.isForUs(head, port: context.channel.localAddress?.port ?? 0) else {
            return write(Reply(status: .misdirectedRequest), to: head, context)
        }
        let place = router.place(of: head.uri)
        guard place != .nothing else { return write(.notFound, to: head, context) }
        guard head.method == .GET || head.method == .HEAD else {
            return write(Reply(status: .methodNotAllowed), to: head, context)
        }
        switch place {
        case .media(let url): answer(head, context) { [media] in await Self.picture(url, from: media) }
        case .content(let surface, let path):
            guard let surface = surfaces[surface] else { return write(.notFound, to: head, context) }
            let asked = ContentRequest(head: head, path: path, prefix: router.contentPrefix(of: surface.name))
            answer(head, context) { await asked.reply(from: surface) }
        case .outside(let surface, let address):
            guard let surface = surfaces[surface] else { return write(.notFound, to: head, context) }
            let asked = OutsideRequest(head: head, address: address)
            answer(head, context) { [media] in await asked.reply(for: surface, from: media) }
        default: write(reply(at: place, head), to: head, context)
        }
    }

    /// Answers when the work is done, which ends with its loader: a transport with a time limit of its own,
    /// or a file of the app.
    private func answer(
        _ head: HTTPRequestHead, _ context: ChannelHandlerContext,
        _ work: @escaping @Sendable () async -> Reply
    ) {
        let promise = context.eventLoop.makePromise(of: Reply.self)
        promise.completeWithTask { await work() }
        promise.futureResult.assumeIsolated().whenSuccess { self.write($0, to: head, context) }
    }

    private func reply(at place: Router.Place, _ head: HTTPRequestHead) -> Reply {
        switch place {
        case .page(let surface):
            guard let page = try? SurfaceAssets.page(surface: surface, title: configuration.title) else {
                return Reply(status: .internalServerError)
            }
            let content = ContentRequest.origin(head) + router.contentPrefix(of: surface)
            return Reply(
                status: .ok, mediaType: "text/html; charset=utf-8", body: page,
                policy: SurfaceAssets.contentSecurityPolicy(content: content))
        case .asset(let name):
            guard let data = SurfaceAssets.data(named: name) else { return .notFound }
            return Reply(status: .ok, mediaType: SurfaceAssets.mediaType(of: name), body: data)
        case .frameAsset(let name):
            guard let data = SurfaceAssets.data(named: name) else { return .notFound }
            return Reply(
                status: .ok, mediaType: SurfaceAssets.mediaType(of: name), body: data,
                headers: ContentRequest.openHeaders)
        case .shell(let path):
            guard let content = configuration.shell?(path) else { return .notFound }
            let policy = SurfaceAssets.contentSecurityPolicy + "; frame-src 'self'"
            return Reply(status: .ok, mediaType: content.mediaType, body: content.data, policy: policy)
        case .redirect(let address): return Reply(status: .seeOther, location: address)
        case .socket: return socketRefusal(head)
        case .media, .content, .outside, .nothing: return .notFound
        }
    }

    /// Why a request for a socket came here instead of becoming one.
    private func socketRefusal(_ head: HTTPRequestHead) -> Reply {
        guard head.headers.contains(name: "upgrade") else { return Reply(status: .upgradeRequired) }
        return Reply(status: Doorman.isOurOrigin(head) ? .serviceUnavailable : .forbidden)
    }

    private static func picture(_ url: URL, from media: BrowserHost.MediaLoader?) async -> Reply {
        guard let media else { return .notFound }
        guard let content = try? await media(url) else { return Reply(status: .badGateway) }
        guard let type = MediaRules.allowedType(content.mediaType),
            content.data.count <= MediaRules.maximumBytes
        else { return Reply(status: .unsupportedMediaType) }
        return Reply(
            status: .ok, mediaType: type, body: content.data, policy: MediaRules.policy,
            caching: "private, max-age=600")
    }

    private func write(_ reply: Reply, to head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        let keepsAlive = head.isKeepAlive && reply.status.code < 400
        context.write(
            Self.wrapOutboundOut(.head(reply.head(version: head.version, keepsAlive: keepsAlive))),
            promise: nil)
        if head.method != .HEAD {
            context.write(
                Self.wrapOutboundOut(.body(.byteBuffer(ByteBuffer(data: reply.body)))), promise: nil)
        }
        let sent = context.writeAndFlush(Self.wrapOutboundOut(.end(nil)))
        if !keepsAlive { sent.assumeIsolated().whenComplete { _ in context.close(promise: nil) } }
    }
}
