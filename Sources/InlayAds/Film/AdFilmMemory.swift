import InlayCore

/// The memory that the films of a session take, and how much of it is left.
///
/// A film that is coming in reserves as much as it may have, and gives back what it did not need; one that finds
/// too little waits for those before it. So there is never more in memory than allowed, however many ads are loaded
/// at once.
final class AdFilmMemory: Sendable {
    /// The largest film, in bytes.
    static let largest = 48 << 20
    /// All films of a session together, in bytes.
    static let most = 2 * largest

    private struct State {
        var taken = 0
        /// How many films are coming in.
        var coming = 0
    }

    private let state = Locked(State())
    private let changes = Observers<Void>(.bufferingNewest(1))

    /// Room for one film; `nil` when whoever waits for it is cancelled.
    func place() async -> Place? {
        // Before the first look: what becomes free in between is then heard of.
        let changes = changes.stream()
        if let place = take() { return place }
        for await _ in changes {
            if let place = take() { return place }
        }
        return nil
    }

    /// How many bytes are spoken for.
    var taken: Int { state.withLock { $0.taken } }

    private func take() -> Place? {
        let bytes = state.withLock { state -> Int? in
            let bytes = min(Self.most - state.taken, Self.largest)
            // What is coming in will leave some of its room; when nothing is, no waiting makes more.
            guard bytes == Self.largest || state.coming == 0 else { return nil }
            state.taken += bytes
            state.coming += 1
            return bytes
        }
        return bytes.map { Place(self, bytes: $0) }
    }

    private func free(_ bytes: Int, hasCome: Bool) {
        state.withLock { state in
            state.taken -= bytes
            if hasCome { state.coming -= 1 }
        }
        changes.yield(())
    }
}

extension AdFilmMemory {
    /// Room for one film, free again when nobody holds it.
    final class Place: Sendable {
        /// The most that the film may have; none when other films take it all.
        let bytes: Int
        private let memory: AdFilmMemory
        private let kept = Locked<Int?>(nil)

        init(_ memory: AdFilmMemory, bytes: Int) { (self.memory, self.bytes) = (memory, bytes) }

        deinit {
            let kept = kept.withLock { $0 }
            memory.free(kept ?? bytes, hasCome: kept == nil)
        }

        /// The film is here and needs only so much.
        func keep(_ size: Int) {
            kept.withLock { $0 = size }
            memory.free(bytes - size, hasCome: true)
        }
    }
}
