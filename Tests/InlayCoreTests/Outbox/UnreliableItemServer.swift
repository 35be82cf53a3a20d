import Foundation
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire

@_spi(Inlay) @testable import InlayCore

/// A server that records items, drops copies by id as the real server does, and often fails.
final class UnreliableItemServer: Sendable {
    private struct State {
        var random: SeededRandom
        var requests = 0
        var arrived: [String] = []
        var known: Set<String> = []
        var copies = 0
        var onRequest: (@Sendable (_ requests: Int) -> Void)?
    }

    private struct Item: Codable { var id: String }

    private let state: Locked<State>

    init(seed: UInt64) { state = Locked(State(random: SeededRandom(seed: seed))) }

    /// The ids in the order in which they were first received.
    var arrived: [String] { state.withLock { $0.arrived } }

    /// The number of copies of items that were received before.
    var copies: Int { state.withLock { $0.copies } }

    /// Sets a callback for every request, which runs before the response; restarts the count of requests.
    func watch(_ onRequest: (@Sendable (Int) -> Void)?) {
        state.withLock { state in
            state.requests = 0
            state.onRequest = onRequest
        }
    }

    func reply(to request: LoopbackServer.Request) -> LoopbackServer.Reply {
        guard let batch = try? JSONDecoder().decode(Batch<Item>.self, from: request.body) else {
            return .answer(status: 400)
        }
        let (outcome, callback) = state.withLock { state in
            state.requests += 1
            let requests = state.requests
            return (
                Int.random(in: 0..<6, using: &state.random),
                state.onRequest.map { call in { call(requests) } }
            )
        }
        callback?()
        switch outcome {
        case 0: return .answer(status: 500)
        case 1:
            // The items are recorded, but the sender gets no response.
            record(batch)
            return .cut
        default:
            record(batch)
            let receipt = BatchReceipt(receipts: batch.items.map { ItemReceipt(id: $0.id) })
            return .answer(status: 200, body: (try? JSONEncoder().encode(receipt)) ?? Data())
        }
    }

    private func record(_ batch: Batch<Item>) {
        state.withLock { state in
            for item in batch.items {
                if state.known.insert(item.id).inserted {
                    state.arrived.append(item.id)
                } else {
                    state.copies += 1
                }
            }
        }
    }
}
