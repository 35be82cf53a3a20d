import InlayCore
import InlayWire

/// Tells observers of fixes that are far enough from the one told last.
final class LocationNews: Sendable {
    private struct State {
        var told: Coordinates?
        var observers: [Int: AsyncStream<LocationFix>.Continuation] = [:]
        var nextID = 0
    }

    private let state = Locked(State())

    deinit { state.withLock { $0.observers }.values.forEach { $0.finish() } }

    /// Tells the fix unless it is nearer than `filter` metres to the one told last.
    func report(_ fix: LocationFix, filter: Double) {
        let observers = state.withLock { state -> [AsyncStream<LocationFix>.Continuation] in
            if let told = state.told, told.metres(to: fix.coordinates) < filter { return [] }
            state.told = fix.coordinates
            return Array(state.observers.values)
        }
        observers.forEach { $0.yield(fix) }
    }

    func observe() -> AsyncStream<LocationFix> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: LocationFix.self, bufferingPolicy: .bufferingNewest(64))
        let id = state.withLock { state in
            state.nextID += 1
            state.observers[state.nextID] = continuation
            return state.nextID
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { _ = $0.observers.removeValue(forKey: id) }
        }
        return stream
    }
}
