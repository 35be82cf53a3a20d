import NIOConcurrencyHelpers
import NIOCore
import NIOPosix

/// A bidder that accepts every connection, answers one byte at a time, and never finishes.
final class DrippingBidder: Sendable {
    /// The part of the answer that never ends.
    enum Behavior: String, CaseIterable, Sendable {
        case head, body, stall, gzip

        /// The bytes that are sent at once.
        fileprivate var start: [UInt8] {
            switch self {
            case .head: []
            case .body: Array("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n".utf8)
            case .stall: Array("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n{".utf8)
            case .gzip:
                Array("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 100000\r\n\r\n".utf8)
            }
        }

        /// The bytes that follow, one every 20 milliseconds.
        fileprivate var drip: [UInt8] {
            switch self {
            case .head:
                Array("HTTP/1.1 200 OK\r\n".utf8) + Array(String(repeating: "X-A: b\r\n", count: 9_000).utf8)
            case .body: Array(repeating: UInt8(ascii: " "), count: 100_000)
            case .stall: []
            case .gzip:
                Array(Gzip.packed(Array(repeating: 32, count: 400_000))) + Array(repeating: 0, count: 99_000)
            }
        }
    }

    private struct State {
        var requests = 0
        var open = 0
        var connections = 0
    }

    let port: Int
    private let channel: any Channel
    private let state: NIOLockedValueBox<State>

    /// The number of connections that are open now.
    var openConnections: Int { state.withLockedValue { $0.open } }

    /// The number of all connections so far.
    var connections: Int { state.withLockedValue { $0.connections } }

    /// The number of requests so far.
    var requests: Int { state.withLockedValue { $0.requests } }

    private init(_ behavior: Behavior) async throws {
        let state = NIOLockedValueBox(State())
        channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Dripper(behavior, state))
                }
            }.bind(host: "127.0.0.1", port: 0).get()
        self.state = state
        port = channel.localAddress?.port ?? 0
    }

    static func run(_ behavior: Behavior, _ body: (DrippingBidder) async throws -> Void) async throws {
        let bidder = try await DrippingBidder(behavior)
        do {
            try await body(bidder)
        } catch {
            try await bidder.channel.close()
            throw error
        }
        try await bidder.channel.close()
    }

    private final class Dripper: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private let behavior: Behavior
        private let state: NIOLockedValueBox<State>
        private var rest: ArraySlice<UInt8> = []
        private var timer: RepeatedTask?

        init(_ behavior: Behavior, _ state: NIOLockedValueBox<State>) {
            self.behavior = behavior
            self.state = state
        }

        func channelActive(context: ChannelHandlerContext) {
            state.withLockedValue { state in
                state.open += 1
                state.connections += 1
            }
            context.fireChannelActive()
        }

        func channelInactive(context: ChannelHandlerContext) {
            state.withLockedValue { $0.open -= 1 }
            timer?.cancel()
            context.fireChannelInactive()
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard timer == nil else { return }
            state.withLockedValue { $0.requests += 1 }
            rest = behavior.drip[...]
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: behavior.start)), promise: nil)
            let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
            // This delay is the bidder's behavior; no test waits for it.
            timer = context.eventLoop.scheduleRepeatedTask(initialDelay: .zero, delay: .milliseconds(20)) {
                _ in
                let (dripper, context) = bound.value
                guard let byte = dripper.rest.popFirst() else { return }
                context.writeAndFlush(dripper.wrapOutboundOut(ByteBuffer(bytes: [byte])), promise: nil)
            }
        }
    }
}
