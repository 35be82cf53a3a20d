package import Hummingbird
import HummingbirdCore
@_spi(Inlay) import InlayWire
import Logging

/// The assembly of middleware, routes and the socket into Hummingbird's application.
package enum ServerApplication {
    /// The maximum number of connections that wait to be accepted; the kernel's own limit (`net.core.somaxconn`) is
    /// usually the same.
    private static let backlog = 4_096

    /// Returns the application with the routes of all features. `allowed` gets the routes, `listening` the port once it
    /// is known.
    ///
    /// Throws a ``ConfigurationError`` when one of `names`, to which the routes are added, has two owners.
    package static func make(
        _ services: ServerServices, _ live: LiveFeature, _ features: [any ServerFeature],
        _ listening: ListeningAddress, _ allowed: AllowedMethods, _ names: FeatureNames
    ) throws -> Application<RouterResponder<ServerContext>> {
        let (authentication, limiter) = (services.clients, services.limiter)
        let router = try makeRouter(services, features, authentication, limiter, allowed, names)
        let makeUpgrade = { @Sendable in
            SocketUpgrade(live: live, authentication: authentication, limiter: limiter)
        }
        let configuration = services.configuration, maximum = Connections.maximum()
        let connections = ConnectionLimiter(
            limits: .shared(
                maximum, perNetwork: configuration.connectionsPerAddress,
                behindProxy: configuration.trustsProxy)
        )
        return Application(
            responder: router.buildResponder(),
            server: HTTPServerBuilder {
                HTTPSocketChannel(responder: $0, makeUpgrade: makeUpgrade, limiter: connections)
            },
            configuration: .init(
                address: .hostname(configuration.host, port: configuration.port), serverName: "Inlay",
                backlog: backlog,
                availableConnectionsDelegate: MaximumAvailableConnections(
                    maximum, logger: services.logger)),
            onServerRunning: { channel in
                channel.closeFuture.whenComplete { _ in listening.didStop() }
                listening.didStart(on: channel.localAddress?.port)
            },
            logger: services.logger)
    }

    private static func makeRouter(
        _ services: ServerServices, _ features: [any ServerFeature], _ authentication: ClientAuthentication,
        _ limiter: RateLimiter, _ allowed: AllowedMethods, _ names: FeatureNames
    ) throws -> Router<ServerContext> {
        let router = Router(context: ServerContext.self, options: .autoGenerateHeadEndpoints)
        let configuration = services.configuration
        // The outermost comes first, so that errors which an inner one throws still get headers and a log line.
        router.add(middleware: ResponseHeaders(now: services.now, isSecure: configuration.isReachedByHTTPS))
        router.add(
            middleware: ForwardedCaller(header: configuration.trustsProxy ? configuration.proxyHeader : nil))
        router.add(
            middleware: RequestLog(
                level: configuration.logsRequests ? .info : .debug, metrics: services.metrics))
        let unknown = UnknownAddresses()
        router.add(middleware: ProblemResponses(allowed: allowed, unknown: unknown))
        router.add(middleware: AddressLimit(limiter: limiter))
        router.add(middleware: HostCheck())
        router.add(middleware: BodyLimit(larger: features.flatMap(\.largerBodies)))
        for feature in features {
            let own = FeatureRouter(router: router, owner: "\(type(of: feature))", names: names)
            let client = own.group().add(middleware: ClientGate(authentication, limiter))
            let backend = own.group().add(middleware: BackendGate(services.environments, limiter))
            feature.addRoutes(
                to: ServerRoutes(own, client: client, backend: backend, unknown: unknown))
        }
        try names.check()
        do {
            try router.validate()
        } catch {
            throw ConfigurationError(description: "Two routes can be meant by one path. \(error).")
        }
        allowed.register(router.routes)
        return router
    }
}
