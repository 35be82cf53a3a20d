import Foundation
import InlaySQL
import InlaySQLTesting
import InlayTesting
@_spi(Inlay) import InlayWire
import NIOConcurrencyHelpers
import NIOCore
import NIOPosix
import NIOWebSocket
import Testing

@testable import InlayServerCore
@testable import InlayServerTesting

/// The changes that sockets still receive when messages between nodes are lost.
@Suite(.timeLimit(.minutes(5))) struct LiveNodesTests {
    /// Runs the body with a node that listens, a socket that is subscribed to `test/a`, and a database connection that
    /// sends messages as another node.
    private func with(
        _ body: @escaping @Sendable (TestApp, TestSocket, any SQLDatabase) async throws -> Void
    ) async throws {
        try await TestDatabase.withURL(.postgresql) { url in
            try await TestApp.run(url: url) { app in
                let tenant = try await TestTenant.make(app)
                let other = try await SQLDatabaseURL.open(url)
                defer { other.close() }
                try await TestSocket.open(app, try tenant.headers(app)) { socket in
                    _ = try await socket.next()
                    try await socket.subscribe(["test/a"])
                    _ = try await socket.nextMessage()
                    try await untilReceived(by: app, socket, other)
                    try await body(app, socket, other)
                }
            }
        }
    }

    /// Sends messages until the socket receives one, because the node starts to listen at an unknown moment; then reads
    /// the rest.
    private func untilReceived(by app: TestApp, _ socket: TestSocket, _ other: any SQLDatabase) async throws {
        let done = Flag()
        async let sending: Int64 = {
            var version: Int64 = 100
            while !done.isSet {
                // The receiver that throws ends this task, too.
                try Task.checkCancellation()
                version += 1
                try await send(change(version), other)
            }
            try await send(change(version + 1), other)
            return version + 1
        }()
        _ = try await message(of: socket, from: 101)
        done.set()
        _ = try await message(of: socket, from: try await sending)
    }

    private func change(_ version: Int64) -> LiveEnvelope {
        LiveEnvelope(
            node: "other",
            changes: [
                LiveChange(environmentID: "harbor", userID: "alice", topic: "test/a", version: version)
            ])
    }

    private func send(_ envelope: LiveEnvelope, _ database: any SQLDatabase) async throws {
        try await database.notify(LiveHub.channel, try #require(envelope.payload))
    }

    /// Returns the version of the next change that is at least `version`. Skips 6005, the version that the node looks
    /// up, unless it is asked for.
    private func message(of socket: TestSocket, from version: Int64) async throws -> Int64 {
        while true {
            guard case .message(.changed("test/a", let found)) = try await socket.nextMessage() else {
                throw TestFailure("Not a change.")
            }
            if found >= version, found != 6005 || version == 6005 { return found }
        }
    }

    @Test func `when a node falls silent, the others look up changes that it did not send`() async throws {
        try await with { app, socket, _ in
            // `with` received messages of the other node, which now ends between a commit and its message.
            app.clock.advance(by: LivePeers.silenceLimit + .seconds(1))
            await app.server.features.live.checkPeers()
            let version = try await message(of: socket, from: 6005)
            #expect(version == 6005)
        }
    }

    @Test func `when a node reports a lost message, the others look up the changes`() async throws {
        try await with { _, socket, other in
            try await send(LiveEnvelope(node: "other", changes: [], hasLost: true), other)
            let version = try await message(of: socket, from: 6005)
            #expect(version == 6005)
        }
    }

    @Test func `a node that announces its end causes no look-ups`() {
        var peers = LivePeers()
        let start = Timestamp(seconds: 1_800_000_000)
        let lost = [
            peers.record(LiveEnvelope(node: "a", changes: []), at: start),
            peers.record(LiveEnvelope(node: "b", changes: []), at: start),
            peers.record(LiveEnvelope(node: "a", changes: [], isLeaving: true), at: start),
        ]
        #expect(lost == [false, false, false])
        let silent = [14, 16, 60].map { peers.forgetSilent(at: start + .seconds($0)) }
        #expect(silent == [false, true, false])
    }

    @Test func `after a lost listener connection, the topics of 20,000 sockets are looked up 500 at a time`()
        async throws
    {
        let count = 20_000
        // On SQLite, nothing else notifies the sockets meanwhile.
        try await TestApp.run { app in
            try await Self.withSockets(count, on: app) { group in
                await app.server.features.live.hub.republish()
                try await eventually(within: .seconds(120)) { group.frames >= count }
                #expect(group.lookups == Array(repeating: 500, count: count / 500))
            }
        }
    }

    @Test func `20,000 sockets receive what they missed when the database ends the listener's connection`()
        async throws
    {
        let count = 20_000
        try await with { app, socket, other in
            try await Self.withSockets(count, on: app) { group in
                let ended = try await other.read {
                    try $0.rows(
                        """
                        SELECT pg_terminate_backend(pid) AS is_ended FROM pg_stat_activity
                        WHERE datname = current_database() AND query LIKE 'LISTEN%'
                        """
                    ).count
                }
                #expect(ended == 1)
                try await eventually(within: .seconds(120)) { group.frames >= count }
                // Each socket once, and at most 500 in one look-up; the test's own socket is in one of the batches.
                #expect(group.lookups.reduce(0, +) == count && group.frames == count)
                #expect(group.lookups.max() == 500 && group.lookups.count <= count / 500 + 1)
                let version = try await message(of: socket, from: 6005)
                #expect(version == 6005)
            }
        }
    }

    /// The counts of frames that were sent to sockets without an app, and of look-ups for these sockets.
    private struct SocketGroup: Sendable {
        private let counts = NIOLockedValueBox<(frames: Int, lookups: [Int])>((0, []))

        var frames: Int { counts.withLockedValue { $0.frames } }
        /// The number of topics of each look-up.
        var lookups: [Int] { counts.withLockedValue { $0.lookups } }

        func countFrame() { counts.withLockedValue { $0.frames += 1 } }
        func countLookup(_ topics: Int) { counts.withLockedValue { $0.lookups.append(topics) } }
    }

    /// Runs the body while a node has `count` more sockets, each of another user and with one topic.
    private static func withSockets(
        _ count: Int, on app: TestApp, _ body: (SocketGroup) async throws -> Void
    ) async throws {
        let hub = app.server.features.live.hub, group = SocketGroup()
        hub.registerVersionsLookup(forPrefix: "batch/") { topics in
            group.countLookup(topics.count)
            return Dictionary(uniqueKeysWithValues: topics.map { ($0, 7) })
        }
        let channel = try await channel { group.countFrame() }
        let sockets = (1...count).map { number in
            LiveSocket(
                channel,
                identity: ClientIdentity(
                    environmentID: "harbor", apiKeyID: "key", userID: "user-\(number)",
                    expiresAt: app.clock.now + .seconds(3_600)), at: app.clock.now)
        }
        for socket in sockets {
            _ = hub.registry.add(socket, maximum: 16)
            hub.registry.subscribe(socket, to: ["batch/a"])
        }
        try await body(group)
        for socket in sockets { hub.registry.remove(socket) }
        try await channel.close()
    }

    /// Returns a connection to which all sockets of a test write; its other end calls `counted` for each frame.
    private static func channel(_ counted: @escaping @Sendable () -> Void) async throws -> any Channel {
        let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandlers([
                        ByteToMessageHandler(WebSocketFrameDecoder(maxFrameSize: 1 << 16)),
                        FrameCounter(counted),
                    ])
                }
            }.bind(host: "127.0.0.1", port: 0).get()
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelOption(.writeBufferWaterMark, value: .init(low: 1 << 28, high: 1 << 29))
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(WebSocketFrameEncoder())
                }
            }.connect(to: try #require(server.localAddress)).get()
        channel.closeFuture.whenComplete { _ in server.close(promise: nil) }
        return channel
    }

    private final class FrameCounter: ChannelInboundHandler {
        typealias InboundIn = WebSocketFrame
        private let counted: @Sendable () -> Void

        init(_ counted: @escaping @Sendable () -> Void) { self.counted = counted }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) { counted() }
    }
}
