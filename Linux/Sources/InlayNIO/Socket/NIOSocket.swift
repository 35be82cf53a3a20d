import InlayCore
import NIOCore
import NIOWebSocket

/// An open WebSocket over a NIO channel.
final class NIOSocket: TransportSocket {
    let messages: AsyncThrowingStream<String, any Error>
    private let channel: any Channel
    private let handler: NIOLoopBound<SocketHandler>

    /// A message may come in at most this many frames; more is a way to burn the reader's time.
    private static let maximumFragments = 4096
    /// Messages waiting for their reader. One that is further behind is better served by a new socket.
    private static let maximumWaiting = 256

    /// Adds the socket's handlers to a channel that was just upgraded; called on its event loop.
    static func install(on channel: any Channel, maximumMessage: Int, silence: TimeAmount) throws -> NIOSocket
    {
        let (messages, inbox) = AsyncThrowingStream.makeStream(
            of: String.self, throwing: (any Error).self, bufferingPolicy: .bufferingOldest(maximumWaiting))
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
