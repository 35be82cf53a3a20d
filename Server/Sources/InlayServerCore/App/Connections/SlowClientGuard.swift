import NIOCore
import NIOHTTPTypes

/// A handler that closes a connection whose client sends a request, or reads a response, more slowly than any honest
/// link.
///
/// A request has time as a budget: it begins with ``Limits/grace``, waiting for the client takes from it, and each byte
/// that arrives adds to it at ``Limits/bytesPerSecond``, up to the grace. So an upload may take hours at that rate, and
/// a stop of more than the grace ends it. Time in which the server itself does not read costs nothing.
final class SlowClientGuard: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// The minimum speeds of a client.
    struct Limits: Sendable {
        /// The time that a request may wait for its client beyond the time that its bytes earn.
        var grace: TimeAmount = .seconds(30)
        /// The minimum rate of a request; Apache's and Kestrel's defaults are of the same size.
        var bytesPerSecond: Int64 = 500
        /// The time that a client may leave a response unread.
        var answerStall: TimeAmount = .seconds(75)

        package init(
            grace: TimeAmount = .seconds(30), bytesPerSecond: Int64 = 500,
            answerStall: TimeAmount = .seconds(75)
        ) {
            self.grace = grace
            self.bytesPerSecond = bytesPerSecond
            self.answerStall = answerStall
        }
    }

    private let limits: Limits
    private var isReading = false
    /// Time left to wait for the client at ``waitingSince``.
    private var budget: TimeAmount = .zero
    private var waitingSince: NIODeadline?
    private var timer: Scheduled<Void>?
    private var answerTimer: Scheduled<Void>?

    init(_ limits: Limits) { self.limits = limits }

    /// Notes that the whole request has arrived.
    func requestEnded() { isReading = false }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let count = Int64(unwrapInboundIn(data).readableBytes), now = context.eventLoop.now
        if isReading {
            if let waitingSince { budget = budget - (now - waitingSince) }
            let earned = TimeAmount.nanoseconds(count * 1_000_000_000 / limits.bytesPerSecond)
            budget = min(limits.grace, budget + earned)
        } else {
            isReading = true
            budget = limits.grace
        }
        waitingSince = nil
        context.fireChannelRead(data)
    }

    func read(context: ChannelHandlerContext) {
        if waitingSince == nil { waitingSince = context.eventLoop.now }
        if isReading, timer == nil { schedule(context, in: budget) }
        context.read()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        answerTimer?.cancel()
        answerTimer = nil
        if !context.channel.isWritable {
            let channel = context.channel
            answerTimer = context.eventLoop.scheduleTask(in: limits.answerStall) {
                channel.close(promise: nil)
            }
        }
        context.fireChannelWritabilityChanged()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        timer?.cancel()
        answerTimer?.cancel()
        (timer, answerTimer) = (nil, nil)
    }

    /// One timer for each connection, not for each read: within a request the deadline only moves to later times.
    private func schedule(_ context: ChannelHandlerContext, in time: TimeAmount) {
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        timer = context.eventLoop.scheduleTask(in: time) {
            let (handler, context) = bound.value
            handler.timer = nil
            handler.check(context)
        }
    }

    private func check(_ context: ChannelHandlerContext) {
        guard isReading else { return }
        guard let waitingSince else { return schedule(context, in: max(budget, .seconds(1))) }
        let left = budget - (context.eventLoop.now - waitingSince)
        if left <= .zero { context.close(promise: nil) } else { schedule(context, in: left) }
    }
}

/// A handler that notifies the guard at the front of a pipeline that a request has ended; its place is after the HTTP
/// parser.
final class RequestEndObserver: ChannelInboundHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart

    private let slowClient: SlowClientGuard

    init(_ slowClient: SlowClientGuard) { self.slowClient = slowClient }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .end = unwrapInboundIn(data) { slowClient.requestEnded() }
        context.fireChannelRead(data)
    }
}
