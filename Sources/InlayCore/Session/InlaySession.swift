import Foundation
@_spi(Inlay) import InlayWire

/// One user's connection to one Inlay environment, which all features share.
///
/// The first token names the user. Nothing of a user is read or written before that, and a session never
/// serves a second user: log out and make another.
public final class InlaySession: Sendable {
    /// The events of the session, for any number of observers.
    public var events: SessionEvents { context.events }
    /// The app's transport behind the app's gate, for media and fonts. Carries no token.
    @_spi(Inlay) public var transport: GatedTransport { context.transport }
    /// The parts of the session that features retain instead of the session.
    package let context: SessionContext
    let state: SessionState
    let tokens: TokenCache
    let device: DeviceStore
    private let onFirstToken: Locked<@Sendable () async -> Void>
    private let features = FeatureSlots()

    /// Starts a session. Makes no request by itself; features do when they are used.
    ///
    /// The default transport has sockets and certificate pins only on Apple's systems; on Linux, use `NIOTransport` for
    /// both.
    ///
    /// - Throws: `SessionError` when the configuration or the folder cannot work.
    public convenience init(
        configuration: SessionConfiguration, transport: any Transport = URLSessionTransport(),
        clock: any SessionClock = SystemClock(),
        tokenProvider: @escaping @Sendable () async -> String?
    ) async throws {
        try await self.init(
            configuration: configuration, transport: transport, clock: clock,
            random: { Double.random(in: 0..<1) }, tokenProvider: tokenProvider)
    }

    /// Starts a session with this source of randomness for back-offs.
    package init(
        configuration: SessionConfiguration, transport: any Transport, clock: any SessionClock,
        random: @escaping @Sendable () -> Double, tokenProvider: @escaping TokenProvider
    ) async throws {
        try configuration.validate()
        let parts = try await SessionAssembly(configuration, transport, clock, tokenProvider)
        (state, tokens, device) = (parts.core.state, parts.tokens, parts.device)
        let outbox = Outbox(session: parts.core, store: parts.store, api: parts.api, random: random)
        let live = Live(
            session: parts.core, api: parts.api, liveProtocol: configuration.liveProtocol, random: random)
        context = SessionContext(configuration, parts, outbox: outbox, live: live, features: features)
        onFirstToken = parts.onFirstToken
        onFirstToken.withLock { $0 = { await outbox.resumeAll() } }
        // Ends with the session.
        work.start { await outbox.run() }
        events.publish(SessionEvent(.sdkInitialized, time: serverClock.now()))
    }

    deinit {
        // This breaks a cycle: the token cache reaches the outbox through the closure, and the outbox the token cache.
        onFirstToken.withLock { $0 = {} }
        work.end()
        // Features retain the context, and the context the closures that they added.
        context.endings.release()
        features.close()
        events.finish()
    }

    /// Whether the session can be used: not logged out, nor about to be.
    public var isActive: Bool { state.current == .active }

    /// Chooses how changes reach the app. Takes effect at once, lasts as long as the session.
    public func setLiveProtocol(_ liveProtocol: SessionConfiguration.LiveProtocol) async {
        await live.setProtocol(liveProtocol)
    }

    /// Sets the level of the debug log: 0 nothing (the default), 1 operations and transactions,
    /// 2 their details too, 3 everything. Numbers outside count as the nearest. Not for release builds.
    public func setDebugLevel(_ level: Int) { log.setLevel(level) }

    /// Sets the host app's version for the requests and events from now on; cut to 128 characters.
    public func setClientVersion(_ version: String) { api.clientVersion = version }

    /// Returns a feature's one object in this session, created on first use from the parts that it may retain.
    package func feature<Feature: Sendable>(
        _ type: Feature.Type, make: (SessionContext) -> Feature
    ) -> Feature {
        features.object(type) { make(context) }
    }

    /// Throws `SessionError.loggedOut` when the session cannot be used any more.
    package func checkActive() throws(SessionError) {
        guard isActive else { throw .loggedOut }
    }
}

// MARK: - Parts

extension InlaySession {
    package var configuration: SessionConfiguration { context.configuration }
    package var api: APIClient { context.api }
    package var store: Store { context.store }
    package var outbox: Outbox { context.outbox }
    package var live: Live { context.live }
    package var serverClock: ServerClock { context.serverClock }
    package var clock: any SessionClock { context.clock }
    package var log: DebugLog { context.log }
    package var work: SessionWork { context.work }

    /// The store for values that outlive users, such as whether the installation was counted. Log-out keeps it.
    package var deviceStore: Store { device.store }
}
