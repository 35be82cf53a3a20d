import Foundation
@_spi(Inlay) import InlayWire

/// Puts the parts of a session together, in the order in which they need each other.
struct SessionParts {
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
        let device = DeviceStore(configuration, clock: clock) { file in
            Self.reportSetAside(file, at: clock.now(), events, log)
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
        store = Store(location: { try await Self.locate(tokens, device) }, clock: clock) { file in
            Self.reportSetAside(file, at: serverClock.now(), events, log)
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

    private static func reportSetAside(
        _ file: URL, at time: Timestamp, _ events: SessionEvents, _ log: DebugLog
    ) {
        log.operation("a damaged store was set aside as \(file.lastPathComponent)")
        events.publish(
            SessionEvent(
                .storeSetAside, time: time, properties: ["file": .string(file.lastPathComponent)]))
    }

    private static func makeFolder(_ folder: URL) throws(SessionError) {
        do {
            // Other accounts of the machine have no business in it.
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            #if canImport(Darwin)
                // The server can send these files again, so they do not belong in the user's backup.
                var (place, values) = (folder, URLResourceValues())
                values.isExcludedFromBackup = true
                try place.setResourceValues(values)
            #endif
        } catch {
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
