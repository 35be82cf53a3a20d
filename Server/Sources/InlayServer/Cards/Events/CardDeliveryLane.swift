import InlaySQL
import NIOConcurrencyHelpers

/// The write lane of deliveries to many, so that no single send waits for a piece of one.
///
/// It takes one body at a time: bodies that shared a transaction would lock the rows of several events, in another
/// order than another node does.
final class CardDeliveryLane: Sendable {
    private struct State {
        var isTaken = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let database: any SQLDatabase
    private let state = NIOLockedValueBox(State())

    init(_ database: any SQLDatabase) { self.database = database.lane("card-deliveries") }

    /// Runs a body in a transaction of its own, after those of earlier calls.
    @discardableResult
    func write<Value: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value {
        await enter()
        defer { leave() }
        return try await database.write(body)
    }

    private func enter() async {
        await withCheckedContinuation { caller in
            let isFree = state.withLockedValue { state in
                defer { state.isTaken = true }
                if state.isTaken { state.waiting.append(caller) }
                return !state.isTaken
            }
            if isFree { caller.resume() }
        }
    }

    private func leave() {
        let next = state.withLockedValue { state -> CheckedContinuation<Void, Never>? in
            guard !state.waiting.isEmpty else {
                state.isTaken = false
                return nil
            }
            return state.waiting.removeFirst()
        }
        next?.resume()
    }
}
