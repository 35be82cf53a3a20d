import Foundation
import InlayWire

/// One user's connection to one Inlay environment: what the features share.
///
/// The user is whoever the first token names. Nothing of a user is read or written before that, and a
/// session never serves a second user: log out and make another.
public final class InlaySession: Sendable {
    /// What happens in the session; any number of observers.
    public let events: SessionEvents
    /// The app's transport behind the app's gate, for media and fonts. Carries no token.
    public let transport: GatedTransport
    package let configuration: SessionConfiguration
    package let api: APIClient
    package let store: Store
    package let outbox: Outbox
    package let live: Live
    package let serverClock: ServerClock
    package let clock: any SessionClock
    package let log: DebugLog
    package let work: SessionWork
    let state: SessionState
    let tokens: TokenKeeper
    let device: DeviceStore
    private let onFirstToken: Locked<@Sendable () async -> Void>
    private let features = FeatureSlots()
    private let leaving = Locked<[@Sendable () async -> Void]>([])
    private let ending = Locked<[@Sendable () async -> Void]>([])

    /// Starts a session. Makes no request by itself; features do when they are used.
    ///
    /// - Throws: `SessionError` when the configuration or the folder cannot work.
    public convenience init(
        configuration: SessionConfiguration, transport: any Transport,
        clock: any SessionClock = SystemClock(),
        tokenProvider: @escaping TokenProvider
    ) async throws {
        try await self.init(
            configuration: configuration, transport: transport, clock: clock,
            random: { Double.random(in: 0..<1) }, tokenProvider: tokenProvider)
    }

    /// The same with the randomness that back-offs are drawn from.
    package init(
        configuration: SessionConfiguration, transport: any Transport, clock: any SessionClock,
        random: @escaping @Sendable () -> Double, tokenProvider: @escaping TokenProvider
    ) async throws {
        try configuration.validate()
        let parts = try await SessionParts(configuration, transport, clock, tokenProvider)
        self.configuration = configuration
        self.clock = clock
        (events, log, work, state) = (parts.core.events, parts.core.log, parts.core.work, parts.core.state)
        (serverClock, tokens, device) = (parts.core.serverClock, parts.tokens, parts.device)
        (self.transport, api, store) = (parts.transport, parts.api, parts.store)
        let outbox = Outbox(session: parts.core, store: parts.store, api: parts.api, random: random)
        self.outbox = outbox
        live = Live(
            session: parts.core, api: parts.api, liveProtocol: configuration.liveProtocol, random: random)
        onFirstToken = parts.onFirstToken
        onFirstToken.withLock { $0 = { await outbox.resumeAll() } }
        // Ends with the session.
        work.start { await outbox.run() }
        events.publish(SessionEvent(.sdkInitialized, time: serverClock.now()))
    }

    deinit {
        // The token keeper reaches the outbox through this closure, and the outbox the keeper.
        onFirstToken.withLock { $0 = {} }
        work.end()
    }

    /// Whether the session can be used: not logged out, nor about to be.
    public var isActive: Bool { state.current == .active }

    /// Chooses how changes reach the app. Takes effect at once, lasts as long as the session.
    public func setLiveProtocol(_ liveProtocol: LiveProtocol) async { await live.setProtocol(liveProtocol) }

    /// Sets how much the debug log tells: 0 nothing (the default), 1 operations and transactions,
    /// 2 their details too, 3 everything. Numbers outside count as the nearest. Not for release builds.
    public func setDebugLevel(_ level: Int) { log.setLevel(level) }

    /// Sets the host app's version for the requests and events from now on; cut to 128 characters.
    public func setClientVersion(_ version: String) { api.clientVersion = version }

    /// The one object of a feature in this session, made on first use.
    package func feature<Feature: Sendable>(_ type: Feature.Type, make: () -> Feature) -> Feature {
        features.object(type, make: make)
    }

    /// Adds work to be done at log-out before pending items are sent, such as handing over more of them.
    package func beforeLogOut(_ work: @escaping @Sendable () async -> Void) {
        leaving.withLock { $0.append(work) }
    }

    /// Adds work to be done at log-out, after pending items were sent and before the data are deleted.
    package func onLogOut(_ work: @escaping @Sendable () async -> Void) {
        ending.withLock { $0.append(work) }
    }

    /// Throws `SessionError.loggedOut` when the session cannot be used any more.
    package func checkActive() throws(SessionError) {
        guard isActive else { throw .loggedOut }
    }

    func runLeavings() async { await Self.run(leaving) }

    func runEndings() async { await Self.run(ending) }

    private static func run(_ works: Locked<[@Sendable () async -> Void]>) async {
        let works = works.withLock { works in
            defer { works = [] }
            return works
        }
        for work in works { await work() }
    }
}
