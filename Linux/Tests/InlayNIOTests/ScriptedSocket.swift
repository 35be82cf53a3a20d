import NIOCore
import NIOWebSocket

/// The frames that a server sends right after the upgrade and in reply to each frame, and a record of what arrived.
struct SocketScript: Sendable {
    /// Frames sent in one flush when the socket opens.
    var greeting: [ScriptedFrame] = []
    /// Frames sent for each text that arrives, before the echo.
    var reply: [ScriptedFrame] = []
    var echoes = true
    var answersClose = true
    var answersPing = true
    /// Cuts the connection when a text arrives.
    var cutsOnText = false
    /// The frames that arrived: `ping`, `pong`, `close` or `data`, a space, and the frame's content.
    let arrivals: AsyncStream<String>
    let arrival: AsyncStream<String>.Continuation

    init() { (arrivals, arrival) = AsyncStream.makeStream() }
}

/// One frame as a server sends it.
struct ScriptedFrame: Sendable {
    var fin = true
    var opcode: WebSocketOpcode
    var bytes: [UInt8] = []

    static func text(_ text: String, fin: Bool = true) -> Self {
        .init(fin: fin, opcode: .text, bytes: Array(text.utf8))
    }
    static func more(_ text: String, fin: Bool) -> Self {
        .init(fin: fin, opcode: .continuation, bytes: Array(text.utf8))
    }
}

/// Plays a script on one connection.
final class ScriptedSocket: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    private let script: SocketScript

    init(script: SocketScript) { self.script = script }

    func handlerAdded(context: ChannelHandlerContext) {
        script.greeting.forEach { write($0, context) }
        context.flush()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = Self.unwrapInboundIn(data)
        let text = String(buffer: frame.unmaskedData)
        script.arrival.yield("\(Self.name(of: frame.opcode)) \(text)")
        switch frame.opcode {
        case .text:
            if script.cutsOnText { return context.close(promise: nil) }
            script.reply.forEach { write($0, context) }
            if script.echoes { write(.text(text), context) }
        case .ping: if script.answersPing { write(ScriptedFrame(opcode: .pong), context) }
        case .connectionClose:
            guard script.answersClose else { return }
            write(
                ScriptedFrame(opcode: .connectionClose, bytes: Array(frame.unmaskedData.readableBytesView)),
                context)
            context.flush()
            return context.close(promise: nil)
        default: break
        }
        context.flush()
    }

    private static func name(of opcode: WebSocketOpcode) -> String {
        switch opcode {
        case .ping: "ping"
        case .pong: "pong"
        case .connectionClose: "close"
        default: "data"
        }
    }

    private func write(_ frame: ScriptedFrame, _ context: ChannelHandlerContext) {
        context.write(
            Self.wrapOutboundOut(
                WebSocketFrame(fin: frame.fin, opcode: frame.opcode, data: ByteBuffer(bytes: frame.bytes))),
            promise: nil)
    }
}
