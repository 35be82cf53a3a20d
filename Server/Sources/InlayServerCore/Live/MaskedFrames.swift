import NIOCore
import NIOWebSocket

/// Refuses frames without a mask: RFC 6455, 5.1, wants every client's frame masked.
///
/// It stands before the fragments are joined, for the joined frame has no mask any more.
final class MaskedFrames: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard unwrapInboundIn(data).maskKey != nil else {
            return context.channel.closeWebSocket(.protocolError)
        }
        context.fireChannelRead(data)
    }
}
