public import InlayCore
@_spi(Inlay) public import InlayWire
import Foundation

extension InlaySession {
    /// The ads of this session.
    public var ads: Ads { feature(Ads.self) { Ads($0) } }
}

/// The ads of a session, which the exchange returns for the placements of the app.
///
/// ```swift
/// try session.ads.initialize(publisherID: "…")
/// let banner = session.ads.placement(unitID: "…", format: .banner, size: AdSize(width: 320, height: 50))
/// try await banner.load()
/// try banner.show()
/// ```
/// A surface draws the ad and handles touches, see `AdPlacement.current`. The SDK itself calls the trackers of views,
/// clicks and all other events; a call that waits survives a crash of the app.
public final class Ads: Sendable {
    let session: SessionContext
    let trackerQueue: AdTrackerQueue
    let mediaFileMemory = MediaFileMemory()
    private let setup = Locked<Setup?>(nil)
    private let placements = Locked<[WeakPlacement]>([])

    private struct Setup: Sendable {
        let publisherID: String
        let context: AdRequestContext
    }

    private struct WeakPlacement: Sendable {
        weak var placement: AdPlacement?
    }

    init(_ session: SessionContext) {
        self.session = session
        trackerQueue = AdTrackerQueue(session)
        let placements = placements
        // Before the log-out, because the trackers of closing need the session.
        session.beforeLogOut {
            for entry in placements.withLock({ $0 }) { await entry.placement?.end() }
        }
        session.onRelease {
            for entry in placements.withLock({ $0 }) { entry.placement?.release() }
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
        let context = AdRequestContext(configuration, work: session.work)
        setup.withLock { $0 = Setup(publisherID: publisherID, context: context) }
        context.refresh()
    }

    /// Whether `initialize` has set a publisher.
    public var isInitialized: Bool { setup.withLock { $0 != nil } }

    /// Creates a placement for an ad unit. Each call creates another one, which ends when the app releases it.
    ///
    /// - Parameters:
    ///   - unitID: the UUID of the ad unit in the Workbench.
    ///   - format: the format that the app expects, a hint.
    ///   - size: the space that the app has, in points, a hint.
    public func placement(unitID: String, format: AdFormat? = nil, size: AdSize? = nil) -> AdPlacement {
        let placement = AdPlacement(self, unitID: unitID, format: format, size: size)
        placements.withLock { placements in
            placements.removeAll { $0.placement == nil }
            placements.append(WeakPlacement(placement: placement))
        }
        return placement
    }

    /// The statistics since the session began of the advertisers' addresses that came with http.
    public var addressStatistics: Ads.AddressStatistics { trackerQueue.counter.statistics }

    /// The values of device and app for requests; `nil` before `initialize`.
    var requestContext: AdRequestContext? { setup.withLock { $0?.context } }

    /// The advertising id that the next request would carry, for tests of facades.
    package var knownIdentifier: String? { requestContext?.identifier.value }

    /// The opener of links.
    var links: any AdLinkOpener { requestContext?.configuration.links ?? SystemAdLinks() }

    /// Requests an ad and returns it when it can be shown without a network.
    func bid(unitID: String, format: AdFormat?, size: AdSize?) async throws(AdError) -> AdBid {
        guard let setup = setup.withLock({ $0 }) else { throw .notInitialized }
        guard session.isActive else { throw .loggedOut }
        guard UUID(uuidString: unitID) != nil else { throw .invalidUnit(unitID) }
        let request = setup.context.request(
            publisher: setup.publisherID, unit: unitID, format: format, size: size)
        // The new values are for the next request; this one does not wait for them.
        setup.context.refresh()
        let response = try await AdExchangeCall(session, setup.context.configuration).ask(request)
        return try await AdBidReader(self, setup.context.configuration).bid(response, format: format)
    }

    private func setUserAgent() {
        trackerQueue.userAgent.withLock { $0 = { [weak self] in self?.requestContext?.userAgent } }
    }
}
