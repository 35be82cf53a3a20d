import Foundation
@_spi(Inlay) import InlaySurface
@_spi(Inlay) import InlayWebHost
import NIOCore
import NIOWebSocket

/// A page that is connected to a surface.
struct ConnectedView: Sendable {
    /// The name of the surface that the page shows.
    let surface: String
    private let content: String
    private let channel: any Channel
    private let messages: AsyncStream<SurfaceMessage>
    private let readyLimit: TimeAmount

    /// The maximum number of frames of a message.
    private static let maximumFragments = 64

    /// Adds a view's handlers to a channel that was just upgraded; must be called on the channel's event loop.
    static func install(
        on channel: any Channel, surface: String, content: String, configuration: BrowserHost.Configuration
    ) throws -> ConnectedView {
        let inbox = PageInbox()
        let operations = channel.pipeline.syncOperations
        try operations.addHandler(
            NIOWebSocketFrameAggregator(
                minNonFinalFragmentSize: 0, maxAccumulatedFrameCount: maximumFragments,
                maxAccumulatedFrameSize: configuration.limits.maximumMessageBytes))
        try operations.addHandler(ViewHandler(surface: surface, inbox: inbox, limits: configuration.limits))
        return ConnectedView(
            surface: surface, content: content, channel: channel, messages: inbox.messages,
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
            // `closeFuture` ignores cancellation: this ends when the page or the `close()` below closes the channel.
            group.addTask { await waitUntilClosed() }
            await group.next()
            group.cancelAll()
            close()
        }
    }

    /// Returns the environment from the page's first message; `nil` when that is another message, or comes too late.
    private func environment() async -> SurfaceEnvironment? {
        let limit = channel.eventLoop.scheduleTask(in: readyLimit) { close() }
        defer { limit.cancel() }
        return await messages.environment()
    }

    /// Sends a message and returns when it was written; does nothing when the page is gone.
    private func send(_ message: SurfaceMessage) async {
        guard let data = try? JSONEncoder().encode(message) else { return }
        let frame = WebSocketFrame(fin: true, opcode: .text, data: ByteBuffer(bytes: data))
        try? await channel.writeAndFlush(frame)
    }

    private func waitUntilClosed() async { try? await channel.closeFuture.get() }

    private func close() { channel.triggerUserOutboundEvent(HostClosing(), promise: nil) }
}
