import InlayCore
import NIOCore
import NIOWebSocket

/// An open WebSocket over a NIO channel.
final class NIOSocket: TransportSocket {
    let messages: AsyncThrowingStream<String, any Error>
    private let channel: any Channel
    private let handler: NIOLoopBound<SocketHandler>

    /// The maximum number of frames of a message, so that tiny frames cannot consume the reader's time.
    private static let maximumFragments = 4096
    /// The maximum number of unread messages. A slower reader loses the WebSocket and opens a new one.
    private static let maximumUnreadMessages = 256

    /// Adds the WebSocket's handlers to a channel that was just upgraded; must be called on the channel's event loop.
    static func install(on channel: any Channel, maximumMessage: Int, silence: TimeAmount) throws -> NIOSocket
    {
        let (messages, inbox) = AsyncThrowingStream.makeStream(
            of: String.self, throwing: (any Error).self,
            bufferingPolicy: .bufferingOldest(maximumUnreadMessages))
        let handler = SocketHandler(inbox: inbox)
        let operations = channel.pipeline.syncOperations
        try operations.addHandler(
            IdleStateHandler(readTimeout: .nanoseconds(silence.nanoseconds / 2)), position: .first)
        try operations.addHandler(
            NIOWebSocketFrameAggregator(
                minNonFinalFragmentSize: 0, maxAccumulatedFrameCount: maximumFragments,
                maxAccumulatedFrameSize: maximumMessage))
        try operations.addHandler(handler)
        return NIOSocket(
            channel: channel, handler: NIOLoopBound(handler, eventLoop: channel.eventLoop), messages: messages
        )
    }

    private init(
        channel: any Channel, handler: NIOLoopBound<SocketHandler>,
        messages: AsyncThrowingStream<String, any Error>
    ) {
        self.channel = channel
        self.handler = handler
        self.messages = messages
    }

    deinit { channel.close(promise: nil) }

    func send(_ text: String) async throws(TransportError) {
        let data = channel.allocator.buffer(string: text)
        let frame = WebSocketFrame(fin: true, opcode: .text, maskKey: .random(), data: data)
        do {
            try await channel.writeAndFlush(frame)
        } catch {
            throw TransportError(error)
        }
    }

    func close() async {
        channel.eventLoop.execute { [handler] in handler.value.beginClosing() }
        try? await channel.closeFuture.get()
    }
}
