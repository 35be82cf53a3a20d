/// A sender of notifications with a connection of its own, which sends waiting ones together.
///
/// PostgreSQL holds one lock for the whole cluster while a transaction with a notification commits. If the transactions
/// of the data sent notifications, all nodes would wait for each other's disk; a commit of notifications alone does not
/// write to the disk.
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

    /// The numbers of messages in a statement. They are few, because the connection prepares a statement for each.
    private static let batchSizes = [64, 16, 4, 1]
    private static let maximumWaiting = 10_000

    private let thread: ConnectionThreads<PostgresConnection>
    private let state = Locked(State())

    init(address: PostgresAddress) {
        thread = ConnectionThreads(count: 1, name: "inlay-notify") { _ in PostgresConnection(address) }
    }

    deinit { thread.stop() }

    /// Sends a message and returns after it was sent. Messages keep the order of the calls.
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
            // After a lost connection a message may be sent twice, which does no harm: it only announces a change.
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
            guard let size = Self.batchSizes.first(where: { $0 <= state.waiting.count }) else {
                state.isSending = false
                return nil
            }
            defer { state.waiting.removeFirst(size) }
            return Array(state.waiting.prefix(size))
        }
    }
}
