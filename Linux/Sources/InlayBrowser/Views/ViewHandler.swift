import Foundation
import InlaySurface
import NIOCore
import NIOWebSocket

/// A page's end of its socket: reads messages within their limits, answers pings, closes properly.
///
/// Whatever the page does wrong costs that page its socket and nothing else.
final class ViewHandler: ChannelDuplexHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    private let surface: String
    private let inbox: AsyncStream<SurfaceMessage>.Continuation
    private var budget: MessageBudget
    private var isClosing = false

    init(surface: String, inbox: AsyncStream<SurfaceMessage>.Continuation, budget: MessageBudget) {
        self.surface = surface
        self.inbox = inbox
        self.budget = budget
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isClosing else { return }
        let frame = Self.unwrapInboundIn(data)
        // Pings cost us an answer, so they count too.
        guard frame.opcode == .connectionClose || budget.spend(at: .now()) else {
            return close(.policyViolation, context)
        }
        switch frame.opcode {
        case .text: receive(frame.unmaskedData, context)
        case .ping: write(.pong, frame.unmaskedData, context)
        case .pong: break
        case .connectionClose: close(.normalClosure, context)
        default: close(.unacceptableData, context)
        }
    }

    func triggerUserOutboundEvent(
        context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?
    ) {
        guard event is HostGoesAway else { return context.triggerUserOutboundEvent(event, promise: promise) }
        close(.goingAway, context)
        promise?.succeed()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch error {
        case NIOWebSocketError.invalidFrameLength,
            NIOWebSocketFrameAggregator.Error.accumulatedFrameSizeIsTooLarge,
            NIOWebSocketFrameAggregator.Error.tooManyFragments:
            close(.messageTooLarge, context)
        default: close(.protocolError, context)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        inbox.finish()
        context.fireChannelInactive()
    }

    private func receive(_ data: ByteBuffer, _ context: ChannelHandlerContext) {
        guard let message = try? JSONDecoder().decode(SurfaceMessage.self, from: Data(data.readableBytesView))
        else {
            return close(.dataInconsistentWithMessage, context)
        }
        guard message.surface == surface else { return close(.policyViolation, context) }
        if case .dropped = inbox.yield(message) { close(.policyViolation, context) }
    }

    private func close(_ code: WebSocketErrorCode, _ context: ChannelHandlerContext) {
        guard !isClosing else { return }
        isClosing = true
        inbox.finish()
        var data = context.channel.allocator.buffer(capacity: 2)
        data.write(webSocketErrorCode: code)
        write(.connectionClose, data, context)
        context.close(promise: nil)
    }

    private func write(_ opcode: WebSocketOpcode, _ data: ByteBuffer, _ context: ChannelHandlerContext) {
        context.writeAndFlush(
            Self.wrapOutboundOut(WebSocketFrame(fin: true, opcode: opcode, data: data)), promise: nil)
    }
}
