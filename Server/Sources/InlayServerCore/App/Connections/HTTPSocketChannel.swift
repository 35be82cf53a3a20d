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
        /// Whether only health checks are answered on it.
        let isReserve: Bool
    }

    /// The protocol that a connection turned out to use.
    enum Kind: Sendable {
        case http(NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>)
        case socket(any Channel)
    }

    typealias Value = Connection

    var responder: HTTPChannelHandler.Responder
    /// Makes the upgrade of one connection.
    let makeUpgrade: @Sendable () -> SocketUpgrade
    let limiter: ConnectionLimiter
    /// Held while a connection is set up. When two event loops set up the first two connections of a process at the
    /// same instant, Swift 6.3's runtime may read the superclass of a class before it is set, and the process crashes.
    private static let setupLock = NIOLock()
    /// The time that a connection may be idle: before its first request, inside one, and between two.
    static let idle: TimeAmount = .seconds(75)

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Connection> {
        guard let ticket = limiter.open(from: CallerAddress(channel.remoteAddress)) else {
            return Self.refuse(channel)
        }
        channel.closeFuture.whenComplete { [limiter] _ in limiter.close(ticket) }
        return channel.eventLoop.makeCompletedFuture {
            let upgrade = makeUpgrade()
            let slowClient = SlowClientGuard(
                ticket.isReserve ? .init(grace: .seconds(5), answerStall: .seconds(5)) : .init())
            let bound = NIOLoopBound(slowClient, eventLoop: channel.eventLoop)
            var pipeline = NIOUpgradableHTTPServerPipelineConfiguration(
                upgradeConfiguration: .init(
                    upgraders: [upgrade.upgrader { Kind.socket($0) }],
                    notUpgradingCompletionHandler: { speakHTTP(on: $0, bound, logger) }))
            // Hummingbird answers one request after the other and handles errors itself.
            pipeline.enablePipelining = false
            pipeline.enableErrorHandling = false
            pipeline.enableResponseHeaderValidation = false
            let kind = try Self.setupLock.withLock {
                try channel.pipeline.syncOperations.configureUpgradableHTTPServerPipeline(
                    configuration: pipeline)
            }
            let decoder = try channel.pipeline.syncOperations.handler(
                type: ByteToMessageHandler<HTTPRequestDecoder>.self)
            try channel.pipeline.syncOperations.addHandler(upgrade.admission(), position: .after(decoder))
            let firstRequest = FirstRequestGuard(limit: ticket.isReserve ? .seconds(5) : Self.idle)
            try channel.pipeline.syncOperations.addHandlers([firstRequest, slowClient], position: .first)
            kind.assumeIsolated().whenComplete { result in
                channel.pipeline.syncOperations.removeHandler(firstRequest, promise: nil)
                guard case .success(.socket) = result else { return }
                channel.pipeline.syncOperations.removeHandler(slowClient, promise: nil)
            }
            return Connection(channel: channel, kind: kind, isReserve: ticket.isReserve)
        }
    }

    /// Closes a connection that is over its share. An error here would reach the listener.
    private static func refuse(_ channel: any Channel) -> EventLoopFuture<Connection> {
        channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandler(RefusedConnection())
            return Connection(
                channel: channel, kind: channel.eventLoop.makeFailedFuture(ChannelError.ioOnClosedChannel),
                isReserve: false)
        }
    }

    func handle(value: Connection, logger: Logger) async {
        // Fails when the connection closed before its protocol was known.
        guard let kind = try? await value.kind.get() else { return value.channel.close(promise: nil) }
        switch kind {
        case .http(let channel):
            let handler = value.isReserve ? forHealthChecks : self
            await handler.handleHTTP(asyncChannel: channel, logger: logger)
        case .socket(let channel): _ = try? await channel.closeFuture.get()
        }
    }

    private func speakHTTP(
        on channel: any Channel, _ slowClient: NIOLoopBound<SlowClientGuard>, _ logger: Logger
    ) -> EventLoopFuture<Kind> {
        channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandlers([
                HTTP1ToHTTPServerCodec(secure: false), RequestEndObserver(slowClient.value),
                HTTPConnectionStateHandler(idleTimeout: .init(Self.idle), logger: logger),
            ])
            return try Self.setupLock.withLock {
                Kind.http(
                    try NIOAsyncChannel(
                        wrappingChannelSynchronously: channel,
                        configuration: .init(isOutboundHalfClosureEnabled: true)))
            }
        }
    }
}

/// A handler that closes its connection as soon as it is active.
private final class RefusedConnection: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    func channelActive(context: ChannelHandlerContext) { context.close(promise: nil) }
}

/// A handler that closes a connection which never sends a request, and one without a request when the server stops.
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
