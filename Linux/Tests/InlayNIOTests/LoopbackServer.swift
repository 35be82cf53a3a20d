import Foundation
import NIOConcurrencyHelpers
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import NIOWebSocket

/// A real server on 127.0.0.1 that behaves as a test scripts it, well or badly.
final class LoopbackServer: Sendable {
    /// The answer to a request.
    enum Behaviour: Sendable {
        case answer(status: Int, headers: [String: String] = [:], body: String = "")
        /// Returns the request's method, path and body.
        case echo
        /// Announces 1,000 bytes, sends ten and closes.
        case cutMidBody
        /// Reads the request and never answers.
        case silence
        /// Sends the head and one byte, then nothing.
        case stallMidBody
        /// Sends this number of bytes without a `Content-Length`.
        case flood(bytes: Int)
    }

    /// The requests that arrived, one line each: `METHOD target bodyBytes`.
    let seen = NIOLockedValueBox<[String]>([])
    let connections = NIOLockedValueBox(0)
    let heads = NIOLockedValueBox<[HTTPRequestHead]>([])
    private let channel: any Channel

    /// Starts a server on a free port.
    static func start(
        tls: NIOSSLContext? = nil, socket: SocketScript? = nil, _ behaviour: Behaviour = .echo
    ) async throws -> LoopbackServer {
        let started = NIOLockedValueBox<LoopbackServer?>(nil)
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.backlog, value: 256)
            .childChannelInitializer { child in
                child.eventLoop.makeCompletedFuture {
                    let server = started.withLockedValue { $0 }
                    server?.connections.withLockedValue { $0 += 1 }
                    if let tls {
                        try child.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: tls))
                    }
                    try Self.configure(child, server: server, socket: socket, behaviour: behaviour)
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let server = LoopbackServer(channel: channel)
        started.withLockedValue { $0 = server }
        return server
    }

    private init(channel: any Channel) { self.channel = channel }

    var port: Int { channel.localAddress?.port ?? 0 }

    func url(_ path: String = "/", scheme: String = "http", host: String = "127.0.0.1") -> URL {
        URL(string: "\(scheme)://\(host):\(port)\(path)") ?? URL(fileURLWithPath: "/")
    }

    func stop() async { try? await channel.close() }

    private static func configure(
        _ child: any Channel, server: LoopbackServer?, socket: SocketScript?, behaviour: Behaviour
    ) throws {
        guard let socket else {
            try child.pipeline.syncOperations.configureHTTPServerPipeline()
            return try child.pipeline.syncOperations.addHandler(
                BehaviourHandler(server: server, behaviour: behaviour))
        }
        let upgrader = NIOTypedWebSocketServerUpgrader<Void>(
            shouldUpgrade: { channel, head in
                server?.heads.withLockedValue { $0.append(head) }
                return channel.eventLoop.makeSucceededFuture([:])
            },
            upgradePipelineHandler: { channel, _ in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(ScriptedSocket(script: socket))
                }
            })
        let upgrade = NIOTypedHTTPServerUpgradeConfiguration<Void>(upgraders: [upgrader]) { channel in
            channel.eventLoop.makeCompletedFuture {
                try channel.pipeline.syncOperations.addHandler(
                    BehaviourHandler(server: server, behaviour: behaviour))
            }
        }
        _ = try child.pipeline.syncOperations.configureUpgradableHTTPServerPipeline(
            configuration: .init(upgradeConfiguration: upgrade))
    }
}

/// Plays one behaviour for each request of a connection.
private final class BehaviourHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let server: LoopbackServer?
    private let behaviour: LoopbackServer.Behaviour
    private var head: HTTPRequestHead?
    private var body = ByteBuffer()

    init(server: LoopbackServer?, behaviour: LoopbackServer.Behaviour) {
        self.server = server
        self.behaviour = behaviour
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch Self.unwrapInboundIn(data) {
        case .head(let head):
            self.head = head
            body.clear()
        case .body(var part): body.writeBuffer(&part)
        case .end:
            guard let head else { return }
            server?.heads.withLockedValue { $0.append(head) }
            server?.seen.withLockedValue {
                $0.append("\(head.method.rawValue) \(head.uri) \(body.readableBytes)")
            }
            play(head, context)
        }
    }

    private func play(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        switch behaviour {
        case .answer(let status, let headers, let text):
            answer(status, headers: headers, ByteBuffer(string: text), context)
        case .echo:
            var echo = ByteBuffer(string: "\(head.method.rawValue) \(head.uri) ")
            echo.writeImmutableBuffer(body)
            answer(200, headers: ["X-Twice": "a"], echo, context)
        case .cutMidBody:
            begin(["Content-Length": "1000"], "ten bytes.", context)
            context.close(promise: nil)
        case .silence: break
        case .stallMidBody: begin(["Content-Length": "1000"], "x", context)
        case .flood(let bytes):
            begin([:], String(repeating: "x", count: bytes), context)
            context.writeAndFlush(Self.wrapOutboundOut(.end(nil)), promise: nil)
        }
    }

    private func answer(
        _ status: Int, headers: [String: String], _ body: ByteBuffer, _ context: ChannelHandlerContext
    ) {
        var fields = HTTPHeaders(headers.map { ($0.key, $0.value) })
        fields.replaceOrAdd(name: "Content-Length", value: String(body.readableBytes))
        let head = HTTPResponseHead(version: .http1_1, status: .init(statusCode: status), headers: fields)
        context.write(Self.wrapOutboundOut(.head(head)), promise: nil)
        context.write(Self.wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
        context.writeAndFlush(Self.wrapOutboundOut(.end(nil)), promise: nil)
    }

    private func begin(_ headers: [String: String], _ text: String, _ context: ChannelHandlerContext) {
        let fields = HTTPHeaders(headers.map { ($0.key, $0.value) })
        context.write(
            Self.wrapOutboundOut(.head(HTTPResponseHead(version: .http1_1, status: .ok, headers: fields))),
            promise: nil)
        context.writeAndFlush(
            Self.wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: text)))), promise: nil)
    }
}
