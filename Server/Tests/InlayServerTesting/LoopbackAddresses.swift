import NIOConcurrencyHelpers
import NIOCore
import NIOPosix

@testable import InlayServerCore

extension AddressGuard {
    /// Creates a guard that resolves every host to these numeric addresses.
    init(_ networks: Networks, addresses: [String]) throws {
        let known = try addresses.map { try IPAddress($0) }
        self.init(networks) { _ in known }
    }
}

extension OutgoingClient {
    /// Runs the body and closes the client, also when the body throws: an HTTP client that is dropped while it is open
    /// ends the whole program.
    func closing(_ body: (OutgoingClient) async throws -> Void) async throws {
        do {
            try await body(self)
        } catch {
            await close()
            throw error
        }
        await close()
    }
}

extension IPAddress {
    /// Creates an address from its numeric text, as a resolver returns it.
    fileprivate init(_ text: String) throws {
        let bytes: [UInt8]
        switch try SocketAddress(ipAddress: text, port: 0) {
        case .v4(let v4): bytes = withUnsafeBytes(of: v4.address.sin_addr) { Array($0) }
        case .v6(let v6): bytes = withUnsafeBytes(of: v6.address.sin6_addr) { Array($0) }
        case .unixDomainSocket: bytes = []
        }
        self.init(bytes: bytes, text: text)
    }
}

/// A listener on loopback whose queue is full: further connections wait until the client gives up.
enum StalledListener {
    /// Listens while the body runs.
    static func run(
        on address: String, port: Int = 0, _ body: (_ port: Int) async throws -> Void
    ) async throws {
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(ChannelOptions.backlog, value: 0)
            .serverChannelOption(ChannelOptions.autoRead, value: false)
            .bind(host: address, port: port).get()
        let port = listener.localAddress?.port ?? 0
        do {
            // Linux keeps one connection in a queue of length 0.
            let only = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .connect(host: address, port: port).get()
            try await body(port)
            try await only.close()
        } catch {
            try? await listener.close()
            throw error
        }
        try await listener.close()
    }
}

/// An HTTP server on loopback that answers each request with 204, or closes the connection without an answer.
final class LoopbackResponder: Sendable {
    let port: Int
    private let channel: any Channel
    private let count: NIOLockedValueBox<Int>

    /// The number of requests so far.
    var requests: Int { count.withLockedValue { $0 } }

    private init(on address: String, port: Int, hangsUp: Bool) async throws {
        let count = NIOLockedValueBox(0)
        channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(ResponseHandler(count, hangsUp))
                }
            }.bind(host: address, port: port).get()
        self.count = count
        self.port = channel.localAddress?.port ?? 0
    }

    /// Listens while the body runs.
    static func run(
        on address: String = "127.0.0.1", port: Int = 0, hangsUp: Bool = false,
        _ body: (LoopbackResponder) async throws -> Void
    ) async throws {
        let responder = try await LoopbackResponder(on: address, port: port, hangsUp: hangsUp)
        do {
            try await body(responder)
        } catch {
            try? await responder.channel.close()
            throw error
        }
        try await responder.channel.close()
    }

    private final class ResponseHandler: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private let count: NIOLockedValueBox<Int>
        private let hangsUp: Bool
        /// Whether the request was answered; it may arrive in several reads.
        private var isAnswered = false

        init(_ count: NIOLockedValueBox<Int>, _ hangsUp: Bool) {
            self.count = count
            self.hangsUp = hangsUp
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard !isAnswered else { return }
            isAnswered = true
            count.withLockedValue { $0 += 1 }
            guard !hangsUp else { return context.close(promise: nil) }
            let answer = ByteBuffer(string: "HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n")
            context.writeAndFlush(wrapOutboundOut(answer), promise: nil)
        }
    }
}
