@_spi(Inlay) import InlayWire
import NIOConcurrencyHelpers
import NIOCore
import NIOHTTP1
import NIOWebSocket

/// The upgrade of one connection's first request to a socket: it is verified first, then upgraded.
final class SocketUpgrade: Sendable {
    private let live: LiveFeature
    private let authentication: ClientAuthentication
    private let limiter: RateLimiter
    /// Set by the first step, used by the second.
    private let admitted = NIOLockedValueBox<ClientIdentity?>(nil)

    init(live: LiveFeature, authentication: ClientAuthentication, limiter: RateLimiter) {
        self.live = live
        self.authentication = authentication
        self.limiter = limiter
    }

    /// Returns the handler of the first step; its place is directly after the HTTP decoder.
    func admission() -> SocketAdmission {
        SocketAdmission { [self] head in
            guard let identity = await admit(head) else { return false }
            admitted.withLockedValue { $0 = identity }
            return true
        }
    }

    /// Returns the upgrader of the second step; `result` makes its value from the upgraded channel.
    func upgrader<Result: Sendable>(
        _ result: @escaping @Sendable (any Channel) -> Result
    ) -> NIOTypedWebSocketServerUpgrader<Result> {
        NIOTypedWebSocketServerUpgrader(
            maxFrameSize: live.rules.maximumMessageBytes, enableAutomaticErrorHandling: false,
            shouldUpgrade: { [self] channel, _ in
                let time = [(InlayHeader.serverTime, String(live.now().microseconds))]
                return channel.eventLoop.makeSucceededFuture(HTTPHeaders(time))
            },
            upgradePipelineHandler: { [self] channel, _ in
                channel.eventLoop.makeCompletedFuture {
                    guard let identity = admitted.withLockedValue({ $0 }) else {
                        throw ChannelError.operationUnsupported
                    }
                    try addHandlers(to: channel, identity)
                    return result(channel)
                }
            })
    }

    private func admit(_ head: HTTPRequestHead) async -> ClientIdentity? {
        let credentials = ClientAuthentication.Credentials(
            environmentID: head.headers.first(name: InlayHeader.environment),
            apiKeyID: head.headers.first(name: InlayHeader.apiKey),
            authorization: head.headers.first(name: "Authorization"),
            clientVersion: head.headers.first(name: InlayHeader.clientVersion))
        guard let identity = try? await authentication.identity(credentials),
            (try? limiter.spend(identity)) != nil
        else { return nil }
        return identity
    }

    private func addHandlers(to channel: any Channel, _ identity: ClientIdentity) throws {
        let rules = live.rules
        try channel.pipeline.syncOperations.addHandlers([
            MaskedFrames(),
            NIOWebSocketFrameAggregator(
                minNonFinalFragmentSize: 0, maxAccumulatedFrameCount: 64,
                maxAccumulatedFrameSize: rules.maximumMessageBytes),
            LiveSocketHandler(identity: identity, live: live),
        ])
    }
}

/// A handler that refuses frames without a mask: RFC 6455, section 5.1, requires a mask of every client's frame.
///
/// Its place is before the fragments are joined, because the joined frame has no mask any more.
final class MaskedFrames: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard unwrapInboundIn(data).maskKey != nil else {
            return context.channel.closeWebSocket(.protocolError)
        }
        context.fireChannelRead(data)
    }
}
