import Foundation
@_spi(Inlay) import InlayWire

/// The parts of a session, created in the order in which they need each other.
struct SessionAssembly {
    let core: SessionCore
    let device: DeviceStore
    let tokens: TokenCache
    let transport: GatedTransport
    let api: APIClient
    let store: Store
    let onFirstToken = Locked<@Sendable () async -> Void>({})

    init(
        _ configuration: SessionConfiguration, _ transport: any Transport, _ clock: any SessionClock,
        _ tokenProvider: @escaping TokenProvider
    ) async throws {
        try Self.makeFolder(configuration.folder)
        let events = SessionEvents()
        let log = DebugLog(configuration.logger)
        let work = SessionWork()
        let folder = configuration.folder
        let device = DeviceStore(configuration, clock: clock) { incident in
            Self.report(incident, at: clock.now(), in: folder, events, log)
        }
        let serverClock = ServerClock(clock: clock, offset: await device.clockOffset()) { offset in
            work.start { await device.setClockOffset(offset) }
        }
        core = SessionCore(
            clock: clock, serverClock: serverClock, state: SessionState(), work: work, events: events,
            log: log)
        self.device = device
        let (core, onFirstToken) = (core, onFirstToken)
        let tokens = TokenCache(
            rules: TokenCache.Rules(configuration), provider: tokenProvider, clock: clock,
            serverClock: serverClock, work: work
        ) { Self.handle($0, core, onFirstToken) }
        self.tokens = tokens
        self.transport = GatedTransport(transport, gate: configuration.gate)
        api = APIClient(
            configuration: configuration, transport: self.transport, tokens: tokens, clock: clock,
            serverClock: serverClock, state: core.state, events: events, log: log)
        store = Store(location: { try await Self.locate(tokens, device) }, clock: clock) { incident in
            Self.report(incident, at: serverClock.now(), in: folder, events, log)
        }
    }

    private static func locate(_ tokens: TokenCache, _ device: DeviceStore) async throws -> URL {
        let identity: UserIdentity
        do { identity = try await tokens.identity() } catch {
            throw error == .loggedOut ? StoreError.loggedOut : StoreError.noUser(error)
        }
        await device.setLastUser(identity.fileStem)
        return device.userFile(identity.fileStem)
    }

    private static func handle(
        _ change: TokenChange, _ core: SessionCore, _ onFirstToken: Locked<@Sendable () async -> Void>
    ) {
        switch change {
        case .first:
            core.log.detail("a token came")
            let first = onFirstToken.withLock { $0 }
            core.work.start { await first() }
        case .refreshed:
            core.log.detail("the token was refreshed")
            core.events.publish(SessionEvent(.tokenRefreshed, time: core.serverClock.now()))
        case .failed(let error):
            core.log.operation("no token: \(error)")
        }
    }

    private static func report(
        _ incident: StoreIncident, at time: Timestamp, in folder: URL, _ events: SessionEvents,
        _ log: DebugLog
    ) {
        // The whole folder may be gone. Another installation's subject would leave the next run without this store.
        if case .lost = incident { InstallationToken.restore(in: folder) }
        events.publish(incident, at: time, log: log)
    }

    private static func makeFolder(_ folder: URL) throws(SessionError) {
        do { try StoreFile.makeFolder(folder) } catch {
            throw .folderUnusable(error.localizedDescription)
        }
    }
}

/// The values that every part of a session shares.
struct SessionCore: Sendable {
    let clock: any SessionClock
    let serverClock: ServerClock
    let state: SessionState
    let work: SessionWork
    let events: SessionEvents
    let log: DebugLog
}
