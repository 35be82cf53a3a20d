import Foundation
import InlayCore
@_spi(Inlay) import InlayWire

/// Records when sessions of use start and end.
///
/// Every change of the state is stored in the transaction of its event, so a crash repeats neither.
actor UseSessions {
    static let key = "session"
    /// A crash may cost this much of a session's duration.
    private static let checkInterval = Duration.seconds(30)

    /// Stores an event of a type with its own attributes, together with the state.
    typealias Track = @Sendable (BehaviorCode, [String: JSONValue], Timestamp, UseState?) async throws -> Void

    private let store: BehaviorStore
    private let clock: any SessionClock
    private let work: SessionWork
    private let expiration: Duration
    private let durationField: String
    private let track: Track
    private var state: UseState? {
        didSet { kept.withLock { $0 = state } }
    }
    /// The state for a store that begins anew.
    private nonisolated let kept = Locked<UseState?>(nil)
    private var isLoaded = false
    private var watch: Task<Void, Never>?
    // Every `await` lets other calls in; two that start a session at once would start two.
    private let changes: SerialQueue

    init(
        store: BehaviorStore, clock: any SessionClock, work: SessionWork, settings: BehaviorSettings,
        track: @escaping Track
    ) {
        (self.store, self.clock, self.work, self.track) = (store, clock, work, track)
        changes = SerialQueue(work)
        (expiration, durationField) = (settings.sessionExpiration, settings.fields.sessionDuration)
        store.database.onRenewal { [kept] database in
            guard let state = kept.withLock({ $0 }) else { return }
            try BehaviorStore.set(Self.key, state, in: database)
        }
    }

    /// The app came to the front.
    func enter() async throws { try await serially { try await $0.entered() } }

    /// The app was left.
    func leave() async throws { try await serially { try await $0.left() } }

    /// Ends a session of an earlier run that is over, and watches one that is not.
    func resume() async throws { try await serially { try await $0.resumed() } }

    private func serially(_ body: @escaping @Sendable (isolated UseSessions) async throws -> Void)
        async throws
    {
        try await changes.run { try await body(self) }
    }

    private func load() async throws {
        guard !isLoaded else { return }
        state = try await store.value(Self.key, as: UseState.self)
        state?.recover()
        isLoaded = true
    }

    private func resumed() async throws {
        try await load()
        try await endIfOver()
        if state != nil { watchAway() }
    }

    private func entered() async throws {
        try await load()
        try await endIfOver()
        let now = clock.now()
        if var going = state {
            going.enter(at: now)
            try await save(going)
        } else {
            let new = UseState(at: now)
            try await track(.sessionStarted, [:], now, new)
            state = new
        }
        watchFront()
    }

    private func left() async throws {
        try await load()
        guard var going = state, going.since != nil else { return }
        going.leave(at: clock.now())
        try await save(going)
        watchAway()
    }

    private func endIfOver() async throws {
        let now = clock.now()
        guard let going = state, let end = going.end(at: now, expiration: expiration) else { return }
        try await track(.sessionEnded, [durationField: .string(String(going.seconds))], end, nil)
        state = nil
    }

    private func save(_ new: UseState) async throws {
        try await store.database.write { try BehaviorStore.set(Self.key, new, in: $0) }
        state = new
    }

    /// Ends the session when its time is up, if the app lives that long.
    private func watchAway() {
        guard let seen = state?.seen else { return }
        let left = max(.milliseconds(1), expiration - (clock.now() - seen))
        let clock = clock
        watch?.cancel()
        // Ends at the session's end, or when the app comes back.
        watch = work.start { [weak self] in
            guard (try? await clock.sleep(for: left)) != nil else { return }
            try? await self?.resume()
        }
    }

    /// Notes from time to time that the app is in front, for the run that never says that it ended.
    private func watchFront() {
        let clock = clock
        watch?.cancel()
        // Ends when the app is left, and with the session.
        watch = work.start { [weak self] in
            while (try? await clock.sleep(for: Self.checkInterval)) != nil { await self?.checkForeground() }
        }
    }

    private func checkForeground() async {
        // In turn too: what it read must not be written over what came while it was stored.
        try? await serially { try await $0.foregroundChecked() }
    }

    private func foregroundChecked() async throws {
        guard var going = state, going.since != nil else { return }
        going.seeInForeground(at: clock.now())
        try await save(going)
    }
}
