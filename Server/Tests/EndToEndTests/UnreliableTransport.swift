import Foundation
@_spi(Inlay) import InlayCore
import InlayNIO
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
import NIOConcurrencyHelpers

/// A transport that cuts connections, refuses sockets, delays answers and returns old ones again.
///
/// It behaves the same in every run with the same seed, as long as the app sends its requests in the same order.
final class UnreliableTransport: Transport {
    enum Kind: CaseIterable {
        case cutAnswer, oldAnswer, lateAnswer, refusedSocket, cutSocket
    }

    private struct State {
        var random: SeededRandom
        var isOver = false
        var feedRequests = 0
        var kinds: Set<Kind> = []
        /// The server's answers, oldest first.
        var answers: [TransportResponse] = []
        var held: [CheckedContinuation<Void, Never>] = []

        /// Returns a trouble or `nil`. Each comes once in `turns` calls on average, and at its first chance.
        mutating func nextTrouble(of troubles: [Kind], outOf turns: Int) -> Kind? {
            let roll = Int.random(in: 0..<turns, using: &random)
            guard !isOver else { return nil }
            let new = troubles.first { !kinds.contains($0) }
            guard let kind = new ?? (troubles.indices.contains(roll) ? troubles[roll] : nil) else {
                return nil
            }
            kinds.insert(kind)
            return kind
        }
    }

    private let inner: NIOTransport
    private let state: NIOLockedValueBox<State>
    private let signal = ConditionSignal()
    private let feed = InlayPath.cardFeed(container: RunningServer.containerID)

    init(seed: UInt64) throws {
        inner = try NIOTransport()
        state = NIOLockedValueBox(State(random: SeededRandom(seed: seed)))
    }

    /// The number of requests for the feed.
    var feedRequests: Int { state.withLockedValue { $0.feedRequests } }

    /// The kinds of trouble that the transport has caused so far.
    var kinds: Set<Kind> { state.withLockedValue { $0.kinds } }

    func untilFeedRequests(_ count: Int) async throws {
        try await signal.until("\(count) requests for the feed, not \(feedRequests)") {
            self.feedRequests >= count
        }
    }

    /// Delivers the delayed answers.
    func deliverHeld() {
        let held = state.withLockedValue { state in
            defer { state.held = [] }
            return state.held
        }
        held.forEach { $0.resume() }
    }

    /// Delivers the delayed answers, and from now on everything without trouble.
    func end() {
        state.withLockedValue { $0.isOver = true }
        deliverHeld()
    }

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        let answer = try await inner.send(request)
        guard request.url.path == feed else { return answer }
        let trouble = state.withLockedValue { state -> Kind? in
            state.feedRequests += 1
            state.answers.append(answer)
            return state.nextTrouble(of: [.cutAnswer, .oldAnswer, .lateAnswer], outOf: 6)
        }
        signal.changed()
        switch trouble {
        case .cutAnswer: throw .cut("on purpose")
        case .oldAnswer: return state.withLockedValue { $0.answers[max(0, $0.answers.count - 4)] }
        case .lateAnswer: await hold()
        default: break
        }
        return answer
    }

    func openSocket(_ request: TransportRequest) async throws(TransportError) -> any TransportSocket {
        let isRefused = state.withLockedValue { state in
            state.nextTrouble(of: [Kind.refusedSocket], outOf: 3) != nil
        }
        guard !isRefused else { throw .upgradeRefused(status: 503) }
        return UnreliableSocket(try await inner.openSocket(request)) { [state] in
            state.withLockedValue { state in state.nextTrouble(of: [Kind.cutSocket], outOf: 8) != nil }
        }
    }

    private func hold() async {
        await withCheckedContinuation { continuation in
            let isOver = state.withLockedValue { state in
                if !state.isOver { state.held.append(continuation) }
                return state.isOver
            }
            if isOver { continuation.resume() }
        }
    }
}

/// A real socket that delivers every message twice and may break at any message.
private final class UnreliableSocket: TransportSocket {
    let messages: AsyncThrowingStream<String, any Error>
    private let inner: any TransportSocket

    init(_ inner: any TransportSocket, breaks: @escaping @Sendable () -> Bool) {
        self.inner = inner
        let (stream, continuation) = AsyncThrowingStream.makeStream(of: String.self)
        messages = stream
        // The task ends with the server's messages, which `close` ends, or when this socket breaks.
        Task {
            do {
                for try await message in inner.messages {
                    guard !breaks() else { throw TransportError.cut("on purpose") }
                    continuation.yield(message)
                    continuation.yield(message)
                }
                continuation.finish()
            } catch {
                continuation.finish(throwing: error)
                await inner.close()
            }
        }
    }

    func send(_ text: String) async throws(TransportError) { try await inner.send(text) }

    func close() async { await inner.close() }
}
