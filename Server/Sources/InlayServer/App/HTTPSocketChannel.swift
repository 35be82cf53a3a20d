import Hummingbird
import HummingbirdCore
import Logging
import NIOConcurrencyHelpers
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1

/// One connection of the server's one port: its first request decides whether it speaks HTTP or WebSocket.
struct HTTPSocketChannel: HTTPChannelHandler {
    /// A connection whose first request may not have come yet.
    struct Connection: ServerChildChannelValue {
        let channel: any Channel
        let kind: EventLoopFuture<Kind>
    }

    /// What a connection became.
    enum Kind: Sendable {
        case http(NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>)
        case socket(any Channel)
    }

    typealias Value = Connection

    let responder: HTTPChannelHandler.Responder
    /// One for each connection.
    let makeUpgrade: @Sendable () -> SocketUpgrade
    /// Held while a connection is furnished. Two event loops that make the first two of a process at the same instant let
    /// Swift 6.3's runtime walk up a class whose superclass is not there yet, and that ends the process.
    private static let furnishing = NIOLock()
    /// How long a connection may do nothing: before its first request, inside one, and between two.
    static let idle: TimeAmount = .seconds(75)

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Connection> {
        channel.eventLoop.makeCompletedFuture {
            let upgrade = makeUpgrade()
            var pipeline = NIOUpgradableHTTPServerPipelineConfiguration(
                upgradeConfiguration: .init(
                    upgraders: [upgrade.upgrader { Kind.socket($0) }],
                    notUpgradingCompletionHandler: { speakHTTP(on: $0, logger) }))
            // Hummingbird answers one request after the other and handles errors itself.
            pipeline.enablePipelining = false
            pipeline.enableErrorHandling = false
            pipeline.enableResponseHeaderValidation = false
            let kind = try Self.furnishing.withLock {
                try channel.pipeline.syncOperations.configureUpgradableHTTPServerPipeline(
                    configuration: pipeline)
            }
            let decoder = try channel.pipeline.syncOperations.handler(
                type: ByteToMessageHandler<HTTPRequestDecoder>.self)
            try channel.pipeline.syncOperations.addHandler(upgrade.admission(), position: .after(decoder))
            let firstRequest = FirstRequestGuard(limit: Self.idle)
            try channel.pipeline.syncOperations.addHandler(firstRequest, position: .first)
            kind.assumeIsolated().whenComplete { _ in
                channel.pipeline.syncOperations.removeHandler(firstRequest, promise: nil)
            }
            return Connection(channel: channel, kind: kind)
        }
    }

    func handle(value: Connection, logger: Logger) async {
        // Fails when the connection closed before it became anything.
        guard let kind = try? await value.kind.get() else { return value.channel.close(promise: nil) }
        switch kind {
        case .http(let channel): await handleHTTP(asyncChannel: channel, logger: logger)
        case .socket(let channel): _ = try? await channel.closeFuture.get()
        }
    }

    private func speakHTTP(on channel: any Channel, _ logger: Logger) -> EventLoopFuture<Kind> {
        channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandlers([
                HTTP1ToHTTPServerCodec(secure: false),
                HTTPConnectionStateHandler(idleTimeout: .init(Self.idle), logger: logger),
            ])
            return try Self.furnishing.withLock {
                Kind.http(
                    try NIOAsyncChannel(
                        wrappingChannelSynchronously: channel,
                        configuration: .init(isOutboundHalfClosureEnabled: true)))
            }
        }
    }
}

/// Closes a connection that never sends a request, and one without a request when the server stops.
private final class FirstRequestGuard: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer

    private let limit: TimeAmount
    private var deadline: Scheduled<Void>?

    init(limit: TimeAmount) { self.limit = limit }

    func handlerAdded(context: ChannelHandlerContext) {
        let channel = context.channel
        deadline = context.eventLoop.scheduleTask(in: limit) { channel.close(promise: nil) }
    }

    func handlerRemoved(context: ChannelHandlerContext) { deadline?.cancel() }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard event is ChannelShouldQuiesceEvent else { return context.fireUserInboundEventTriggered(event) }
        context.close(promise: nil)
    }
}
