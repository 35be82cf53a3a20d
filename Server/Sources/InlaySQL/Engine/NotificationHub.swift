import Foundation

/// Hands payloads to the streams of this process.
final class NotificationHub: Sendable {
    private struct State {
        var streams: [String: [UUID: AsyncStream<String>.Continuation]] = [:]
        var isClosed = false
    }

    private static let bufferLimit = 10_000
    private let state = Guarded(State())

    /// A stream that ends with the hub or with its consumer.
    func stream(_ channel: String) -> AsyncStream<String> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: String.self, bufferingPolicy: .bufferingNewest(Self.bufferLimit))
        let id = UUID()
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { _ = $0.streams[channel]?.removeValue(forKey: id) }
        }
        let isClosed = state.withLock { state in
            if !state.isClosed { state.streams[channel, default: [:]][id] = continuation }
            return state.isClosed
        }
        if isClosed { continuation.finish() }
        return stream
    }

    /// False when the hub has been closed.
    @discardableResult
    func send(_ payload: String, on channel: String) -> Bool {
        let streams = state.withLock { $0.isClosed ? nil : Array(($0.streams[channel] ?? [:]).values) }
        for continuation in streams ?? [] {
            if case .dropped = continuation.yield(payload) { continuation.yield("") }
        }
        return streams != nil
    }

    /// Tells every stream that it may have missed something.
    func sendMissed() {
        for channel in state.withLock({ Array($0.streams.keys) }) { send("", on: channel) }
    }

    func close() {
        let streams = state.withLock { state in
            state.isClosed = true
            return state.streams.values.flatMap(\.values)
        }
        // Outside the lock: `finish` calls `onTermination`, which takes it.
        streams.forEach { $0.finish() }
    }

    /// Refuses on both engines what PostgreSQL would refuse.
    static func check(_ channel: String, _ payload: String) throws {
        guard (1...63).contains(channel.utf8.count), !channel.utf8.contains(0) else {
            throw SQLError(.invalidValue, "A channel's name has 1 to 63 bytes, none of them NUL.")
        }
        guard (1...7_900).contains(payload.utf8.count), !payload.utf8.contains(0) else {
            throw SQLError(.invalidValue, "A notification's payload has 1 to 7,900 bytes, none of them NUL.")
        }
    }
}
