import InlayWire
import NIOConcurrencyHelpers
import NIOCore
import NIOHTTP1
import NIOWebSocket

/// Decides whether a request becomes a socket: the path, then the same checks as for every request.
///
/// A refused upgrade goes on as HTTP, where the route answers with the problem.
struct SocketUpgrade: Sendable {
    let live: LiveFeature
    let authentication: ClientAuthentication
    let limiter: RateLimiter

    /// The upgrader of one connection; `result` is what its set-up hands over.
    func upgrader<Result: Sendable>(
        _ result: @escaping @Sendable (any Channel) -> Result
    ) -> NIOTypedWebSocketServerUpgrader<Result> {
        // Verified in the first step, used in the second; one upgrader serves one connection only.
        let admitted = NIOLockedValueBox<ClientIdentity?>(nil)
        return NIOTypedWebSocketServerUpgrader(
            maxFrameSize: live.rules.longestMessage, enableAutomaticErrorHandling: false,
            shouldUpgrade: { channel, head in
                guard head.method == .GET, head.uri.prefix(while: { $0 != "?" }) == InlayPath.socket else {
                    return channel.eventLoop.makeSucceededFuture(nil)
                }
                return channel.eventLoop.makeFutureWithTask {
                    guard let identity = await admit(head) else { return nil }
                    admitted.withLockedValue { $0 = identity }
                    return [InlayHeader.serverTime: String(live.now().microseconds)]
                }
            },
            upgradePipelineHandler: { channel, _ in
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
            NIOWebSocketFrameAggregator(
                minNonFinalFragmentSize: 0, maxAccumulatedFrameCount: 64,
                maxAccumulatedFrameSize: rules.longestMessage),
            LiveSocketHandler(identity: identity, live: live),
        ])
    }
}
