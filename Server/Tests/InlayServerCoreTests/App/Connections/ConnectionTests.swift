import InlayTesting
import Logging
import NIOCore
import NIOEmbedded
import Testing

@testable import InlayServerCore
@testable import InlayServerTesting

/// Limits on how slow a client may be and on how many connections it may hold.
@Suite(.timeLimit(.minutes(3))) struct ConnectionTests {
    private func channel() throws -> EmbeddedChannel {
        let channel = EmbeddedChannel(handler: SlowClientGuard(.init()))
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        return channel
    }

    private func send(_ count: Int, on channel: EmbeddedChannel) throws {
        try channel.writeInbound(ByteBuffer(repeating: 0x20, count: count))
        channel.read()
    }

    @Test func `a request of one byte in eight seconds is over after half a minute`() throws {
        let channel = try channel()
        var seconds: Int64 = 0
        while channel.isActive, seconds < 3_600 {
            try send(1, on: channel)
            channel.embeddedEventLoop.advanceTime(by: .seconds(8))
            seconds += 8
        }
        #expect(seconds == 32)
    }

    @Test func `an upload above the minimum rate may take hours and pause for less than the grace period`()
        throws
    {
        let channel = try channel()
        for second in 1...7_200 {
            try send(600, on: channel)
            channel.embeddedEventLoop.advanceTime(by: second % 600 == 0 ? .seconds(25) : .seconds(1))
        }
        #expect(channel.isActive)
        // Earlier bytes do not make up for a longer pause.
        channel.embeddedEventLoop.advanceTime(by: .seconds(31))
        #expect(!channel.isActive)
    }

    @Test func `a request is not charged for the time in which the server does not read`() throws {
        let channel = try channel()
        try channel.writeInbound(ByteBuffer(string: "x"))
        channel.embeddedEventLoop.advanceTime(by: .hours(1))
        channel.read()
        channel.embeddedEventLoop.advanceTime(by: .seconds(29))
        #expect(channel.isActive)
        channel.embeddedEventLoop.advanceTime(by: .seconds(2))
        #expect(!channel.isActive)
    }

    @Test func `a client that leaves its answer unread is closed`() throws {
        let channel = try channel()
        channel.isWritable = false
        channel.pipeline.fireChannelWritabilityChanged()
        channel.embeddedEventLoop.advanceTime(by: .seconds(74))
        #expect(channel.isActive)
        channel.embeddedEventLoop.advanceTime(by: .seconds(2))
        #expect(!channel.isActive)
    }

    @Test func `a socket is under no request's deadline`() async throws {
        try await TestApp.run { app in
            let headers = try await TestTenant.make(app).headers(app)
            let handler = HTTPSocketChannel(
                responder: { _, _, _ in },
                makeUpgrade: { [server = app.server] in
                    SocketUpgrade(
                        live: server.features.live, authentication: server.services.clients,
                        limiter: server.services.limiter)
                },
                limiter: ConnectionLimiter(limits: .shared(100, perNetwork: nil, behindProxy: false)))
            let channel = NIOAsyncTestingChannel()
            let connection = try await channel.testingEventLoop.flatSubmit {
                handler.setup(channel: channel, logger: .quiet)
            }.get()
            try await channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1))
            let lines =
                [
                    "GET /socket HTTP/1.1", "Host: a.example", "Upgrade: websocket", "Connection: Upgrade",
                    "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
                ] + headers.map { "\($0.key): \($0.value)" }
            try await channel.writeInbound(ByteBuffer(string: (lines + ["", ""]).joined(separator: "\r\n")))
            let kind = try await within { try await connection.kind.get() }
            guard case .socket = kind else {
                throw TestFailure("The request did not become a socket.")
            }
            try await eventually(within: .seconds(120)) {
                // Throws once the handler was removed.
                (try? await channel.pipeline.containsHandler(type: SlowClientGuard.self).get()) == nil
            }
            // A closed connection would have no handlers either.
            #expect(channel.isActive)
            _ = try await channel.finish(acceptAlreadyClosed: true)
        }
    }

    // MARK: Shares

    private let limits = ConnectionLimiter.Limits(total: 100, perNetwork: 20, perBlock: 40, reserve: 16)

    @Test func `an address and its network have a limit each, and closed connections free it`() throws {
        let limiter = ConnectionLimiter(limits: limits)
        func open(_ count: Int, from address: CallerAddress) -> [ConnectionLimiter.Ticket] {
            (0..<count).compactMap { _ in limiter.open(from: address) }.filter { !$0.isReserve }
        }
        let first = open(30, from: "192.0.2.1")
        #expect(first.count == 20)
        #expect(open(30, from: "192.0.2.2").count == 20)
        #expect(open(30, from: "192.0.2.3").isEmpty)
        #expect(open(30, from: "198.51.100.1").count == 20)
        #expect(open(30, from: "2001:db8:1:1::1").count == 20)
        // The total of 100 is reached.
        #expect(open(30, from: "2001:db8:1:2::1").count == 20)
        #expect(open(30, from: "203.0.113.1").isEmpty)
        for ticket in first { limiter.close(ticket) }
        #expect(open(30, from: "192.0.2.3").count == 20)
    }

    @Test func `a health check gets a reserved connection, and no address takes all of them`() throws {
        let limiter = ConnectionLimiter(limits: limits)
        for host in 0..<10 { for _ in 0..<10 { _ = limiter.open(from: "10.0.\(host).1") } }
        let own = (0..<5).compactMap { _ in limiter.open(from: "192.0.2.1") }
        #expect(own.count == 2 && own.allSatisfy(\.isReserve))
        let other = try #require(limiter.open(from: "192.0.2.2"))
        #expect(other.isReserve)
        limiter.close(own[0])
        #expect(limiter.open(from: "192.0.2.1")?.isReserve == true)
        #expect(ConnectionLimiter.isHealthCheck("/ready") && ConnectionLimiter.isHealthCheck("/health"))
        #expect(!ConnectionLimiter.isHealthCheck("/readyx") && !ConnectionLimiter.isHealthCheck("/v1/cards"))
    }

    @Test func `a proxy's connections are not one caller's`() {
        let limits = ConnectionLimiter.Limits.shared(400, perNetwork: nil, behindProxy: true)
        let limiter = ConnectionLimiter(limits: limits)
        let taken = (0..<350).compactMap { _ in limiter.open(from: "127.0.0.1") }
        #expect(taken.count == 350 && taken.allSatisfy { !$0.isReserve })
        let open = ConnectionLimiter.Limits.shared(400, perNetwork: nil, behindProxy: false)
        #expect([open.total, open.perNetwork, open.perBlock, open.reserve] == [350, 100, 200, 50])
        #expect(ConnectionLimiter.Limits.shared(400, perNetwork: 0, behindProxy: false).perBlock == .max)
    }
}
