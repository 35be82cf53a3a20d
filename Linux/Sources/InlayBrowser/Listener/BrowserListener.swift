@_spi(Inlay) import InlaySurface
@_spi(Inlay) import InlayWebHost
import NIOConcurrencyHelpers
import NIOCore
import NIOHTTP1
import NIOWebSocket

/// The configuration of accepted connections, each of which serves pages until it is upgraded to the WebSocket of a
/// view; also the register of open connections.
final class BrowserListener: Sendable {
    /// The views that have connected, in their order.
    let views: AsyncStream<ConnectedView>

    private let viewContinuation: AsyncStream<ConnectedView>.Continuation
    private let router: Router
    private let configuration: BrowserHost.Configuration
    private let pages: SurfacePages
    private let open = NIOLockedValueBox(OpenConnections())

    private struct OpenConnections {
        var channels: [ObjectIdentifier: any Channel] = [:]
        var views = 0
        var isClosed = false
    }

    /// The maximum number of connections of every kind; a browser opens six to one host.
    private static let maximumConnections = 512
    /// The maximum time without data on a connection that is not a WebSocket.
    private static let httpReadTimeout = TimeAmount.seconds(30)

    init(pages: SurfacePages, configuration: BrowserHost.Configuration) {
        self.pages = pages
        self.configuration = configuration
        router = Router(addresses: pages.addresses, shell: configuration.shell)
        (views, viewContinuation) = AsyncStream.makeStream(
            bufferingPolicy: .bufferingOldest(configuration.maximumViews))
    }

    /// Prepares an accepted connection; called on its event loop.
    func open(_ channel: any Channel) throws {
        guard register(channel) else { throw ChannelError.alreadyClosed }
        let operations = channel.pipeline.syncOperations
        let idle = IdleStateHandler(readTimeout: Self.httpReadTimeout)
        let pages = PageHandler(router: router, pages: pages)
        let idleBox = NIOLoopBound(idle, eventLoop: channel.eventLoop)
        let pagesBox = NIOLoopBound(pages, eventLoop: channel.eventLoop)
        try operations.addHandler(idle)
        try operations.configureHTTPServerPipeline(
            withServerUpgrade: (
                upgraders: [upgrader()],
                completionHandler: { context in
                    let pipeline = context.pipeline.syncOperations
                    pipeline.removeHandler(pagesBox.value, promise: nil)
                    pipeline.removeHandler(idleBox.value, promise: nil)
                }
            ))
        try operations.addHandler(pages)
    }

    /// Accepts no new connection and closes the open ones; views are notified that the host is closing.
    func close() async {
        viewContinuation.finish()
        let channels = open.withLockedValue { open in
            open.isClosed = true
            return Array(open.channels.values)
        }
        for channel in channels { channel.triggerUserOutboundEvent(HostClosing(), promise: nil) }
        for channel in channels { try? await channel.closeFuture.get() }
    }

    private func upgrader() -> NIOWebSocketServerUpgrader {
        let limit = configuration.limits.maximumMessageBytes
        return NIOWebSocketServerUpgrader(
            maxFrameSize: limit, automaticErrorHandling: false,
            shouldUpgrade: { [self] channel, head in
                channel.eventLoop.makeSucceededFuture(accepts(head, on: channel) ? [:] : nil)
            },
            upgradePipelineHandler: { [self] channel, head in
                channel.eventLoop.makeCompletedFuture {
                    guard case .socket(let surface) = router.destination(of: head.uri) else { return }
                    let view = try ConnectedView.install(
                        on: channel, surface: surface, content: pages.addresses.content(of: surface),
                        configuration: configuration)
                    // Nobody serves the view when the host is closing, or when the stream is full of views that have
                    // left; its connection would stay open.
                    guard case .enqueued = viewContinuation.yield(view) else {
                        return channel.triggerUserOutboundEvent(HostClosing(), promise: nil)
                    }
                }
            })
    }

    /// Whether one of our own pages requests a WebSocket of a surface and there is a place for its view, which is then
    /// taken. The page handler refuses every other request with the matching status.
    private func accepts(_ head: HTTPRequestHead, on channel: any Channel) -> Bool {
        guard RequestOriginCheck.isForUs(head, port: channel.localAddress?.port ?? 0),
            RequestOriginCheck.isOurOrigin(head), case .socket = router.destination(of: head.uri)
        else { return false }
        return takePlace(channel)
    }

    /// Counts a view until its connection closes; returns `false` when there are too many, or after `close()`.
    private func takePlace(_ channel: any Channel) -> Bool {
        let isTaken = open.withLockedValue { open in
            guard open.views < configuration.maximumViews, !open.isClosed else { return false }
            open.views += 1
            return true
        }
        guard isTaken else { return false }
        channel.closeFuture.whenComplete { [open] _ in open.withLockedValue { $0.views -= 1 } }
        return true
    }

    /// Registers an open connection; returns `false` when there are too many, or after `close()`.
    private func register(_ channel: any Channel) -> Bool {
        let id = ObjectIdentifier(channel)
        let isAccepted = open.withLockedValue { open in
            guard !open.isClosed, open.channels.count < Self.maximumConnections else { return false }
            open.channels[id] = channel
            return true
        }
        channel.closeFuture.whenComplete { [open] _ in
            open.withLockedValue { _ = $0.channels.removeValue(forKey: id) }
        }
        return isAccepted
    }
}

/// An outbound event that requests a handler to close its connection, a WebSocket with a close frame.
struct HostClosing: Sendable {}
