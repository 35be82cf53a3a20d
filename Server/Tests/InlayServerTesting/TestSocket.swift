import Foundation
@_spi(Inlay) import InlayWire
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOWebSocket

/// A WebSocket client that sends any frame, also invalid ones, and answers none by itself.
struct TestSocket: Sendable {
    /// An event from the server.
    enum Event: Sendable, Equatable {
        case message(LiveMessage)
        case ping
        case closed(UInt16?)
    }

    private let channel: any Channel
    private let outbound: NIOAsyncChannelOutboundWriter<WebSocketFrame>
    private let events: Inbox

    /// Connects, runs the body, and closes. Throws ``TestFailure`` when the upgrade is refused.
    static func open<R: Sendable>(
        _ app: TestApp, _ headers: [String: String], path: String = "/socket", receiveBuffer: Int? = nil,
        _ body: @escaping @Sendable (TestSocket) async throws -> R
    ) async throws -> R {
        let channel = try await connect(app.port, path, headers, receiveBuffer)
        return try await channel.executeThenClose { inbound, outbound in
            let inbox = Inbox(inbound.makeAsyncIterator())
            return try await within {
                try await body(TestSocket(channel: channel.channel, outbound: outbound, events: inbox))
            }
        }
    }

    /// Returns the next event; at the end of the connection, `.closed(nil)`.
    func next() async throws -> Event { try await events.next() }

    /// Returns the next event that is not a ping.
    func nextMessage() async throws -> Event {
        var event = try await next()
        while event == .ping { event = try await next() }
        return event
    }

    /// Stops reading from the kernel's buffer.
    func stopReading() async throws { try await channel.setOption(.autoRead, value: false).get() }

    func subscribe(_ topics: [String]) async throws {
        try await send(
            text: String(decoding: JSONEncoder().encode(LiveMessage.subscribe(topics: topics)), as: UTF8.self)
        )
    }

    func send(text: String, masked: Bool = true) async throws {
        try await send(.text, ByteBuffer(string: text), masked: masked)
    }

    func send(
        _ opcode: WebSocketOpcode, _ data: ByteBuffer = ByteBuffer(), fin: Bool = true, masked: Bool = true
    ) async throws {
        try await outbound.write(
            WebSocketFrame(fin: fin, opcode: opcode, maskKey: masked ? .random() : nil, data: data))
    }

    /// Sends copies of a frame at once, and ignores errors.
    func flood(_ opcode: WebSocketOpcode, _ data: ByteBuffer, count: Int) async {
        let frame = WebSocketFrame(fin: true, opcode: opcode, maskKey: .random(), data: data)
        try? await outbound.write(contentsOf: repeatElement(frame, count: count))
    }

    private static func connect(
        _ port: Int, _ path: String, _ headers: [String: String], _ receiveBuffer: Int?
    ) async throws -> NIOAsyncChannel<WebSocketFrame, WebSocketFrame> {
        var bootstrap = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connectTimeout(.seconds(60))
        if let receiveBuffer {
            bootstrap = bootstrap.channelOption(.socketOption(.so_rcvbuf), value: .init(receiveBuffer))
        }
        let upgrade: EventLoopFuture<NIOAsyncChannel<WebSocketFrame, WebSocketFrame>?> =
            try await bootstrap.connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    let upgrader = NIOTypedWebSocketClientUpgrader { channel, _ in
                        channel.eventLoop.makeCompletedFuture {
                            Optional(
                                try NIOAsyncChannel<WebSocketFrame, WebSocketFrame>(
                                    wrappingChannelSynchronously: channel))
                        }
                    }
                    var fields = HTTPHeaders(headers.map { ($0.key, $0.value) })
                    fields.add(name: "Host", value: "127.0.0.1")
                    var pipeline = NIOUpgradableHTTPClientPipelineConfiguration(
                        upgradeConfiguration: NIOTypedHTTPClientUpgradeConfiguration(
                            upgradeRequestHead: HTTPRequestHead(
                                version: .http1_1, method: .GET, uri: path, headers: fields),
                            upgraders: [upgrader],
                            notUpgradingCompletionHandler: { channel in channel.close().map { nil } }))
                    // The hello may arrive together with the response to the upgrade.
                    pipeline.leftOverBytesStrategy = .forwardBytes
                    return try channel.pipeline.syncOperations.configureUpgradableHTTPClientPipeline(
                        configuration: pipeline)
                }
            }
        // A refusal closes the channel, possibly before the pipeline reports it, so every error is taken for a refusal.
        guard let channel = try? await upgrade.get() else { throw TestFailure("The upgrade was refused.") }
        return channel
    }
}

/// A reader of the socket's frames, one at a time.
private actor Inbox {
    private var iterator: NIOAsyncChannelInboundStream<WebSocketFrame>.AsyncIterator

    init(_ iterator: NIOAsyncChannelInboundStream<WebSocketFrame>.AsyncIterator) { self.iterator = iterator }

    func next() async throws -> TestSocket.Event {
        // A copy, because the actor cannot lend its iterator across an `await`; tests read from one task at a time.
        var reader = iterator
        defer { iterator = reader }
        guard let frame = try await reader.next(isolation: self) else { return .closed(nil) }
        var data = frame.unmaskedData
        switch frame.opcode {
        case .ping: return .ping
        case .connectionClose: return .closed(data.readInteger(as: UInt16.self))
        default: return .message(try JSONDecoder().decode(LiveMessage.self, from: Data(buffer: data)))
        }
    }
}
