internal import Foundation
@_spi(Inlay) package import InlayCore
internal import InlayHub
internal import InlayWire

/// The owner of the single session behind ZBiM's static calls.
package final class ZBiMRuntime: Sendable {
    package static let shared = ZBiMRuntime()

    /// The values of the state getters. They change on the main thread, before the notification of the change.
    struct Flags: Sendable {
        var isDownloading = false
        var isDisplaying = false
        var isReady = false
        var isDisabled = false
    }

    struct State: Sendable {
        var services = ZBiMServices()
        var settings = ZBiMRuntime.defaults
        var log = HubLog()
        var flags = Flags()
        var config: ZBiMConfig?
        var users: HubUsers?
        var opening: Task<InlaySession?, Never>?
        var session: InlaySession?
        var tokenProvider: (@Sendable () async -> String?)?
        var schemes: [String] = []
        /// A number that grows when the services are replaced. Work that began with a lower number must not go on.
        var generation = 0
    }

    private let state = Locked(State())

    /// The defaults that ZBiM documents.
    static var defaults: HubSettings {
        var settings = HubSettings()
        settings.contentSource = .externalAllowed
        return settings
    }

    func read<Value>(_ body: (State) -> Value) -> Value { state.withLock { body($0) } }

    func change(_ body: (inout State) -> Void) { state.withLock { body(&$0) } }

    /// Ends the session, resets all state and replaces the services, so that a test begins like a new process.
    package func use(_ services: ZBiMServices) {
        let old = state.withLock { state in
            defer {
                let generation = state.generation + 1
                state = State()
                (state.services, state.generation) = (services, generation)
            }
            return state.session
        }
        old?.work.end()
    }

    /// The open session, for tests.
    package var session: InlaySession? { read(\.session) }

    /// The hub of the open session; `nil` before the session is open.
    var hub: Hub? { read(\.session)?.hub }

    /// Changes the settings, also those of the open hub.
    func set(_ body: (inout HubSettings) -> Void) {
        let (settings, session) = state.withLock { state in
            body(&state.settings)
            return (state.settings, state.session)
        }
        session?.hub.settings = settings
    }

    /// Reads the configuration and opens the session in the background; later calls do nothing.
    func start() {
        let isFirst = state.withLock { state in
            guard state.config == nil else { return false }
            let config = ZBiMConfig(resources: state.services.resources)
            state.config = config
            state.users = HubUsers(Self.configuration(config, state.services))
            if state.services.advertising != nil, case .none = state.settings.advertiser {
                state.settings.advertiser = state.services.advertising.map { .system($0) } ?? .none
            }
            for scheme in state.services.schemes() + state.schemes {
                try? state.settings.allowed.allow(scheme: scheme)
            }
            return true
        }
        guard isFirst else { return }
        let (config, log) = read { ($0.config, $0.log) }
        for problem in config?.problems ?? [] { log.write(.error, .debug, problem) }
        guard config?.service != nil else { return }
        change { state in
            // Ends when the session is open or has failed to open.
            let generation = state.generation
            state.opening = Task { await self.open(generation) }
        }
    }

    /// Returns the session once it is open; `nil` when the SDK was not started or the session failed to open.
    func opened() async -> InlaySession? { await read(\.opening)?.value }

    private func open(_ generation: Int) async -> InlaySession? {
        let (config, services, current) = read { ($0.config, $0.services, $0.generation) }
        guard current == generation, let config, let service = config.service else { return nil }
        let log = read(\.log)
        do {
            let session = try await InlaySession(
                configuration: Self.configuration(config, services),
                transport: services.transport ?? URLSessionTransport(), clock: services.clock
            ) { [weak self] in await self?.token() }
            follow(session.hub, log)
            try session.hub.start(hubConfiguration(config, source: service.source, services))
            let isCurrent = state.withLock { state in
                guard state.generation == generation else { return false }
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

    private func hubConfiguration(_ config: ZBiMConfig, source: String, _ services: ZBiMServices)
        -> HubConfiguration
    {
        let key = services.resources.appendingPathComponent("pubkey.der")
        if (try? Data(contentsOf: key)) == nil {
            read(\.log).write(
                .error, .debug, "pubkey.der is not among the app's resources; no content is accepted.")
        }
        var hub = HubConfiguration(
            source: source, trust: .publicKey(der: (try? Data(contentsOf: key)) ?? Data()))
        let preload = services.resources.appendingPathComponent("contentDB.sqlite3")
        if FileManager.default.fileExists(atPath: preload.path) { hub.preload = .file(preload) }
        hub.settings = read(\.settings)
        hub.metrics = config.queue.flatMap { queue in
            config.applicationID.map { HubConfiguration.Metrics(applicationID: $0, queue: queue) }
        }
        hub.scheduler = ZBiMScheduler(services: services)
        return hub
    }

    private func token() async -> String? {
        if let provider = read(\.tokenProvider) { return await provider() }
        return InstallationToken.make(in: Self.folder(read(\.services)))
    }

    private static func configuration(_ config: ZBiMConfig, _ services: ZBiMServices) -> SessionConfiguration
    {
        let service = config.service
        return SessionConfiguration(
            environmentID: service?.environment ?? "none", apiKey: config.applicationID ?? "none",
            baseURL: service?.server ?? URL(fileURLWithPath: "/"), folder: folder(services))
    }

    private static func folder(_ services: ZBiMServices) -> URL {
        services.folder ?? SessionConfiguration.supportFolder("InlayZBiM")
    }
}
