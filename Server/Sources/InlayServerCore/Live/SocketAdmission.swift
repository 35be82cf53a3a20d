import Foundation
@_spi(Inlay) import InlayWire
import NIOConcurrencyHelpers
import NIOCore
import NIOHTTP1

/// A handler that checks a connection's first request before NIO's upgrade handler does.
///
/// That handler drops a request whose upgrade is refused, and the caller would wait for ever. Here a
/// request that will not become a socket loses its `Upgrade` header and goes on as plain HTTP, where the
/// route says what is wrong with it.
final class SocketAdmission: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private enum State {
        case waiting
        case deciding(HTTPRequestHead, held: [NIOAny], isReadDue: Bool)
        case decided
    }

    private let admit: @Sendable (HTTPRequestHead) async -> Bool
    private var state = State.waiting

    /// `admit` returns whether a request for the socket may become one.
    init(admit: @escaping @Sendable (HTTPRequestHead) async -> Bool) { self.admit = admit }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch state {
        case .decided:
            // Frames pass here too until this handler is gone, so nothing is unwrapped.
            context.fireChannelRead(data)
        case .deciding(let head, let held, let isReadDue):
            state = .deciding(head, held: held + [data], isReadDue: isReadDue)
        case .waiting:
            guard case .head(let head) = unwrapInboundIn(data) else { return context.fireChannelRead(data) }
            guard Self.asksForSocket(head) else { return settle(context, head, isAdmitted: false, held: []) }
            decide(context, head)
        }
    }

    /// Reads nothing more while the token is verified, so that a flooding client has to wait.
    func read(context: ChannelHandlerContext) {
        guard case .deciding(let head, let held, _) = state else { return context.read() }
        state = .deciding(head, held: held, isReadDue: true)
    }

    /// Answers a connection that does not speak HTTP with 400 and closes it: no later handler could.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard case .waiting = state, error is HTTPParserError else { return context.fireErrorCaught(error) }
        state = .decided
        let problem = Problem.of(status: 400)
        let body = ByteBuffer(bytes: (try? JSONEncoder().encode(problem)) ?? Data())
        let headers: HTTPHeaders = [
            "Content-Type": Problem.mediaType, "Content-Length": String(body.readableBytes),
            "Connection": "close",
        ]
        let head = HTTPResponseHead(version: .http1_1, status: .badRequest, headers: headers)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
        let channel = context.channel
        context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in channel.close(promise: nil) }
    }

    func handlerRemoved(context: ChannelHandlerContext) { state = .decided }

    private func decide(_ context: ChannelHandlerContext, _ head: HTTPRequestHead) {
        state = .deciding(head, held: [], isReadDue: false)
        context.eventLoop.makeFutureWithTask { [admit] in await admit(head) }
            .assumeIsolated().whenComplete { result in
                guard case .deciding(_, let held, let isReadDue) = self.state else { return }
                self.settle(context, head, isAdmitted: (try? result.get()) == true, held: held)
                // Through the whole pipeline, because this handler has left it by now.
                if isReadDue { context.channel.read() }
            }
    }

    private func settle(
        _ context: ChannelHandlerContext, _ head: HTTPRequestHead, isAdmitted: Bool, held: [NIOAny]
    ) {
        state = .decided
        var head = head
        if !isAdmitted { head.headers.remove(name: "Upgrade") }
        context.fireChannelRead(wrapInboundOut(.head(head)))
        for part in held { context.fireChannelRead(part) }
        if !held.isEmpty { context.fireChannelReadComplete() }
        context.pipeline.syncOperations.removeHandler(self, promise: nil)
    }

    /// Whether a request is a well-formed handshake for the socket's path, without a body, which a handshake never has.
    private static func asksForSocket(_ head: HTTPRequestHead) -> Bool {
        let headers = head.headers
        return head.method == .GET && head.uri.prefix { $0 != "?" } == InlayPath.socket
            && headers[canonicalForm: "upgrade"].contains { $0.lowercased() == "websocket" }
            && headers[canonicalForm: "connection"].contains { $0.lowercased() == "upgrade" }
            && namesOneHost(headers)
            && headers["sec-websocket-version"] == ["13"]
            && headers["sec-websocket-key"].count == 1
            && !headers.contains(name: "transfer-encoding")
            && (headers.first(name: "content-length") ?? "0") == "0"
    }

    /// Whether ``HostCheck`` would let the request pass.
    private static func namesOneHost(_ headers: HTTPHeaders) -> Bool {
        let hosts = headers["host"]
        return hosts.count == 1 && HTTPAuthority(hosts[0]) != nil
    }
}
