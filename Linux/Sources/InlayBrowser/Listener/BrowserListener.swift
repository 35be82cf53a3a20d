@_spi(Inlay) import InlaySurface
@_spi(Inlay) import InlayWebHost
import NIOConcurrencyHelpers
import NIOCore
import NIOHTTP1
import NIOWebSocket

/// Makes a connection either a reader of pages or a view of a surface, and knows all that are open.
final class BrowserListener: Sendable {
    /// The pages that connected, in order.
    let views: AsyncStream<ConnectedView>

    private let arrival: AsyncStream<ConnectedView>.Continuation
    private let router: Router
    private let configuration: BrowserHost.Configuration
    private let pages: SurfacePages
    private let open = NIOLockedValueBox(OpenConnections())

    private struct OpenConnections {
        var channels: [ObjectIdentifier: any Channel] = [:]
        var views = 0
        var isClosed = false
    }

    /// Connections of every kind; a browser opens six to one host.
    private static let maximumConnections = 512
    /// The maximum silence of a connection that is not a socket.
    private static let httpSilence = TimeAmount.seconds(30)

    init(pages: SurfacePages, configuration: BrowserHost.Configuration) {
        self.pages = pages
        self.configuration = configuration
        router = Router(addresses: pages.addresses, shell: configuration.shell)
        (views, arrival) = AsyncStream.makeStream(
            bufferingPolicy: .bufferingOldest(configuration.maximumViews))
    }

    /// Prepares an accepted connection; called on its event loop.
    func open(_ channel: any Channel) throws {
        guard remember(channel) else { throw ChannelError.alreadyClosed }
        let operations = channel.pipeline.syncOperations
        let idle = IdleStateHandler(readTimeout: Self.httpSilence)
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
        arrival.finish()
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
                channel.eventLoop.makeSucceededFuture(surface(asked: head, on: channel) == nil ? nil : [:])
            },
            upgradePipelineHandler: { [self] channel, head in
                channel.eventLoop.makeCompletedFuture {
                    guard case .socket(let surface) = router.place(of: head.uri) else { return }
                    let view = try ConnectedView.install(
                        on: channel, surface: surface, content: pages.addresses.content(of: surface),
                        configuration: configuration)
                    count(channel)
                    arrival.yield(view)
                }
            })
    }

    /// Returns the surface of a socket that one of our own pages requests. Every other request goes on to the
    /// page handler, which answers it with its reason.
    private func surface(asked head: HTTPRequestHead, on channel: any Channel) -> String? {
        guard ConnectionLimiter.isForUs(head, port: channel.localAddress?.port ?? 0),
            ConnectionLimiter.isOurOrigin(head),
            open.withLockedValue({ $0.views < configuration.maximumViews && !$0.isClosed }),
            case .socket(let surface) = router.place(of: head.uri)
        else { return nil }
        return surface
    }

    private func count(_ channel: any Channel) {
        open.withLockedValue { $0.views += 1 }
        channel.closeFuture.whenComplete { [open] _ in open.withLockedValue { $0.views -= 1 } }
    }

    private func remember(_ channel: any Channel) -> Bool {
        let id = ObjectIdentifier(channel)
        let isWelcome = open.withLockedValue { open in
            guard !open.isClosed, open.channels.count < Self.maximumConnections else { return false }
            open.channels[id] = channel
            return true
        }
        channel.closeFuture.whenComplete { [open] _ in
            open.withLockedValue { _ = $0.channels.removeValue(forKey: id) }
        }
        return isWelcome
    }
}

/// Asks a connection's handler to end it in its own way.
struct HostClosing: Sendable {}
