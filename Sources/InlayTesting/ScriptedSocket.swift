import Foundation
public import InlayCore
@_spi(Inlay) public import InlayWire

/// The server's end of an open socket, controlled by a test.
public final class ScriptedSocket: TransportSocket {
    private struct State {
        var sent: [String] = []
        var isClosed = false
        var holdsMessages = false
        var held: [CheckedContinuation<Void, Never>] = []
    }

    public let messages: AsyncThrowingStream<String, any Error>
    private let continuation: AsyncThrowingStream<String, any Error>.Continuation
    private let state = Locked(State())
    private let signal = ConditionSignal()

    init(hello: Bool) {
        (messages, continuation) = AsyncThrowingStream.makeStream(of: String.self)
        if hello { push(.hello(serverTime: Timestamp(microseconds: 0))) }
    }

    /// Sends a message to the SDK.
    @_spi(Inlay) public func push(_ message: LiveMessage) {
        guard let text = try? JSONEncoder().encode(message) else { return }
        push(text: String(decoding: text, as: UTF8.self))
    }

    /// Sends any text to the SDK.
    public func push(text: String) { continuation.yield(text) }

    /// Delays the return of each `send` of the SDK until `release()`, as a slow network does.
    public func hold() { state.withLock { $0.holdsMessages = true } }

    /// Resumes the sends that `hold()` delays, and delays no more.
    public func release() {
        let held = state.withLock { state in
            defer { state.held = [] }
            state.holdsMessages = false
            return state.held
        }
        held.forEach { $0.resume() }
    }

    /// Breaks the connection.
    public func cut() { continuation.finish(throwing: TransportError.cut("by the test")) }

    /// Ends the stream of messages without an error, as after a close by the server.
    public func closeByServer() { continuation.finish() }

    /// The messages that the SDK sent, without texts that are no `LiveMessage`.
    @_spi(Inlay) public var sent: [LiveMessage] {
        state.withLock { $0.sent }.compactMap {
            try? JSONDecoder().decode(LiveMessage.self, from: Data($0.utf8))
        }
    }

    /// Whether the SDK closed the socket.
    public var isClosed: Bool { state.withLock { $0.isClosed } }

    /// Waits until the SDK's last message subscribes to exactly these topics.
    public func untilSubscribed(_ topics: [String], within limit: Duration = WaitTimedOut.limit) async throws
    {
        try await signal.until(within: limit, "topics \(topics), not \(self.sent)") {
            self.sent.last == .subscribe(topics: topics)
        }
    }

    /// Waits until the SDK closed the socket.
    public func untilClosed(within limit: Duration = WaitTimedOut.limit) async throws {
        try await signal.until(within: limit, "a closed socket") { self.isClosed }
    }

    public func send(_ text: String) async throws(TransportError) {
        let isClosed = state.withLock { state in
            if !state.isClosed { state.sent.append(text) }
            return state.isClosed
        }
        signal.changed()
        await withCheckedContinuation { continuation in
            let isHeld = state.withLock { state in
                if state.holdsMessages { state.held.append(continuation) }
                return state.holdsMessages
            }
            if !isHeld { continuation.resume() }
        }
        if isClosed { throw .cut("closed") }
    }

    public func close() async {
        state.withLock { $0.isClosed = true }
        continuation.finish()
        signal.changed()
    }
}
