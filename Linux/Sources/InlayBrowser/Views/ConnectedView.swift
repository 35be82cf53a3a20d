import Foundation
import InlaySurface
import NIOCore
import NIOWebSocket

/// One page that is connected to a surface.
struct ConnectedView: Sendable {
    /// The name of the surface that the page shows.
    let surface: String
    private let content: String
    private let channel: any Channel
    private let messages: AsyncStream<SurfaceMessage>
    private let readyLimit: TimeAmount

    /// Messages that wait for the surface; a page that is further ahead loses its socket.
    private static let maximumWaiting = 256
    /// A message may come in at most this many frames.
    private static let maximumFragments = 64

    /// Adds a view's handlers to a channel that was just upgraded; called on its event loop.
    static func install(
        on channel: any Channel, surface: String, content: String, configuration: BrowserHost.Configuration
    ) throws -> ConnectedView {
        let (messages, inbox) = AsyncStream.makeStream(
            of: SurfaceMessage.self, bufferingPolicy: .bufferingOldest(maximumWaiting))
        let operations = channel.pipeline.syncOperations
        try operations.addHandler(
            NIOWebSocketFrameAggregator(
                minNonFinalFragmentSize: 0, maxAccumulatedFrameCount: maximumFragments,
                maxAccumulatedFrameSize: configuration.maximumMessageBytes))
        try operations.addHandler(
            ViewHandler(
                surface: surface, inbox: inbox,
                budget: MessageBudget(perSecond: configuration.messagesPerSecond, at: .now())))
        return ConnectedView(
            surface: surface, content: content, channel: channel, messages: messages,
            readyLimit: TimeAmount(configuration.readyLimit))
    }

    /// Runs the surface for this page until the page is gone, the surface ends, or the task is cancelled.
    func serve(_ surface: any Surface) async {
        guard let environment = await environment() else { return close() }
        let link = SurfaceLink(events: messages, environment: environment, content: content) { message in
            await send(message)
        }
        await withTaskGroup { group in
            group.addTask { await surface.run(link) }
            group.addTask { await gone() }
            await group.next()
            group.cancelAll()
            // The second task waits for the channel, which knows nothing of cancellation.
            close()
        }
    }

    /// What the page says first; `nil` when it says something else or nothing in time.
    private func environment() async -> SurfaceEnvironment? {
        let limit = channel.eventLoop.scheduleTask(in: readyLimit) { close() }
        defer { limit.cancel() }
        guard let first = await messages.first(where: { _ in true }), first.kind == SurfaceMessage.Kind.ready
        else {
            return nil
        }
        return SurfaceEnvironment(payload: first.payload)
    }

    /// Sends to the page, as fast as the page takes it; nothing happens when it is gone.
    private func send(_ message: SurfaceMessage) async {
        guard let data = try? JSONEncoder().encode(message) else { return }
        let frame = WebSocketFrame(fin: true, opcode: .text, data: ByteBuffer(bytes: data))
        try? await channel.writeAndFlush(frame)
    }

    private func gone() async { try? await channel.closeFuture.get() }

    private func close() { channel.triggerUserOutboundEvent(HostGoesAway(), promise: nil) }
}
