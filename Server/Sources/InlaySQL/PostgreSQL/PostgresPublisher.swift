/// Sends notifications from a connection of its own, those that wait at the same time together.
///
/// PostgreSQL lets one transaction of the whole cluster at a time commit with a notification. In the transactions
/// of data that would make all nodes wait for each other's disk; here such a commit holds nothing but messages,
/// and PostgreSQL waits for no disk for it.
final class PostgresPublisher: Sendable {
    private struct Message: Sendable {
        let channel: String
        let payload: String
        let sender: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var waiting: [Message] = []
        var isSending = false
    }

    /// Sizes of a statement. Few sizes, because each is a statement that the connection prepares.
    private static let sizes = [64, 16, 4, 1]
    private static let maximumWaiting = 10_000

    private let thread: ConnectionThreads<PostgresConnection>
    private let state = Guarded(State())

    init(address: PostgresAddress) {
        thread = ConnectionThreads(count: 1, name: "inlay-notify") { _ in PostgresConnection(address) }
    }

    deinit { thread.stop() }

    /// Returns when the message was sent, after those that were handed in before it.
    func send(_ payload: String, on channel: String) async throws {
        try await withCheckedThrowingContinuation { sender in
            let message = Message(channel: channel, payload: payload, sender: sender)
            let isFirst: Bool? = state.withLock { state in
                guard state.waiting.count < Self.maximumWaiting else { return nil }
                state.waiting.append(message)
                defer { state.isSending = true }
                return !state.isSending
            }
            guard let isFirst else {
                let error = SQLError(.overloaded, "\(Self.maximumWaiting) notifications are waiting.")
                return sender.resume(throwing: error)
            }
            guard isFirst, !thread.submit({ [self] in sendAll($0) }) else { return }
            while let messages = next() { messages.forEach { $0.sender.resume(throwing: SQLError.closed) } }
        }
    }

    func stop() { thread.stop() }

    private func sendAll(_ connection: PostgresConnection) {
        while let messages = next() {
            // A message may be sent twice after a lost connection: each only says that something changed.
            let result = Result { try Retry.run { try Self.send(messages, connection) } }
            messages.forEach { $0.sender.resume(with: result) }
        }
    }

    private static func send(_ messages: [Message], _ connection: PostgresConnection) throws {
        let calls = Array(repeating: "pg_notify(?, ?)", count: messages.count).joined(separator: ", ")
        try connection.runAlone(
            "SELECT " + calls, messages.flatMap { [.text($0.channel), .text($0.payload)] })
    }

    private func next() -> [Message]? {
        state.withLock { state in
            guard let size = Self.sizes.first(where: { $0 <= state.waiting.count }) else {
                state.isSending = false
                return nil
            }
            defer { state.waiting.removeFirst(size) }
            return Array(state.waiting.prefix(size))
        }
    }
}
