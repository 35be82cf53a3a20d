import InlayCore
import NIOCore
import NIOHTTP1

/// Reads the status of an answer that is no upgrade; the body does not matter.
final class RefusalReader: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart

    private let socket: EventLoopPromise<NIOSocket>

    init(socket: EventLoopPromise<NIOSocket>) { self.socket = socket }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(let head) = Self.unwrapInboundIn(data) else { return }
        socket.fail(TransportError.upgradeRefused(status: Int(head.status.code)))
    }
}
