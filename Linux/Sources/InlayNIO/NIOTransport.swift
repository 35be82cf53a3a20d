import AsyncHTTPClient
public import InlayCore
public import NIOCore
public import NIOPosix
import NIOSSL

/// A transport for HTTP and WebSockets over SwiftNIO, with TLS by BoringSSL and public-key pins.
///
/// Requests without pins share pooled connections (HTTP/1.1, or HTTP/2 if the server supports it). A request with pins
/// has a connection of its own, because a pooled connection was verified with the pins of the request that opened it.
/// Redirects are not followed: the 3xx response goes to the caller, whose gate must first allow the new address.
public final class NIOTransport: Transport {
    private let pool: ConnectionPool
    private let connector: Connector
    private let sockets: SocketOpener

    /// Creates a transport, which closes its pooled connections when it is deallocated.
    ///
    /// - Parameters:
    ///   - trust: The roots to which a server's certificate must chain; the system's by default.
    ///   - socketSilence: The time without data after which a WebSocket counts as broken; the transport sends a ping at
    ///     half of it. 75 s by default, which is longer than the interval of two pings of the server.
    ///   - eventLoopGroup: The event loops of the connections; the process's shared group by default.
    /// - Throws: When BoringSSL cannot read the system's roots.
    public init(
        trust: TrustRoots = .system, socketSilence: Duration = .seconds(75),
        eventLoopGroup: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton
    ) throws {
        connector = Connector(
            group: eventLoopGroup, trust: trust, tls: try NIOSSLContext(configuration: trust.tlsConfiguration)
        )
        pool = ConnectionPool(group: eventLoopGroup, trust: trust)
        sockets = SocketOpener(connector: connector, silence: TimeAmount(socketSilence))
    }

    public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        let address = try ServerAddress(request.url)
        try request.refuseSmuggling()
        try Self.refuseHopelessPins(of: request, at: address)
        if request.pins == nil { return try await pool.send(request, to: address) }
        return try await connector.send(request, to: address)
    }

    public func openSocket(_ request: TransportRequest) async throws(TransportError) -> any TransportSocket {
        let address = try ServerAddress(request.url)
        try request.refuseSmuggling()
        try Self.refuseHopelessPins(of: request, at: address)
        return try await sockets.open(request, to: address)
    }

    /// Refuses pins that can never match before anything is sent, even before a name is looked up.
    private static func refuseHopelessPins(
        of request: TransportRequest, at address: ServerAddress
    ) throws(TransportError) {
        guard let pins = request.pins else { return }
        guard address.isSecure else { throw .denied }
        guard !pins.isEmpty else { throw .pinMismatch }
    }
}
