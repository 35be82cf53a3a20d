import Foundation
@_spi(Inlay) import InlaySurface
@_spi(Inlay) import InlayWebHost
import NIOCore
import NIOFoundationCompat
import NIOHTTP1
import NIOWebSocket

/// A channel handler that responds to requests for pages, their files and their pictures on one connection.
final class PageHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private let router: Router
    private let pages: SurfacePages
    private var head: HTTPRequestHead?

    init(router: Router, pages: SurfacePages) {
        self.router = router
        self.pages = pages
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch Self.unwrapInboundIn(data) {
        case .head(let head): self.head = head
        // No request has a body here. A body is not read: the connection is closed.
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
        guard event is HostClosing else { return context.triggerUserOutboundEvent(event, promise: promise) }
        context.close(promise: promise)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // A refused upgrade also causes this error; the request itself follows and gets its response.
        if error is NIOWebSocketUpgradeError { return }
        context.close(promise: nil)
    }

    private func answer(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        guard RequestOriginCheck.isForUs(head, port: context.channel.localAddress?.port ?? 0) else {
            return write(WebReply(status: 421), to: head, context)
        }
        let destination = router.destination(of: head.uri)
        guard destination != .nothing else { return write(.notFound, to: head, context) }
        guard head.method == .GET || head.method == .HEAD else {
            return write(WebReply(status: 405), to: head, context)
        }
        guard case .pages(let target) = destination else {
            return write(reply(for: destination, head), to: head, context)
        }
        let request = WebRequest(
            method: head.method.rawValue, target: head.uri,
            origin: "http://\(head.headers.first(name: "host")?.lowercased() ?? "")",
            range: head.headers.first(name: "range"), destination: head.headers.first(name: "sec-fetch-dest"))
        let promise = context.eventLoop.makePromise(of: WebReply.self)
        // Ends with the reply: a file of the app, or the result of the media loader, which has its own time limit.
        promise.completeWithTask { [pages] in await pages.reply(to: request, for: target) }
        promise.futureResult.assumeIsolated().whenSuccess { self.write($0, to: head, context) }
    }

    private func reply(for destination: Router.Destination, _ head: HTTPRequestHead) -> WebReply {
        switch destination {
        case .engine(let name):
            guard let data = SurfaceAssets.engine.data(named: name) else { return .notFound }
            return WebReply(status: 200, mediaType: SurfaceAssets.mediaType(of: name), body: data)
        case .shell(let path):
            guard let content = router.shell?(path) else { return .notFound }
            return WebReply(
                status: 200, mediaType: content.mediaType, body: content.data,
                contentSecurityPolicy: SurfaceAssets.contentSecurityPolicy + "; frame-src 'self'")
        case .redirect(let address): return WebReply(status: 303, headers: ["Location": address])
        case .socket: return socketRefusal(head)
        case .pages, .nothing: return .notFound
        }
    }

    /// Returns the response to a request for a WebSocket that was not upgraded.
    private func socketRefusal(_ head: HTTPRequestHead) -> WebReply {
        guard head.headers.contains(name: "upgrade") else { return WebReply(status: 426) }
        return WebReply(status: RequestOriginCheck.isOurOrigin(head) ? 503 : 403)
    }

    private func write(_ reply: WebReply, to head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        let keepsAlive = head.isKeepAlive && reply.status < 400
        var headers = HTTPHeaders(reply.fields.sorted { $0.key < $1.key })
        headers.add(name: "Content-Length", value: String(reply.body.count))
        if !keepsAlive { headers.add(name: "Connection", value: "close") }
        let answer = HTTPResponseHead(
            version: head.version, status: HTTPResponseStatus(statusCode: reply.status), headers: headers)
        context.write(Self.wrapOutboundOut(.head(answer)), promise: nil)
        if head.method != .HEAD {
            context.write(
                Self.wrapOutboundOut(.body(.byteBuffer(ByteBuffer(data: reply.body)))), promise: nil)
        }
        let sent = context.writeAndFlush(Self.wrapOutboundOut(.end(nil)))
        if !keepsAlive { sent.assumeIsolated().whenComplete { _ in context.close(promise: nil) } }
    }
}
