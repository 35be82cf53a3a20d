public import Foundation
@_spi(Inlay) public import InlaySurface
@_spi(Inlay) public import InlayWebHost
import NIOConcurrencyHelpers
import NIOCore
import NIOPosix

/// Shows surfaces in any browser on the same machine.
///
/// It listens on 127.0.0.1 only. The address that holds this run's secret gives access; another user of the
/// machine, or a web page that guesses the port, has none: the path without the secret, a foreign `Host`
/// (DNS rebinding) and a foreign `Origin` are refused.
public final class BrowserHost: Sendable {
    private let surfaces: [String: any Surface]
    private let addresses: SurfaceAddresses
    private let listener: any Channel
    private let browserListener: BrowserListener

    /// Starts to listen. Views connect, and wait, from now on; `run()` serves them.
    ///
    /// - Parameters:
    ///   - surfaces: What can be shown, each under its own name.
    ///   - media: Where the pictures come from; without it a page has none.
    /// - Throws: When the port is taken, or two surfaces have the same name.
    public static func start(
        surfaces: [any Surface], configuration: Configuration = Configuration(),
        media: WebContent.Loader? = nil
    ) async throws -> BrowserHost {
        var named: [String: any Surface] = [:]
        for surface in surfaces where named.updateValue(surface, forKey: surface.name) != nil {
            throw BrowserHost.Failure.sameName(surface.name)
        }
        let pages = SurfacePages(surfaces: named, title: configuration.title, media: media)
        let browserListener = BrowserListener(pages: pages, configuration: configuration)
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try browserListener.open(channel) }
            }
            .bind(host: "127.0.0.1", port: configuration.port).get()
        return BrowserHost(
            surfaces: named, addresses: pages.addresses, listener: listener, browserListener: browserListener)
    }

    private init(
        surfaces: [String: any Surface], addresses: SurfaceAddresses, listener: any Channel,
        browserListener: BrowserListener
    ) {
        self.surfaces = surfaces
        self.addresses = addresses
        self.listener = listener
        self.browserListener = browserListener
    }

    /// The port it listens on.
    public var port: Int { listener.localAddress?.port ?? 0 }

    /// The address to open: the shell's start page, or the first surface when there is no shell.
    public var address: URL { address(path: addresses.prefix) }

    /// The address of one surface's page.
    public func address(of surface: String) -> URL { address(path: addresses.page(of: surface)) }

    /// Serves every page that connects, each with a run of its surface, until `stop()` or cancellation.
    ///
    /// Returns after every run has ended and every connection is closed.
    public func run() async {
        await withDiscardingTaskGroup { group in
            for await view in browserListener.views {
                guard let surface = surfaces[view.surface] else { continue }
                group.addTask { await view.serve(surface) }
            }
            group.cancelAll()
        }
        await stop()
    }

    /// Stops listening and says goodbye to the pages; `run()` returns soon after. Safe to call twice.
    public func stop() async {
        try? await listener.close()
        await browserListener.close()
    }

    private func address(path: String) -> URL {
        let text = "http://127.0.0.1:\(port)\(path)"
        guard let url = URL(string: text) else { preconditionFailure("not an address: \(text)") }
        return url
    }
}
