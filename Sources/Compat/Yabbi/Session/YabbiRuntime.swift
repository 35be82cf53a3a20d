internal import Foundation
@_spi(Inlay) package import InlayAds
@_spi(Inlay) package import InlayCore
internal import InlayWire
@_spi(Inlay) import InlayWire

/// The owner of the single session behind the static calls, and of the ad placements by name.
@MainActor package final class YabbiRuntime {
    package static let shared = YabbiRuntime()

    private(set) var services = YabbiServices()
    let consent = YabbiConsent()
    let locations = Locked(true)
    var server: URL?
    var customParams: [String: String] = [:]
    let banner = BannerSettings()
    weak var interstitialDelegate: (any InterstitialDelegate)?
    weak var rewardedDelegate: (any RewardedDelegate)?
    weak var bannerDelegate: (any BannerDelegate)?
    var debugLevel = 0
    /// The queue that runs the app's calls in their order.
    private let calls = SerialQueue()
    private var opening: Task<InlaySession, any Error>?
    /// Whether `initialize` was called with a UUID as the publisher's id.
    var isAsked = false
    private(set) var publisherID: String?
    /// The settings of the last initialization.
    private var lastSettings: InitializationSettings?
    private var placements: [PlacementKey: YabbiPlacement] = [:]

    private struct InitializationSettings: Hashable {
        let publisherID: String
        let server: URL?
        let storeID: String?
        let sendsLocation: Bool
    }

    private struct PlacementKey: Hashable {
        let type: YabbiAdType
        let name: String
    }

    package init() {}

    /// Resets all state and replaces the services, so that a test begins like a new process.
    package func use(_ services: YabbiServices) async {
        await settled()
        placements.values.forEach { $0.adPlacement.destroy() }
        placements = [:]
        let old = opening
        (isAsked, debugLevel) = (false, 0)
        (opening, publisherID, server, self.services) = (nil, nil, nil, services)
        lastSettings = nil
        (interstitialDelegate, rewardedDelegate, bannerDelegate) = (nil, nil, nil)
        customParams = [:]
        banner.updateShowCloseButton(false).updateRefreshIntervalSeconds(0)
        consent.reset()
        locations.withLock { $0 = true }
        (try? await old?.value)?.work.end()
    }

    /// Stores the publisher, opens the session and initializes its ads; with unchanged settings it does nothing.
    func initialize(_ publisherID: String) async throws {
        guard UUID(uuidString: publisherID) != nil else { throw AdError.invalidPublisher(publisherID) }
        self.publisherID = publisherID
        let session = try await session()
        let settings = InitializationSettings(
            publisherID: publisherID, server: server ?? services.server(),
            storeID: customParams["appStoreAppID"], sendsLocation: locations.withLock { $0 })
        // Containers initialize before each load; a repeated initialization would discard the advertising id, the
        // location and the user agent.
        guard settings != lastSettings || !session.ads.isInitialized else { return }
        try session.ads.initialize(publisherID: publisherID, configuration)
        lastSettings = settings
    }

    /// Returns the session, which is opened on first use.
    package func session() async throws -> InlaySession {
        if let opening { return try await opening.value }
        guard let base = server ?? services.server() else {
            throw AdError.network("Where the ad server is: put YabbiServerURL into Info.plist.")
        }
        let (services, folder, level) = (services, folder, debugLevel)
        // Ends when the session is open.
        let task = Task {
            // Only Inlay's own routes use the environment and the key; the documented route has neither.
            let configuration = SessionConfiguration(
                environmentID: "ads", apiKey: "ads", baseURL: base, folder: folder)
            let session = try await InlaySession(
                configuration: configuration, transport: services.transport ?? URLSessionTransport(),
                clock: services.clock
            ) { InstallationToken.make(in: folder) }
            session.setDebugLevel(level)
            return session
        }
        opening = task
        do { return try await task.value } catch {
            opening = nil
            throw error
        }
    }

    /// Returns the ad placement of a type and a name; `nil` before its first load.
    package func adPlacement(_ type: YabbiAdType, _ name: String) -> AdPlacement? {
        placements[PlacementKey(type: type, name: name)]?.adPlacement
    }

    /// The session; `nil` unless it was opened. Never opens it.
    var openSession: InlaySession? { get async { try? await opening?.value } }

    /// Returns the facade's placement of a type and a name; `nil` before its first load.
    func placement(_ type: YabbiAdType, _ name: String) -> YabbiPlacement? {
        placements[PlacementKey(type: type, name: name)]
    }

    /// Returns the facade's placement of a type and a name, after creating it if necessary.
    func openPlacement(_ type: YabbiAdType, _ name: String) async throws -> YabbiPlacement {
        guard publisherID != nil else { throw AdError.notInitialized }
        let key = PlacementKey(type: type, name: name)
        let session = try await session()
        if let known = placements[key] { return known }
        let adPlacement = session.ads.placement(unitID: name, format: type.format)
        let placement = YabbiPlacement(type, name, adPlacement, runtime: self)
        placements[key] = placement
        return placement
    }

    /// Destroys the ad of one placement, or with `nil` the ads of all placements of a type.
    func destroy(_ type: YabbiAdType, _ name: String?) {
        for (key, placement) in placements where key.type == type && (name == nil || key.name == name) {
            placement.adPlacement.destroy()
        }
    }

    private var configuration: AdsConfiguration {
        var configuration = AdsConfiguration()
        configuration.app = services.app
        if let id = customParams["appStoreAppID"] { configuration.app.storeID = id }
        configuration.identifiers = services.identifiers
        configuration.locations = YabbiLocations(
            inner: services.locations, consent: consent, isOn: locations)
        configuration.userAgents = services.userAgents
        configuration.links = services.links
        configuration.consent = YabbiConsentSource(answer: consent)
        if let base = server ?? services.server() {
            configuration.source = .documented(
                APICall("POST", InlayPath.adRequestDocumented).url(below: base) ?? base)
        }
        return configuration
    }

    private var folder: URL {
        services.folder ?? SessionConfiguration.supportFolder("InlayYabbi")
    }
}

// The calls of an app, in their order.
extension YabbiRuntime {
    /// Adds a job that runs after all earlier ones, so that a load right after `initialize` runs when that has ended.
    func add(_ job: @escaping @MainActor @Sendable (YabbiRuntime) async -> Void) {
        calls.addOnMainActor { [weak self] in
            guard let self else { return }
            await job(self)
        }
    }

    /// Returns when all earlier calls have run.
    package func settled() async { await calls.settled() }

    /// Turns the debug log on or off.
    func setDebug(_ isOn: Bool) {
        debugLevel = isOn ? 3 : 0
        let level = debugLevel
        add { runtime in await runtime.openSession?.setDebugLevel(level) }
    }

    /// The refresh interval that the app has set for its banners; `nil` when it has set none.
    var refreshInterval: Duration? { banner.refreshSeconds > 0 ? .seconds(banner.refreshSeconds) : nil }
}
