@_spi(Inlay) package import InlayWire
import NIOConcurrencyHelpers

/// The last 1,000 requests and notices that a simulated bidder received.
package final class BidderLog: Sendable {
    /// The kind of an entry.
    package enum Kind: String, Codable, Sendable {
        case request, win, bill, loss

        static let notices: [Kind] = [.win, .bill, .loss]
    }

    /// A received request or notice.
    package struct Entry: Codable, Hashable, Sendable {
        package var kind: Kind
        package var at: Timestamp
        /// The id of the auction.
        package var auction: String
        /// The query of a notice, or the errors of a request.
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

    /// Returns the number of all entries of a kind so far, including those that were removed.
    package func count(of kind: Kind) -> Int { state.withLockedValue { $0.counts[kind, default: 0] } }

    /// Returns a stream of the stored entries and all later ones.
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
