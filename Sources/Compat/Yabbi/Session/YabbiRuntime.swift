internal import Foundation
@_spi(Inlay) package import InlayAds
@_spi(Inlay) package import InlayCore
internal import InlayWire
@_spi(Inlay) import InlayWire

/// Holds the one session that the static calls need, and the ad places by their names.
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
    /// The app's calls, in their order.
    private let calls = SerialQueue()
    private var opening: Task<InlaySession, any Error>?
    /// Whether `initialize` was called with something that can be a publisher.
    var isAsked = false
    private(set) var publisherID: String?
    /// The settings of the last initialization.
    private var terms: InitializationSettings?
    private var places: [PlacementKey: YabbiPlacement] = [:]

    private struct InitializationSettings: Hashable {
        let publisherID: String
        let server: URL?
        let storeID: String?
        let sendsPlace: Bool
    }

    private struct PlacementKey: Hashable {
        let type: YabbiAdType
        let name: String
    }

    package init() {}

    /// Replaces the services, as if the app had been started anew.
    package func use(_ services: YabbiServices) async {
        await settled()
        places.values.forEach { $0.placement.destroy() }
        places = [:]
        let old = opening
        (isAsked, debugLevel) = (false, 0)
        (opening, publisherID, server, self.services) = (nil, nil, nil, services)
        terms = nil
        (interstitialDelegate, rewardedDelegate, bannerDelegate) = (nil, nil, nil)
        customParams = [:]
        banner.updateShowCloseButton(false).updateRefreshIntervalSeconds(0)
        consent.reset()
        locations.withLock { $0 = true }
        (try? await old?.value)?.work.end()
    }

    /// Remembers the publisher and opens the session; the same publisher again changes nothing.
    func initialize(_ publisherID: String) async throws {
        guard UUID(uuidString: publisherID) != nil else { throw AdError.invalidPublisher(publisherID) }
        self.publisherID = publisherID
        let session = try await session()
        let terms = InitializationSettings(
            publisherID: publisherID, server: server ?? services.server(),
            storeID: customParams["appStoreAppID"], sendsPlace: locations.withLock { $0 })
        // Containers say it before each load; a new set-up would know neither id, place nor user agent yet.
        guard terms != self.terms || !session.ads.isInitialized else { return }
        try session.ads.initialize(publisherID: publisherID, configuration)
        self.terms = terms
    }

    /// The one session, opened when it is first needed.
    package func session() async throws -> InlaySession {
        if let opening { return try await opening.value }
        guard let base = server ?? services.server() else {
            throw AdError.network("Where the ad server is: put YabbiServerURL into Info.plist.")
        }
        let (services, folder, level) = (services, folder, debugLevel)
        // Ends when the session is open.
        let task = Task {
            // Environment and key are for our own routes; the documented one has neither.
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

    /// The ad place of a type and a name, if it was loaded before.
    package func place(_ type: YabbiAdType, _ name: String) -> AdPlacement? {
        places[PlacementKey(type: type, name: name)]?.placement
    }

    /// The session, if it was opened; never opens it.
    var openSession: InlaySession? { get async { try? await opening?.value } }

    /// The place with its delegate, if it was loaded before.
    func knownPlace(_ type: YabbiAdType, _ name: String) -> YabbiPlacement? {
        places[PlacementKey(type: type, name: name)]
    }

    /// The same, made when it is new.
    func openPlace(_ type: YabbiAdType, _ name: String) async throws -> YabbiPlacement {
        guard publisherID != nil else { throw AdError.notInitialized }
        let key = PlacementKey(type: type, name: name)
        let session = try await session()
        if let known = places[key] { return known }
        let placement = session.ads.placement(unitID: name, format: type.format)
        let place = YabbiPlacement(type, name, placement, host: self)
        places[key] = place
        return place
    }

    /// Forgets an ad place, or all of a type.
    func destroy(_ type: YabbiAdType, _ name: String?) {
        for (key, place) in places where key.type == type && (name == nil || key.name == name) {
            place.placement.destroy()
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

/// The calls of an app, in their order.
extension YabbiRuntime {
    /// Does one thing after the other: a load that was asked for right after `initialize` finds it done.
    func add(_ job: @escaping @MainActor @Sendable (YabbiRuntime) async -> Void) {
        calls.addOnMainActor { [weak self] in
            guard let self else { return }
            await job(self)
        }
    }

    /// Returns when everything that was asked for so far has been taken up.
    package func settled() async { await calls.settled() }

    /// Turns the debug log on or off.
    func setDebug(_ isOn: Bool) {
        debugLevel = isOn ? 3 : 0
        let level = debugLevel
        add { host in await host.openSession?.setDebugLevel(level) }
    }

    /// The refresh interval that the app set for its banners.
    var refreshInterval: Duration? { banner.refreshSeconds > 0 ? .seconds(banner.refreshSeconds) : nil }
}
