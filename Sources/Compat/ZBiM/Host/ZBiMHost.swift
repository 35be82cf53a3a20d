internal import Foundation
package import InlayCore
internal import InlayHub
internal import InlayWire

/// Holds the one session that the document's static calls need.
package final class ZBiMHost: Sendable {
    package static let shared = ZBiMHost()

    /// What the getters answer. Changed on the main thread before the notification of a change is posted.
    struct Flags: Sendable {
        var isDownloading = false
        var isDisplaying = false
        var isReady = false
        var isDisabled = false
    }

    struct State: Sendable {
        var ground = ZBiMGround()
        var settings = ZBiMHost.defaults
        var log = HubLog()
        var flags = Flags()
        var config: ZBiMConfig?
        var users: HubUsers?
        var opening: Task<InlaySession?, Never>?
        var session: InlaySession?
        var tokenProvider: (@Sendable () async -> String?)?
        var schemes: [String] = []
        /// Grows when the ground changes; work of an earlier ground is over.
        var life = 0
    }

    private let state = Locked(State())

    /// What the document sets by default.
    static var defaults: HubSettings {
        var settings = HubSettings()
        settings.contentSource = .externalAllowed
        return settings
    }

    func read<Value>(_ body: (State) -> Value) -> Value { state.withLock { body($0) } }

    func change(_ body: (inout State) -> Void) { state.withLock { body(&$0) } }

    /// Puts the facade on other ground, as if the app had been started anew.
    package func stand(on ground: ZBiMGround) {
        let old = state.withLock { state in
            defer {
                let life = state.life + 1
                state = State()
                (state.ground, state.life) = (ground, life)
            }
            return state.session
        }
        old?.work.end()
    }

    /// The open session, for tests.
    package var session: InlaySession? { read(\.session) }

    /// The started hub; `nil` before the session is open.
    var hub: Hub? { read(\.session)?.hub }

    /// Changes the settings, of the open hub too.
    func set(_ body: (inout HubSettings) -> Void) {
        let (settings, session) = state.withLock { state in
            body(&state.settings)
            return (state.settings, state.session)
        }
        session?.hub.settings = settings
    }

    /// Reads the configuration and opens the session in the background; once per process.
    func start() {
        let isFirst = state.withLock { state in
            guard state.config == nil else { return false }
            let config = ZBiMConfig(resources: state.ground.resources)
            state.config = config
            state.users = HubUsers(Self.configuration(config, state.ground))
            if state.ground.advertising != nil, case .none = state.settings.advertiser {
                state.settings.advertiser = state.ground.advertising.map { .system($0) } ?? .none
            }
            for scheme in state.ground.schemes() + state.schemes {
                try? state.settings.allowed.allow(scheme: scheme)
            }
            return true
        }
        guard isFirst else { return }
        let (config, log) = read { ($0.config, $0.log) }
        for problem in config?.problems ?? [] { log.write(.error, .debug, problem) }
        guard config?.service != nil else { return }
        change { state in
            // Ends when the session is open or turned out not to open.
            let life = state.life
            state.opening = Task { await self.open(life) }
        }
    }

    /// The open session, waited for; `nil` when there is none to come.
    func opened() async -> InlaySession? { await read(\.opening)?.value }

    private func open(_ life: Int) async -> InlaySession? {
        let (config, ground, current) = read { ($0.config, $0.ground, $0.life) }
        guard current == life, let config, let service = config.service else { return nil }
        let log = read(\.log)
        do {
            let session = try await InlaySession(
                configuration: Self.configuration(config, ground),
                transport: ground.transport ?? URLSessionTransport(), clock: ground.clock
            ) { [weak self] in await self?.token() }
            follow(session.hub, log)
            try session.hub.start(hubConfiguration(config, source: service.source, ground))
            let isCurrent = state.withLock { state in
                guard state.life == life else { return false }
                state.session = session
                return true
            }
            guard isCurrent else { return nil }
            session.hub.settings = read(\.settings)
            return session
        } catch {
            log.write(.criticalError, .debug, "The hub cannot start: \(error)")
            return nil
        }
    }

    private func hubConfiguration(_ config: ZBiMConfig, source: String, _ ground: ZBiMGround)
        -> HubConfiguration
    {
        let key = ground.resources.appendingPathComponent("pubkey.der")
        if (try? Data(contentsOf: key)) == nil {
            read(\.log).write(
                .error, .debug, "pubkey.der is not among the app's resources; no content is accepted.")
        }
        var hub = HubConfiguration(
            source: source, trust: .publicKey(der: (try? Data(contentsOf: key)) ?? Data()))
        let preload = ground.resources.appendingPathComponent("contentDB.sqlite3")
        if FileManager.default.fileExists(atPath: preload.path) { hub.preload = .file(preload) }
        hub.settings = read(\.settings)
        hub.metrics = config.queue.flatMap { queue in
            config.applicationID.map { HubMetricsConfiguration(applicationID: $0, queue: queue) }
        }
        hub.scheduler = ZBiMScheduler(ground: ground)
        return hub
    }

    private func token() async -> String? {
        if let provider = read(\.tokenProvider) { return await provider() }
        return ZBiMToken.anonymous(in: Self.folder(read(\.ground)))
    }

    private static func configuration(_ config: ZBiMConfig, _ ground: ZBiMGround) -> SessionConfiguration {
        let service = config.service
        return SessionConfiguration(
            environmentID: service?.environment ?? "none", apiKey: config.applicationID ?? "none",
            baseURL: service?.server ?? URL(fileURLWithPath: "/"), folder: folder(ground))
    }

    private static func folder(_ ground: ZBiMGround) -> URL {
        if let folder = ground.folder { return folder }
        let base = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask).first
        return (base ?? FileManager.default.temporaryDirectory).appendingPathComponent(
            "InlayZBiM", isDirectory: true)
    }
}
