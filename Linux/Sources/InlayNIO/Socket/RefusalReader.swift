import InlayCore
import NIOCore
import NIOHTTP1

/// A handler that fails the socket with the status of a response that refuses the upgrade; it ignores the body.
final class RefusalReader: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart

    private let socket: EventLoopPromise<NIOSocket>

    init(socket: EventLoopPromise<NIOSocket>) { self.socket = socket }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(let head) = Self.unwrapInboundIn(data) else { return }
        socket.fail(TransportError.upgradeRefused(status: Int(head.status.code)))
    }
}
