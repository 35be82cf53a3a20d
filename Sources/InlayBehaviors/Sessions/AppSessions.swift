import Foundation
import InlayCore
@_spi(Inlay) import InlayWire

/// The recorder of the starts and ends of app sessions.
///
/// A change of the state is stored in the transaction of its event, so that a crash repeats neither of them.
actor AppSessions {
    static let key = "session"
    /// The maximum part of a session's duration that a crash can lose.
    private static let checkInterval = Duration.seconds(30)

    /// Stores an event with this type, attributes and time, together with the state.
    typealias Track =
        @Sendable (BehaviorCode, [String: JSONValue], Timestamp, AppSessionState?) async throws -> Void

    private let store: BehaviorStore
    private let clock: any SessionClock
    private let work: SessionWork
    private let expiration: Duration
    private let durationField: String
    private let track: Track
    private var state: AppSessionState? {
        didSet { stateCopy.withLock { $0 = state } }
    }
    /// A copy of the state, which is written into a store that replaces a lost one.
    private nonisolated let stateCopy = Locked<AppSessionState?>(nil)
    private var isLoaded = false
    private var watch: Task<Void, Never>?
    // Every `await` lets other calls in. Without the queue, two concurrent calls could start two sessions.
    private let changes: SerialQueue

    init(
        store: BehaviorStore, clock: any SessionClock, work: SessionWork, settings: BehaviorSettings,
        track: @escaping Track
    ) {
        (self.store, self.clock, self.work, self.track) = (store, clock, work, track)
        changes = SerialQueue(work)
        (expiration, durationField) = (settings.sessionExpiration, settings.fields.sessionDuration)
        store.database.onRenewal { [stateCopy] database in
            guard let state = stateCopy.withLock({ $0 }) else { return }
            try BehaviorStore.set(Self.key, state, in: database)
        }
    }

    /// Continues or starts a session, because the app moved to the foreground.
    func enter() async throws { try await serially { try await $0.entered() } }

    /// Pauses the session, because the app moved to the background.
    func leave() async throws { try await serially { try await $0.left() } }

    /// Ends a session that has expired, or waits for the expiration of one that has not.
    func resume() async throws { try await serially { try await $0.resumed() } }

    private func serially(_ body: @escaping @Sendable (isolated AppSessions) async throws -> Void)
        async throws
    {
        try await changes.run { try await body(self) }
    }

    private func load() async throws {
        guard !isLoaded else { return }
        state = try await store.value(Self.key, as: AppSessionState.self)
        state?.recover()
        isLoaded = true
    }

    private func resumed() async throws {
        try await load()
        try await endIfOver()
        watchAway()
    }

    private func entered() async throws {
        try await load()
        try await endIfOver()
        let now = clock.now()
        if var current = state {
            current.enter(at: now)
            try await save(current)
        } else {
            let new = AppSessionState(at: now)
            try await track(.sessionStarted, [:], now, new)
            state = new
        }
        watchFront()
    }

    private func left() async throws {
        try await load()
        guard var current = state, current.since != nil else { return }
        current.leave(at: clock.now())
        try await save(current)
        watchAway()
    }

    private func endIfOver() async throws {
        let now = clock.now()
        guard let current = state, let end = current.end(at: now, expiration: expiration) else { return }
        try await track(.sessionEnded, [durationField: .string(String(current.seconds))], end, nil)
        state = nil
    }

    private func save(_ new: AppSessionState) async throws {
        try await store.database.write { try BehaviorStore.set(Self.key, new, in: $0) }
        state = new
    }

    /// Ends the session at its expiration, if the app still runs then. Does nothing while the app is in the foreground.
    private func watchAway() {
        guard let state, state.since == nil else { return }
        let left = max(.milliseconds(1), expiration - (clock.now() - state.seen))
        let clock = clock
        watch?.cancel()
        // Ends at the expiration, or when the app returns to the foreground.
        watch = work.start { [weak self] in
            guard (try? await clock.sleep(for: left)) != nil else { return }
            try? await self?.resume()
        }
    }

    /// Stores from time to time that the app is in the foreground, for the case that it crashes.
    private func watchFront() {
        let clock = clock
        watch?.cancel()
        // Ends when the app moves to the background, and with the session.
        watch = work.start { [weak self] in
            while (try? await clock.sleep(for: Self.checkInterval)) != nil { await self?.checkForeground() }
        }
    }

    private func checkForeground() async {
        // In the queue too, so that it does not overwrite a change that happens while it stores.
        try? await serially { try await $0.foregroundChecked() }
    }

    private func foregroundChecked() async throws {
        guard var current = state, current.since != nil else { return }
        current.seeInForeground(at: clock.now())
        try await save(current)
    }
}
