import Foundation
import InlayCore
import NIOCore
import NIOWebSocket

/// A channel handler for the client's side of RFC 6455: it receives messages, answers pings, and closes the WebSocket
/// or answers the server's close frame.
///
/// It comes after the aggregator, so it gets whole messages. All calls are on the channel's event loop.
final class SocketHandler: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    private enum Phase { case open, closing, closed }

    private let inbox: AsyncThrowingStream<String, any Error>.Continuation
    private var phase = Phase.open
    private var isAwaitingPong = false
    private var context: ChannelHandlerContext?

    /// The maximum time for the other side to answer a close frame.
    private static let closingTime = TimeAmount.seconds(2)

    init(inbox: AsyncThrowingStream<String, any Error>.Continuation) { self.inbox = inbox }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = Self.unwrapInboundIn(data)
        isAwaitingPong = false
        switch frame.opcode {
        case .text: receive(frame.unmaskedData, context)
        case .ping: write(.pong, frame.unmaskedData, context)
        case .pong: break
        case .connectionClose: peerCloses(frame.unmaskedData, context)
        default: breakOff(.unacceptableData, .cut("a message that is no text"), context)
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard event is IdleStateHandler.IdleStateEvent else {
            return context.fireUserInboundEventTriggered(event)
        }
        guard phase == .open else { return }
        if isAwaitingPong { return breakOff(.goingAway, .cut("no sign of life"), context) }
        isAwaitingPong = true
        write(.ping, ByteBuffer(), context)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        let reason = TransportError(error)
        breakOff(reason == .tooLarge ? .messageTooLarge : .protocolError, reason, context)
    }

    func channelInactive(context: ChannelHandlerContext) {
        if phase == .open { inbox.finish(throwing: TransportError.cut("the connection broke")) }
        inbox.finish()
        phase = .closed
        context.fireChannelInactive()
    }

    /// Sends a close frame, and closes the channel when the server has answered it or after the time limit.
    func beginClosing() {
        guard phase == .open, let context else { return }
        phase = .closing
        inbox.finish()
        writeClose(.normalClosure, context)
        let channel = context.channel
        let limit = context.eventLoop.scheduleTask(in: Self.closingTime) { channel.close(promise: nil) }
        channel.closeFuture.whenComplete { _ in limit.cancel() }
    }

    private func receive(_ data: ByteBuffer, _ context: ChannelHandlerContext) {
        guard phase == .open else { return }
        guard let text = String(bytes: data.readableBytesView, encoding: .utf8) else {
            return breakOff(.dataInconsistentWithMessage, .cut("a message that is not UTF-8"), context)
        }
        if case .dropped = inbox.yield(text) {
            breakOff(.goingAway, .cut("messages came faster than they were read"), context)
        }
    }

    private func peerCloses(_ data: ByteBuffer, _ context: ChannelHandlerContext) {
        if phase == .open {
            inbox.finish()
            // The close frame of the response repeats the status code, if there is one.
            write(
                .connectionClose, data.getSlice(at: data.readerIndex, length: min(2, data.readableBytes)),
                context)
        }
        phase = .closed
        context.close(promise: nil)
    }

    private func breakOff(
        _ code: WebSocketErrorCode, _ reason: TransportError, _ context: ChannelHandlerContext
    ) {
        guard phase == .open else { return context.close(promise: nil) }
        phase = .closed
        inbox.finish(throwing: reason)
        writeClose(code, context)
        context.close(promise: nil)
    }

    private func writeClose(_ code: WebSocketErrorCode, _ context: ChannelHandlerContext) {
        var data = context.channel.allocator.buffer(capacity: 2)
        data.write(webSocketErrorCode: code)
        write(.connectionClose, data, context)
    }

    private func write(_ opcode: WebSocketOpcode, _ data: ByteBuffer?, _ context: ChannelHandlerContext) {
        let frame = WebSocketFrame(fin: true, opcode: opcode, maskKey: .random(), data: data ?? ByteBuffer())
        context.writeAndFlush(Self.wrapOutboundOut(frame), promise: nil)
    }
}
