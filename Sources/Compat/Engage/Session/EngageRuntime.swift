package import Foundation
package import InlayBehaviors
@_spi(Inlay) package import InlayCore
@_spi(Inlay) import InlayWire
import InlayXMLAPI

/// The owner of the single session behind EngageSDK's static calls.
///
/// `EngageApplication` or `UBFManager.createClient` starts it once. Calls before the session is open wait, and run in
/// their order.
package final class EngageRuntime: Sendable {
    package static let shared = EngageRuntime()

    /// EngageSDK's two shared objects.
    struct Managers: Sendable {
        let ubf: UBFManager
        let xmlapi: XMLAPIManager
    }

    /// The clock, transport and folder that the facade uses; tests replace them.
    package struct Services: Sendable {
        package var transport: (any Transport)?
        package var clock: any SessionClock = SystemClock()
        package var folder: URL?
        package var device = DeviceFacts.current
        package var app = AppFacts.current
        /// Creates the source of the device's location from the settings.
        package var location: @Sendable (BehaviorSettings.Location) async -> (any LocationSource)? = {
            await Self.systemLocation($0)
        }
        package var network: any NetworkStatus = Self.systemNetwork
        /// Returns a value of the app's Info.plist.
        package var info: @Sendable (String) -> String? = {
            Bundle.main.object(forInfoDictionaryKey: $0) as? String
        }
        /// Returns the contents of the app's `EngageConfig.plist`.
        package var settings: @Sendable () -> Data? = { Self.file("EngageConfig", "plist") }
        /// Returns the contents of the app's `MobileDeepLinkingConfig.json`.
        package var deepLinks: @Sendable () -> Data? = { Self.file("MobileDeepLinkingConfig", "json") }
        /// Changes the session's configuration.
        package var configure: @Sendable (inout SessionConfiguration) -> Void = { _ in }

        package init() {}

        /// The system's network monitor; without one, the network counts as available.
        private static var systemNetwork: any NetworkStatus {
            #if canImport(Network)
                PathNetworkStatus()
            #else
                UnmonitoredNetwork()
            #endif
        }

        /// Returns the system's location service; without one, events carry no location.
        private static func systemLocation(
            _ settings: BehaviorSettings.Location
        ) async -> (any LocationSource)? {
            #if canImport(CoreLocation)
                settings.isEnabled ? await SystemLocationSource(settings) : nil
            #else
                nil
            #endif
        }

        private static func file(_ name: String, _ type: String) -> Data? {
            Bundle.main.url(forResource: name, withExtension: type).flatMap { try? Data(contentsOf: $0) }
        }
    }

    private struct State: Sendable {
        var services = Services()
        var settings: BehaviorSettings?
        var identities: EngageIdentities?
        var managers: Managers?
        var queue: SerialQueue?
        var engine: EngageEngine?
        var plugins: [any UBFAugmentationPlugin] = []
        var handlers: [String: DeepLinkHandler] = [:]
        var startError: EngageConfigException?
    }

    private let state = Locked(State())

    /// Ends all work, resets all state and replaces the services, so that a test begins like a new process.
    package func use(_ services: Services) {
        let before = state.withLock { state in
            defer {
                state = State()
                state.services = services
            }
            return state
        }
        before.engine?.session.work.end()
    }

    var managers: Managers? { state.withLock { $0.managers } }
    var services: Services { state.withLock { $0.services } }
    package var engine: EngageEngine? { state.withLock { $0.engine } }
    var startError: EngageConfigException? { state.withLock { $0.startError } }

    /// The settings, which are read once in the lifetime of the process.
    var settings: BehaviorSettings {
        state.withLock { state in
            if let settings = state.settings { return settings }
            // An unreadable property list must not end the app: all settings then have their defaults.
            let settings =
                (try? BehaviorSettings(propertyList: state.services.settings())) ?? BehaviorSettings()
            state.settings = settings
            return settings
        }
    }

    /// The user's identities; available without a session.
    var identities: EngageIdentities {
        state.withLock { state in
            if let identities = state.identities { return identities }
            let identities = EngageIdentities(folder: state.services.folder ?? Self.defaultFolder)
            state.identities = identities
            return identities
        }
    }

    /// Registers a plug-in; a plug-in that is registered after the start is not used.
    func register(_ plugin: any UBFAugmentationPlugin) { state.withLock { $0.plugins.append(plugin) } }

    /// Registers a handler of links, before or after the start.
    func register(_ name: String, _ handler: @escaping DeepLinkHandler) {
        let engine = state.withLock { state in
            state.handlers[name] = handler
            return state.engine
        }
        engine?.behaviors.registerLinkHandler(name, handler)
    }

    /// Starts to open the session with credentials; a second start does nothing.
    func start(_ credentials: EngageCredentials) {
        let (settings, identities) = (settings, identities)
        let start = state.withLock { state -> (SerialQueue, State)? in
            guard state.queue == nil else { return nil }
            let queue = SerialQueue()
            (state.queue, state.startError) = (queue, nil)
            state.managers = Managers(ubf: UBFManager(runtime: self), xmlapi: XMLAPIManager(runtime: self))
            return (queue, state)
        }
        guard let (queue, state) = start else { return }
        queue.add { [self] in
            do {
                let engine = try await EngageEngine.open(
                    credentials, services: state.services, settings: settings, identities: identities,
                    plugins: state.plugins, folder: state.services.folder ?? Self.defaultFolder)
                opened(engine, for: queue)
            } catch {
                self.state.withLock { $0.startError = EngageConfigException(error) }
            }
        }
    }

    func failed(_ error: EngageConfigException) { state.withLock { $0.startError = error } }

    /// Calls `body` with the session, after all earlier calls have run; `failed` when the session could not be opened.
    func perform(
        _ body: @escaping @Sendable (EngageEngine) async -> Void,
        failed: @escaping @Sendable (any Error) async -> Void = { _ in }
    ) {
        guard let queue = state.withLock({ $0.queue }) else { return }
        queue.add { [self] in
            if let engine { await body(engine) } else { await failed(startError ?? .notStarted) }
        }
    }

    /// Returns when all earlier calls have run.
    package func settled() async {
        guard let queue = state.withLock({ $0.queue }) else { return }
        await queue.settled()
    }

    private func opened(_ engine: EngageEngine, for queue: SerialQueue) {
        let handlers = state.withLock { state -> [String: DeepLinkHandler] in
            // The services were replaced in the meantime, and this session is not used.
            guard state.queue === queue else { return [:] }
            state.engine = engine
            return state.handlers
        }
        for (name, handler) in handlers { engine.behaviors.registerLinkHandler(name, handler) }
    }

    private static var defaultFolder: URL {
        SessionConfiguration.supportFolder("InlayEngage")
    }
}
