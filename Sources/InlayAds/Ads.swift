public import InlayCore
@_spi(Inlay) public import InlayWire
import Foundation

extension InlaySession {
    /// The ads of this session.
    public var ads: Ads { feature(Ads.self) { Ads($0) } }
}

/// Ads: places in the app that the exchange fills.
///
/// ```swift
/// try session.ads.initialize(publisherID: "…")
/// let banner = session.ads.placement(unitID: "…", format: .banner, size: AdSize(width: 320, height: 50))
/// try await banner.load()
/// try banner.show()
/// ```
/// A surface draws the ad and handles touches, see `AdPlacement.current`. The SDK itself sends views, clicks and all
/// other trackers, and they survive a crash of the app.
public final class Ads: Sendable {
    let session: SessionContext
    let trackerQueue: AdTrackerQueue
    let mediaFileCache = MediaFileCache()
    private let setup = Locked<Setup?>(nil)
    private let places = Locked<[WeakPlacement]>([])

    private struct Setup: Sendable {
        let publisherID: String
        let facts: AdRequestContext
    }

    private struct WeakPlacement: Sendable {
        weak var placement: AdPlacement?
    }

    init(_ session: SessionContext) {
        self.session = session
        trackerQueue = AdTrackerQueue(session)
        let places = places
        // The events of closing are sent with the others.
        session.beforeLogOut {
            for place in places.withLock({ $0 }) { await place.placement?.end() }
        }
        session.onRelease {
            for place in places.withLock({ $0 }) { place.placement?.release() }
        }
        setUserAgent()
    }

    /// Sets the publisher and the app's configuration of ads. Sends no request and asks the user nothing.
    ///
    /// May be called again; later loads use the new values.
    ///
    /// - Throws: `AdError.invalidPublisher` when the id is not the UUID that the Workbench shows,
    ///   `AdError.loggedOut`.
    public func initialize(
        publisherID: String, _ configuration: AdsConfiguration = AdsConfiguration()
    ) throws(AdError) {
        guard session.isActive else { throw .loggedOut }
        guard UUID(uuidString: publisherID) != nil else { throw .invalidPublisher(publisherID) }
        let facts = AdRequestContext(configuration, work: session.work)
        setup.withLock { $0 = Setup(publisherID: publisherID, facts: facts) }
        facts.refresh()
    }

    /// Whether a publisher is known.
    public var isInitialized: Bool { setup.withLock { $0 != nil } }

    /// An ad place; every call makes one of its own, and it lives as long as the app keeps it.
    ///
    /// - Parameters:
    ///   - unitID: the UUID of the ad place in the Workbench.
    ///   - format: what the app means to show, a hint.
    ///   - size: the space that the app has, in points, a hint.
    public func placement(unitID: String, format: AdFormat? = nil, size: AdSize? = nil) -> AdPlacement {
        let placement = AdPlacement(self, unitID: unitID, format: format, size: size)
        places.withLock { places in
            places.removeAll { $0.placement == nil }
            places.append(WeakPlacement(placement: placement))
        }
        return placement
    }

    /// The outcomes of the addresses that advertisers named with http, since the session began.
    public var addressStatistics: Ads.AddressStatistics { trackerQueue.counter.statistics }

    /// The facts of device and app; `nil` before `initialize`.
    var facts: AdRequestContext? { setup.withLock { $0?.facts } }

    /// The advertising id that the next request would carry, for tests of facades.
    package var knownIdentifier: String? { facts?.identifier.value }

    /// The opener of links.
    var links: any AdLinkOpener { facts?.configuration.links ?? SystemAdLinks() }

    /// Asks for an ad.
    func bid(unitID: String, format: AdFormat?, size: AdSize?) async throws(AdError) -> AdBid {
        guard let setup = setup.withLock({ $0 }) else { throw .notInitialized }
        guard session.isActive else { throw .loggedOut }
        guard UUID(uuidString: unitID) != nil else { throw .invalidUnit(unitID) }
        let request = setup.facts.request(
            publisher: setup.publisherID, unit: unitID, format: format, size: size)
        // For the next one: this one does not wait.
        setup.facts.refresh()
        let answer = try await AdExchangeCall(session, setup.facts.configuration).ask(request)
        return try await AdBidReader(self, setup.facts.configuration).bid(answer, format: format)
    }

    private func setUserAgent() {
        trackerQueue.userAgent.withLock { $0 = { [weak self] in self?.facts?.userAgent } }
    }
}
