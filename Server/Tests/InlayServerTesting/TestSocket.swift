import Foundation
@_spi(Inlay) import InlayWire
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOWebSocket

/// A WebSocket client without manners: it sends whatever frame a test wants.
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

    /// Connects, runs the body, closes. Throws ``TestFailure`` with the status when the upgrade is refused.
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

    /// The next event; after a close only closes.
    func next() async throws -> Event { try await events.next() }

    /// The next event that is not a ping.
    func nextMessage() async throws -> Event {
        var event = try await next()
        while event == .ping { event = try await next() }
        return event
    }

    /// Takes nothing from the kernel any more.
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

    /// Sends copies of a frame in one go, whether or not anybody takes them.
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
                    // The hello may come in the same bytes as the upgrade's answer.
                    pipeline.leftOverBytesStrategy = .forwardBytes
                    return try channel.pipeline.syncOperations.configureUpgradableHTTPClientPipeline(
                        configuration: pipeline)
                }
            }
        // A refusal closes the channel, which may come before the pipeline's own word.
        guard let channel = try? await upgrade.get() else { throw TestFailure("The upgrade was refused.") }
        return channel
    }
}

/// Reads frames one by one and answers nothing by itself.
private actor Inbox {
    private var iterator: NIOAsyncChannelInboundStream<WebSocketFrame>.AsyncIterator

    init(_ iterator: NIOAsyncChannelInboundStream<WebSocketFrame>.AsyncIterator) { self.iterator = iterator }

    func next() async throws -> TestSocket.Event {
        // The iterator leaves the actor while it waits; tests read from one task at a time.
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
