public import Foundation
public import InlaySurface
import NIOConcurrencyHelpers
import NIOCore
import NIOPosix

/// Shows surfaces in any browser on the same machine.
///
/// It listens on 127.0.0.1 only. Whoever knows the address that holds this run's secret may look;
/// another user of the machine, or a web page that guesses the port, may not: the path without the
/// secret, a foreign `Host` (DNS rebinding) and a foreign `Origin` are refused.
public final class BrowserHost: Sendable {
    /// Fetches an image or a font that a surface shows, or an address outside that a surface lets a document load.
    ///
    /// Give it the SDK's gated transport, and let it throw for every status but 200.
    public typealias MediaLoader = @Sendable (URL) async throws -> BrowserContent

    private let surfaces: [String: any Surface]
    private let secret: Secret
    private let listener: any Channel
    private let door: FrontDoor

    /// Starts to listen. Views connect, and wait, from now on; `run()` serves them.
    ///
    /// - Parameters:
    ///   - surfaces: What can be shown, each under its own name.
    ///   - media: Where the pictures come from; without it a page has none.
    /// - Throws: When the port is taken, or two surfaces have the same name.
    public static func start(
        surfaces: [any Surface], configuration: Configuration = Configuration(), media: MediaLoader? = nil
    ) async throws -> BrowserHost {
        var named: [String: any Surface] = [:]
        for surface in surfaces where named.updateValue(surface, forKey: surface.name) != nil {
            throw BrowserHostError.sameName(surface.name)
        }
        let secret = Secret()
        let router = Router(
            secret: secret, contentSecret: Secret(), surfaces: Set(named.keys), shell: configuration.shell)
        let door = FrontDoor(router: router, surfaces: named, configuration: configuration, media: media)
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try door.open(channel) }
            }
            .bind(host: "127.0.0.1", port: configuration.port).get()
        return BrowserHost(surfaces: named, secret: secret, listener: listener, door: door)
    }

    private init(
        surfaces: [String: any Surface], secret: Secret, listener: any Channel, door: FrontDoor
    ) {
        self.surfaces = surfaces
        self.secret = secret
        self.listener = listener
        self.door = door
    }

    /// The port it listens on.
    public var port: Int { listener.localAddress?.port ?? 0 }

    /// The address to open: the shell's start page, or the first surface when there is no shell.
    public var address: URL { address(path: "") }

    /// The address of one surface's page.
    public func address(of surface: String) -> URL { address(path: Router.encoded(surface) + "/") }

    /// Serves every page that connects, each with a run of its surface, until `stop()` or cancellation.
    ///
    /// When it returns, every run has ended and every connection is closed.
    public func run() async {
        await withDiscardingTaskGroup { group in
            for await view in door.views {
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
        await door.close()
    }

    private func address(path: String) -> URL {
        let text = "http://127.0.0.1:\(port)/\(secret.text)/\(path)"
        guard let url = URL(string: text) else { preconditionFailure("not an address: \(text)") }
        return url
    }
}
