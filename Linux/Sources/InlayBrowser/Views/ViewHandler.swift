import Foundation
@_spi(Inlay) import InlayWebHost
import NIOCore
import NIOWebSocket

/// A channel handler of a page's WebSocket, which receives messages within their limits, answers pings and closes.
///
/// An error of the page closes only that page's WebSocket.
final class ViewHandler: ChannelDuplexHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    private let surface: String
    private let inbox: PageInbox
    private let limits: PageLimits
    private var budget: MessageBudget
    private var isClosing = false

    init(surface: String, inbox: PageInbox, limits: PageLimits) {
        self.surface = surface
        self.inbox = inbox
        self.limits = limits
        budget = MessageBudget(perSecond: limits.messagesPerSecond)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isClosing else { return }
        let frame = Self.unwrapInboundIn(data)
        do throws(PageInbox.Fault) {
            // Pings count too, because each needs a response.
            guard frame.opcode == .connectionClose || budget.spend() else { throw .flood }
            try receive(frame, context)
        } catch {
            close(Self.code(of: error), context)
        }
    }

    private func receive(_ frame: WebSocketFrame, _ context: ChannelHandlerContext) throws(PageInbox.Fault) {
        switch frame.opcode {
        case .text:
            let data = Data(frame.unmaskedData.readableBytesView)
            try inbox.forward(PageInbox.read(data, of: surface, limits: limits))
        case .ping: write(.pong, frame.unmaskedData, context)
        case .pong: break
        case .connectionClose: close(.normalClosure, context)
        default: close(.unacceptableData, context)
        }
    }

    func triggerUserOutboundEvent(
        context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?
    ) {
        guard event is HostClosing else { return context.triggerUserOutboundEvent(event, promise: promise) }
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

    private static func code(of fault: PageInbox.Fault) -> WebSocketErrorCode {
        switch fault {
        case .tooLarge: .messageTooLarge
        case .unreadable: .dataInconsistentWithMessage
        case .flood, .wrongSurface: .policyViolation
        }
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
