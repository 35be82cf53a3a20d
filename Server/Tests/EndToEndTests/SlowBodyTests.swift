import Foundation
@_spi(Inlay) import InlayTesting
import NIOConcurrencyHelpers
import NIOCore
import NIOPosix
import Testing

/// Tests of a server with few file descriptors, while addresses hold as many connections as they can.
@Suite(.serialized, .timeLimit(.minutes(5))) struct SlowBodyTests {
    /// Runs the body with a server of 600 descriptors. They allow 400 connections, 50 of them a reserve, and at most
    /// 100 from one address.
    private static func withServer(_ body: @Sendable (Int) async throws -> Void) async throws {
        let folder = try TemporaryFolder()
        let server = try await LoggedServer.start(
            [
                "--database", "sqlite:\(folder.url.path)/data/inlay.sqlite", "--port", "0",
                "--rate-address", "0",
            ], openFiles: 600, in: folder)
        try await body(try #require(server.address.port))
        try await server.stop()
    }

    private static let slowBody = """
        POST /workbench/sign-in HTTP/1.1\r\nHost: a.example\r\nContent-Length: 1000\r\n\
        Content-Type: application/x-www-form-urlencoded\r\n\r\nx
        """

    /// Opens connections from an address and sends a text on each.
    private static func hold(
        _ count: Int, from address: String, to port: Int, sending text: String = ""
    ) async throws -> HeldConnections {
        let connections = HeldConnections()
        for _ in 0..<count {
            let channel = try await connect(from: address, to: port)
            connections.add(channel)
            // Above the address's maximum, the server may have closed the connection already.
            try? await channel.writeAndFlush(ByteBuffer(string: text))
        }
        return connections
    }

    private static func connect(from address: String, to port: Int) async throws -> any Channel {
        try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .bind(to: SocketAddress(ipAddress: address, port: 0))
            .connectTimeout(.seconds(20))
            .connect(host: "127.0.0.1", port: port).get()
    }

    /// Returns the status of an answer and its time; `nil` when there is none within 60 seconds.
    private static func get(_ path: String, from address: String, _ port: Int) async throws -> (
        status: String, time: Duration
    )? {
        let start = ContinuousClock.now, answer = NIOLockedValueBox("")
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .bind(to: SocketAddress(ipAddress: address, port: 0)).connectTimeout(.seconds(60))
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(AnswerReader(answer))
                }
            }
            .connect(host: "127.0.0.1", port: port).get()
        let timeout = channel.eventLoop.scheduleTask(in: .seconds(60)) { channel.close(promise: nil) }
        try? await channel.writeAndFlush(
            ByteBuffer(string: "GET \(path) HTTP/1.1\r\nHost: a.example\r\nConnection: close\r\n\r\n"))
        try await channel.closeFuture.get()
        timeout.cancel()
        let words = answer.withLockedValue { $0 }.split(separator: " ")
        guard words.count > 1 else { return nil }
        return (status: String(words[1]), time: ContinuousClock.now - start)
    }

    @Test
    func `four hundred slow bodies of one address do not slow down the health checks of others`()
        async throws
    {
        try await Self.withServer { port in
            let slow = try await Self.hold(400, from: "127.0.0.1", to: port, sending: Self.slowBody)
            try await eventually(within: .seconds(30)) { slow.ended >= 300 }
            let ended = slow.ended
            var fastest = Duration.seconds(60)
            for _ in 0..<20 {
                let answer = try await Self.get("/ready", from: "127.0.0.2", port)
                #expect(answer?.status == "200")
                fastest = min(fastest, answer?.time ?? fastest)
            }
            // No answer waited for the end of a slow body, whose limit is half a minute.
            #expect(slow.ended == ended)
            // A busy machine may be late once, a full server is late each time.
            #expect(fastest < .milliseconds(100))
            await slow.close()
        }
    }

    @Test func `health is answered from a reserve when every other connection is taken`() async throws {
        try await Self.withServer { port in
            var slow: [HeldConnections] = []
            for address in ["127.0.0.1", "127.0.0.2", "127.0.1.1", "127.0.1.2"] {
                slow.append(try await Self.hold(100, from: address, to: port))
            }
            let full = try await Self.get("/workbench/sign-in", from: "127.0.2.1", port)
            #expect(full?.status == "503")
            for path in ["/health", "/ready"] {
                #expect(try await Self.get(path, from: "127.0.2.1", port)?.status == "200")
            }
            for connections in slow { await connections.close() }
        }
    }
}

/// Open connections, and the number of those that the server has closed.
private final class HeldConnections: Sendable {
    private let channels = NIOLockedValueBox<[any Channel]>([])
    private let closed = NIOLockedValueBox(0)

    var ended: Int { closed.withLockedValue { $0 } }

    func add(_ channel: any Channel) {
        channels.withLockedValue { $0.append(channel) }
        channel.closeFuture.whenComplete { [closed] _ in closed.withLockedValue { $0 += 1 } }
    }

    func close() async {
        for channel in channels.withLockedValue({ $0 }) { try? await channel.close() }
    }
}

/// A handler that collects the bytes of an answer.
private final class AnswerReader: ChannelInboundHandler, Sendable {
    typealias InboundIn = ByteBuffer

    private let answer: NIOLockedValueBox<String>

    init(_ answer: NIOLockedValueBox<String>) { self.answer = answer }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let text = String(buffer: unwrapInboundIn(data))
        answer.withLockedValue { $0 += text }
    }
}
