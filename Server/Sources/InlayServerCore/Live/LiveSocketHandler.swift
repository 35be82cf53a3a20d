@_spi(Inlay) import InlayWire
import NIOCore
import NIOWebSocket

/// A handler that reads one app's frames: subscriptions, pongs, the close.
///
/// A handler and not an async channel: an idle socket then costs no task and no buffers of its own.
final class LiveSocketHandler: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame

    private let identity: ClientIdentity
    private let live: LiveFeature
    private var socket: LiveSocket?

    init(identity: ClientIdentity, live: LiveFeature) {
        self.identity = identity
        self.live = live
    }

    func handlerAdded(context: ChannelHandlerContext) {
        let moment = live.now()
        let socket = LiveSocket(context.channel, identity: identity, at: moment)
        self.socket = socket
        // Before the hello, so that the socket of an app that has received it is registered.
        live.opened(socket)
        if let hello = LiveText.encode(.hello(serverTime: moment)) { socket.send(hello) }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        if let socket { live.closed(socket) }
        socket = nil
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        guard let socket else { return }
        socket.heard(at: live.now())
        switch frame.opcode {
        case .text: read(frame.unmaskedData, socket, context)
        case .ping:
            // A client that sends without ever reading the responses would fill the memory with them.
            guard context.channel.isWritable else { return context.close(promise: nil) }
            let pong = WebSocketFrame(fin: true, opcode: .pong, data: frame.unmaskedData)
            context.channel.writeAndFlush(pong, promise: nil)
        case .pong: break
        case .connectionClose: context.channel.closeWebSocket(.normalClosure)
        default: context.channel.closeWebSocket(.unacceptableData)
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case is ChannelShouldQuiesceEvent: context.channel.closeWebSocket(.goingAway)
        case ChannelEvent.inputClosed: context.close(promise: nil)
        default: context.fireUserInboundEventTriggered(event)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        let code: WebSocketErrorCode =
            switch error {
            case NIOWebSocketError.invalidFrameLength,
                NIOWebSocketFrameAggregator.Error.accumulatedFrameSizeIsTooLarge:
                .messageTooLarge
            default: .protocolError
            }
        context.channel.closeWebSocket(code)
    }

    private func read(_ text: ByteBuffer, _ socket: LiveSocket, _ context: ChannelHandlerContext) {
        switch LiveText.decode(text) {
        case .subscribe(let topics):
            guard live.areAllowed(topics), live.maySubscribe(identity) else {
                return context.channel.closeWebSocket(.policyViolation)
            }
            live.subscribe(socket, to: topics)
        case nil: context.channel.closeWebSocket(.unacceptableData)
        default: break
        }
    }
}
