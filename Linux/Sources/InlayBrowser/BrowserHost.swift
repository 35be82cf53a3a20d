public import Foundation
@_spi(Inlay) public import InlaySurface
@_spi(Inlay) public import InlayWebHost
import NIOConcurrencyHelpers
import NIOCore
import NIOPosix

/// A server that shows surfaces in any browser on the same machine.
///
/// It listens only on 127.0.0.1. The address, which contains a secret of this run, gives access. Another user of the
/// machine, or a web page that guesses the port, has no access: a path without the secret, a foreign `Host` (DNS
/// rebinding) and a foreign `Origin` are refused.
public final class BrowserHost: Sendable {
    private let surfaces: [String: any Surface]
    private let addresses: SurfaceAddresses
    private let listener: any Channel
    private let browserListener: BrowserListener

    /// Starts to listen. Pages can connect from now on, and wait until `run()` serves them.
    ///
    /// - Parameters:
    ///   - surfaces: The surfaces that can be shown, each with a different name.
    ///   - media: The loader of pictures; without a loader, pages show no pictures.
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

    /// The port on which the host listens.
    public var port: Int { listener.localAddress?.port ?? 0 }

    /// The address to open: the shell's start page, or the first surface when there is no shell.
    public var address: URL { address(path: addresses.prefix) }

    /// Returns the address of a surface's page.
    public func address(of surface: String) -> URL { address(path: addresses.page(of: surface)) }

    /// Runs a surface for every page that connects, until `stop()` or cancellation.
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

    /// Stops listening and closes the pages' sockets with "going away"; `run()` returns soon after. Safe to call twice.
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
