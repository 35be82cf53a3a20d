import InlayCore
import NIOCore
import NIOHTTP1
import NIOWebSocket

/// A factory of WebSockets: it opens a new connection, requests the upgrade and adds the WebSocket's handlers.
struct SocketOpener: Sendable {
    let connector: Connector
    let silence: TimeAmount

    /// Opens a WebSocket and returns it when the server has accepted the upgrade.
    func open(_ request: TransportRequest, to address: ServerAddress) async throws(TransportError)
        -> NIOSocket
    {
        try await connector.attempt(request, to: address, then: .keep) { channel, socket in
            var pipeline = NIOUpgradableHTTPClientPipelineConfiguration(
                upgradeConfiguration: upgrade(request, to: address, socket: socket))
            // A server may send its first message in one packet with its response to the upgrade.
            pipeline.leftOverBytesStrategy = .forwardBytes
            try channel.pipeline.syncOperations
                .configureUpgradableHTTPClientPipeline(configuration: pipeline)
                .whenFailure { socket.fail($0) }
        }
    }

    private func upgrade(
        _ request: TransportRequest, to address: ServerAddress, socket: EventLoopPromise<NIOSocket>
    ) -> NIOTypedHTTPClientUpgradeConfiguration<Void> {
        let limit = min(request.maximumResponseBytes, Int(UInt32.max))
        let upgrader = NIOTypedWebSocketClientUpgrader<Void>(
            maxFrameSize: limit, enableAutomaticErrorHandling: false
        ) { [silence] channel, _ in
            channel.eventLoop.makeCompletedFuture {
                socket.succeed(try NIOSocket.install(on: channel, maximumMessage: limit, silence: silence))
            }
        }
        var headers = request.wireHeaders
        headers.replaceOrAdd(name: "Host", value: address.authority)
        return NIOTypedHTTPClientUpgradeConfiguration(
            upgradeRequestHead: HTTPRequestHead(
                version: .http1_1, method: .GET, uri: address.target, headers: headers),
            upgraders: [upgrader]
        ) { channel in
            channel.eventLoop.makeCompletedFuture {
                try channel.pipeline.syncOperations.addHandler(RefusalReader(socket: socket))
            }
        }
    }
}

/// A handler that fails the socket with the status of a response that refuses the upgrade; it ignores the body.
final class RefusalReader: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart

    private let socket: EventLoopPromise<NIOSocket>

    init(socket: EventLoopPromise<NIOSocket>) { self.socket = socket }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(let head) = Self.unwrapInboundIn(data) else { return }
        socket.fail(TransportError.upgradeRefused(status: Int(head.status.code)))
    }
}
