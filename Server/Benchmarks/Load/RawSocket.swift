import InlayServerCore
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOWebSocket

/// A WebSocket with minimal cost for the benchmark's process: it answers pings and counts messages.
struct RawSocket: Sendable {
    let channel: any Channel

    /// Connects, sends the first message, and returns when the server has accepted the upgrade.
    static func open(
        host: String, port: Int, path: String, headers: [(String, String)] = [],
        firstMessage: String? = nil,
        on group: any EventLoopGroup, onText: @escaping @Sendable () -> Void = {}
    ) async throws -> RawSocket {
        let upgraded = try await ClientBootstrap(group: group)
            .connectTimeout(.seconds(30))
            .connect(host: host, port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    let upgrader = NIOTypedWebSocketClientUpgrader(
                        upgradePipelineHandler: { channel, _ in
                            channel.eventLoop.makeCompletedFuture {
                                try channel.pipeline.syncOperations.addHandler(
                                    RawSocketHandler(onText: onText))
                                return true
                            }
                        })
                    var head = HTTPRequestHead(version: .http1_1, method: .GET, uri: path)
                    head.headers.add(name: "Host", value: "\(host):\(port)")
                    for (name, value) in headers { head.headers.add(name: name, value: value) }
                    return try channel.pipeline.syncOperations.configureUpgradableHTTPClientPipeline(
                        configuration: .init(
                            upgradeConfiguration: NIOTypedHTTPClientUpgradeConfiguration(
                                upgradeRequestHead: head, upgraders: [upgrader],
                                notUpgradingCompletionHandler: { $0.eventLoop.makeSucceededFuture(false) }))
                    )
                    .map { isUpgraded in (channel, isUpgraded) }
                }
            }
        let (channel, isUpgraded) = try await upgraded.get()
        guard isUpgraded else { throw BenchError("\(path) refused the upgrade to a WebSocket.") }
        if let firstMessage {
            let frame = WebSocketFrame(
                fin: true, opcode: .text, maskKey: .random(), data: ByteBuffer(string: firstMessage))
            try await channel.writeAndFlush(frame)
        }
        return RawSocket(channel: channel)
    }

    func close() async { try? await channel.close() }
}

/// A channel handler that counts messages and answers pings.
private final class RawSocketHandler: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    private let onText: @Sendable () -> Void

    init(onText: @escaping @Sendable () -> Void) { self.onText = onText }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        switch frame.opcode {
        case .text: onText()
        case .ping:
            let pong = WebSocketFrame(fin: true, opcode: .pong, maskKey: .random(), data: frame.unmaskedData)
            context.writeAndFlush(wrapOutboundOut(pong), promise: nil)
        case .connectionClose: context.close(promise: nil)
        default: break
        }
    }
}
