@_spi(Inlay) import InlayWire
import NIOConcurrencyHelpers
import NIOCore
import NIOWebSocket

/// One app's open socket.
///
/// Everything that writes runs on the channel's event loop; ``LiveFeature/checkSockets()`` reads the times.
final class LiveSocket: Sendable {
    /// The user of the socket, for its whole life.
    let identity: ClientIdentity
    private let channel: any Channel
    private let times: NIOLockedValueBox<Times>

    struct Times: Sendable {
        var heardAt: Timestamp
        var pingedAt: Timestamp
    }

    init(_ channel: any Channel, identity: ClientIdentity, at moment: Timestamp) {
        self.channel = channel
        self.identity = identity
        times = NIOLockedValueBox(Times(heardAt: moment, pingedAt: moment))
    }

    var eventLoop: any EventLoop { channel.eventLoop }

    /// Sends a text, or closes the socket when its reader is so slow that 64 KiB wait already.
    ///
    /// Closing is safe: the app connects again and asks for its state by version.
    func send(_ text: ByteBuffer) {
        guard channel.isWritable else { return channel.close(promise: nil) }
        channel.writeAndFlush(WebSocketFrame(fin: true, opcode: .text, data: text), promise: nil)
    }

    /// Notes that a frame arrived.
    func heard(at moment: Timestamp) { times.withLockedValue { $0.heardAt = moment } }

    /// Sends a close frame with the code, then closes. Does not wait for the other side's answer.
    func close(_ code: WebSocketErrorCode) {
        eventLoop.execute { self.channel.closeWebSocket(code) }
    }

    /// Closes a socket whose token ended or that has been silent for two pings; pings the others.
    func check(at moment: Timestamp, rules: LiveRules) {
        if moment >= identity.expiresAt + rules.grace { return close(.unknown(4001)) }
        let (heardAt, isDue) = times.withLockedValue { times in
            let isDue = moment - times.pingedAt >= rules.ping
            if isDue { times.pingedAt = moment }
            return (times.heardAt, isDue)
        }
        if moment - heardAt > rules.ping * 2 + rules.round { return close(.goingAway) }
        guard isDue else { return }
        eventLoop.execute {
            let frame = WebSocketFrame(
                fin: true, opcode: .ping, data: self.channel.allocator.buffer(capacity: 0))
            self.channel.writeAndFlush(frame, promise: nil)
        }
    }
}

/// The times and limits of sockets.
struct LiveRules: Sendable {
    /// The time between two pings of one socket.
    var ping: Duration = .seconds(30)
    /// The time between two checks of all sockets.
    var round: Duration = .seconds(3)
    /// The time after the token's end in which an app can connect with the next token.
    var grace: Duration = .seconds(60)
    /// The maximum number of bytes of one message, its fragments together.
    var maximumMessageBytes = 64 * 1024
    /// The maximum number of topics of one subscription.
    var maximumTopics = 100
    /// The maximum number of Unicode scalars of a topic.
    var maximumTopicLength = 256
}

extension Channel {
    /// Sends a close frame with its code, then closes; after two seconds also when the frame could not be sent.
    func closeWebSocket(_ code: WebSocketErrorCode) {
        var data = allocator.buffer(capacity: 2)
        data.write(webSocketErrorCode: code)
        let written = eventLoop.makePromise(of: Void.self)
        written.futureResult.whenComplete { _ in self.close(promise: nil) }
        let limit = eventLoop.scheduleTask(in: .seconds(2)) { self.close(promise: nil) }
        closeFuture.whenComplete { _ in limit.cancel() }
        writeAndFlush(WebSocketFrame(fin: true, opcode: .connectionClose, data: data), promise: written)
    }
}
