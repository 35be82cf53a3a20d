/// The parts of a session that its features share, without the session itself.
///
/// The session retains its features, so a feature that retained the session would keep both alive for ever.
package struct SessionContext: Sendable {
    package let configuration: SessionConfiguration
    /// The app's transport behind the app's gate. Carries no token.
    package let transport: GatedTransport
    package let api: APIClient
    package let store: Store
    /// The store for values that outlive users, such as whether the installation was counted. Log-out keeps it.
    package let deviceStore: Store
    package let outbox: Outbox
    package let live: Live
    package let work: SessionWork
    package let events: SessionEvents
    package let serverClock: ServerClock
    package let clock: any SessionClock
    package let log: DebugLog
    let endings: SessionEndings
    private let state: SessionState
    private let features: @Sendable () -> FeatureSlots?

    init(
        _ configuration: SessionConfiguration, _ parts: SessionAssembly, outbox: Outbox, live: Live,
        features: FeatureSlots
    ) {
        self.configuration = configuration
        (transport, api, store, deviceStore) = (parts.transport, parts.api, parts.store, parts.device.store)
        (self.outbox, self.live) = (outbox, live)
        let core = parts.core
        (work, events, log, state) = (core.work, core.events, core.log, core.state)
        (serverClock, clock) = (core.serverClock, core.clock)
        endings = SessionEndings()
        self.features = { [weak features] in features }
    }

    /// Whether the session can be used: not logged out, nor about to be, nor gone.
    package var isActive: Bool { state.current == .active && !work.isEnded }

    /// Adds work to be done at log-out before pending items are sent, such as enqueueing more of them.
    package func beforeLogOut(_ work: @escaping @Sendable () async -> Void) {
        endings.add(beforeLogOut: work)
    }

    /// Adds work to be done at log-out, after pending items were sent and before the data are deleted.
    package func onLogOut(_ work: @escaping @Sendable () async -> Void) { endings.add(onLogOut: work) }

    /// Adds work that ends streams outside of `work` when the app releases the session without a log-out.
    ///
    /// Runs on the thread that releases the session, and must not block.
    package func onRelease(_ work: @escaping @Sendable () -> Void) { endings.add(onRelease: work) }

    /// Returns the session's one object of another feature; `nil` once the session is gone.
    package func feature<Feature: Sendable>(
        _ type: Feature.Type, make: (SessionContext) -> Feature
    ) -> Feature? {
        features()?.object(type) { make(self) }
    }

    /// Returns a reference to another feature, for initialisers that need each other: nothing is created before its
    /// use.
    package func reference<Feature: Sendable>(
        to type: Feature.Type, make: @escaping @Sendable (SessionContext) -> Feature
    ) -> FeatureReference<Feature> {
        FeatureReference { feature(type, make: make) }
    }
}
