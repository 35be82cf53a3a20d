import Foundation

/// The notification streams of this process.
final class NotificationHub: Sendable {
    private struct State {
        var streams: [String: [UUID: AsyncStream<String>.Continuation]] = [:]
        var isClosed = false
    }

    private static let maximumBuffered = 10_000
    private let state = Locked(State())

    /// Returns a stream of a channel's payloads that ends with the hub or its consumer.
    func stream(_ channel: String) -> AsyncStream<String> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: String.self, bufferingPolicy: .bufferingNewest(Self.maximumBuffered))
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

    /// Sends a payload to the channel's streams; returns false when the hub is closed.
    @discardableResult
    func send(_ payload: String, on channel: String) -> Bool {
        let streams = state.withLock { $0.isClosed ? nil : Array(($0.streams[channel] ?? [:]).values) }
        for continuation in streams ?? [] {
            if case .dropped = continuation.yield(payload) { continuation.yield("") }
        }
        return streams != nil
    }

    func close() {
        let streams = state.withLock { state in
            state.isClosed = true
            return state.streams.values.flatMap(\.values)
        }
        // Outside the lock: `finish` calls `onTermination`, which takes it.
        streams.forEach { $0.finish() }
    }

    /// Throws `invalidValue` on both engines for a channel or payload that PostgreSQL would refuse.
    static func check(_ channel: String, _ payload: String) throws {
        guard (1...63).contains(channel.utf8.count), !channel.utf8.contains(0) else {
            throw SQLError(.invalidValue, "A channel's name has 1 to 63 bytes, none of them NUL.")
        }
        guard (1...7_900).contains(payload.utf8.count), !payload.utf8.contains(0) else {
            throw SQLError(.invalidValue, "A notification's payload has 1 to 7,900 bytes, none of them NUL.")
        }
    }
}
