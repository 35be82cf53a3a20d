import Foundation

/// The features of one session, one object of each type, made on first use. Core knows no feature by name.
///
/// A feature is made outside the lock, so that its initialiser may ask for others. Callers that come meanwhile wait
/// for it. Two features that need each other take a `FeatureReference` in the initialiser and use it later.
package final class FeatureSlots: Sendable {
    private struct State {
        var made: [ObjectIdentifier: any Sendable] = [:]
        var makers: [ObjectIdentifier: ObjectIdentifier] = [:]
        /// The feature that each thread waits for.
        var waiting: [ObjectIdentifier: ObjectIdentifier] = [:]
        var isClosed = false
    }

    private enum Claim<Feature> { case make, wait, done(Feature), cycle }

    private let state = Locked(State())
    // Signalled after every change of `state` that a waiting caller may wait for.
    private let condition = NSCondition()

    package init() {}

    /// Returns the feature's object, which `make` creates on the first call.
    package func object<Feature: Sendable>(_ type: Feature.Type, make: () -> Feature) -> Feature {
        let name = ObjectIdentifier(type)
        let thread = ObjectIdentifier(Thread.current)
        while true {
            switch claim(type, thread) {
            case .done(let feature): return feature
            case .cycle:
                preconditionFailure(
                    "The initialiser of \(type) asks for a feature whose initialiser asks for \(type). "
                        + "Take a reference in one of them.")
            case .wait: wait(for: name, thread)
            case .make:
                let feature = make()
                finish(name, feature)
                return feature
            }
        }
    }

    /// Releases all features; features that are requested later are created and not kept.
    package func close() {
        // Released outside the lock: the end of a feature may ask for another.
        let features = state.withLock { state in
            state.isClosed = true
            defer { state.made = [:] }
            return state.made
        }
        withExtendedLifetime(features) {}
    }

    private func claim<Feature: Sendable>(_ type: Feature.Type, _ thread: ObjectIdentifier) -> Claim<Feature>
    {
        let name = ObjectIdentifier(type)
        return state.withLock { state in
            if let known = state.made[name] as? Feature { return .done(known) }
            guard state.makers[name] != nil else {
                state.makers[name] = thread
                return .make
            }
            var next: ObjectIdentifier? = name
            while let wanted = next, let maker = state.makers[wanted] {
                if maker == thread { return .cycle }
                next = state.waiting[maker]
            }
            // In the same step as the search: else two threads that wait for each other would both miss the cycle.
            state.waiting[thread] = name
            return .wait
        }
    }

    private func wait(for name: ObjectIdentifier, _ thread: ObjectIdentifier) {
        condition.lock()
        defer { condition.unlock() }
        while state.withLock({ $0.makers[name] != nil }) { condition.wait() }
        state.withLock { _ = $0.waiting.removeValue(forKey: thread) }
    }

    private func finish(_ name: ObjectIdentifier, _ feature: any Sendable) {
        condition.lock()
        defer { condition.unlock() }
        state.withLock { state in
            if !state.isClosed { state.made[name] = feature }
            state.makers[name] = nil
        }
        condition.broadcast()
    }
}

/// A reference to a feature of the same session, which is created on first use; for two that need each other.
package struct FeatureReference<Feature: Sendable>: Sendable {
    private let ask: @Sendable () -> Feature?

    init(_ ask: @escaping @Sendable () -> Feature?) { self.ask = ask }

    /// The feature; `nil` once the session is gone.
    package var value: Feature? { ask() }
}
