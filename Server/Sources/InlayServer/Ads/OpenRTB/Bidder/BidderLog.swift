import InlayWire
import NIOConcurrencyHelpers

/// What a simulated bidder got; the last 1,000 entries.
package final class BidderLog: Sendable {
    /// What an entry is about.
    package enum Kind: String, Codable, Sendable {
        case request, win, bill, loss

        static let notices: [Kind] = [.win, .bill, .loss]
    }

    /// One thing that came.
    package struct Entry: Codable, Hashable, Sendable {
        package var kind: Kind
        package var at: Timestamp
        /// The auction.
        package var auction: String
        /// The query of a notice, or what was wrong with a request.
        package var detail: String
    }

    private struct State {
        var entries: [Entry] = []
        var counts: [Kind: Int] = [:]
        var listeners: [Int: AsyncStream<Entry>.Continuation] = [:]
        var nextID = 0
    }

    private let state = NIOLockedValueBox(State())

    /// The entries, oldest first.
    package var entries: [Entry] { state.withLockedValue { $0.entries } }

    /// How many of a kind came in all.
    package func count(of kind: Kind) -> Int { state.withLockedValue { $0.counts[kind, default: 0] } }

    /// The entries so far and all that follow.
    package func stream() -> AsyncStream<Entry> {
        let (stream, continuation) = AsyncStream.makeStream(of: Entry.self)
        let id = state.withLockedValue { state in
            state.entries.forEach { continuation.yield($0) }
            state.nextID += 1
            state.listeners[state.nextID] = continuation
            return state.nextID
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLockedValue { _ = $0.listeners.removeValue(forKey: id) }
        }
        return stream
    }

    func add(_ kind: Kind, auction: String, detail: String = "") {
        let entry = Entry(
            kind: kind, at: .now(), auction: String(auction.prefix(128)), detail: String(detail.prefix(1024)))
        let listeners = state.withLockedValue { state in
            state.entries.append(entry)
            if state.entries.count > 1000 { state.entries.removeFirst(state.entries.count - 1000) }
            state.counts[kind, default: 0] += 1
            return Array(state.listeners.values)
        }
        listeners.forEach { $0.yield(entry) }
    }
}
