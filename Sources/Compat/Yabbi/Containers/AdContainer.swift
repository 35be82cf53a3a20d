internal import Foundation
@_spi(Inlay) package import InlayAds
internal import InlayPlatform

/// The behavior that both kinds of container share.
@MainActor public class AdContainer {
    private let publisherID: String
    private let unitID: String
    private weak var controller: UIViewController?
    private let type: YabbiAdType
    /// The placement of the loaded ad, for hosts; `nil` before the first load.
    package private(set) var placement: AdPlacement?
    private var events: (any AdEvents)?
    private var isLoading = false

    init(_ type: YabbiAdType, publisherId: String, unitId: String, controller: UIViewController?) {
        (self.type, publisherID, unitID, self.controller) = (type, publisherId, unitId, controller)
    }

    /// Whether an ad is loaded and not shown yet.
    public var isLoaded: Bool { placement?.state == .ready }

    /// Loads an ad. `adEvents` receives the events, and is retained until the next load.
    ///
    /// - Throws: `YabbiAdsException` when an id is no UUID, or an ad is being loaded or shown.
    public func load(adEvents: any AdEvents) throws {
        guard UUID(uuidString: publisherID) != nil else {
            throw YabbiAdsException(.invalidPublisher(publisherID))
        }
        guard UUID(uuidString: unitID) != nil else { throw YabbiAdsException(.invalidUnit(unitID)) }
        guard !isLoading, placement?.state.isDisplayed != true else { throw YabbiAdsException(.busy) }
        (events, isLoading) = (adEvents, true)
        YabbiRuntime.shared.add { [weak self] runtime in await self?.load(runtime) }
    }

    /// Shows the loaded ad.
    ///
    /// - Throws: `YabbiAdsException` when nothing is loaded, or this ad was shown already.
    public func show() throws {
        guard let placement else { throw YabbiAdsException(.notLoaded) }
        do throws(AdError) { try placement.show() } catch { throw YabbiAdsException(error) }
    }

    /// Sets whether ad requests contain the location; they do by default. The SDK never asks the user for permission.
    public func setAlwaysRequestLocation(isEnabled: Bool) {
        YabbiRuntime.shared.locations.withLock { $0 = isEnabled }
    }

    private func load(_ runtime: YabbiRuntime) async {
        do {
            try await runtime.initialize(publisherID)
            let placement = if let known = self.placement { known } else { try await open(runtime) }
            isLoading = try placement.beginLoad()
        } catch {
            isLoading = false
            events?.onFail(error: YabbiAdsException(error as? AdError ?? .network("\(error)")))
        }
    }

    private func open(_ runtime: YabbiRuntime) async throws -> AdPlacement {
        let made = try await runtime.session().ads.placement(unitID: unitID, format: type.format)
        placement = made
        let handle = made.events
        // Ends with the placement, or with this container.
        Task { [weak self] in
            for await event in handle {
                guard let self else { return }
                self.handle(event)
            }
            // The placement has ended and sends no further event.
            self?.isLoading = false
        }
        return made
    }

    private func handle(_ event: AdEvent) {
        switch event {
        case .loaded:
            isLoading = false
            events?.onLoad()
        case .loadFailed(let error):
            // Reset before the callback, because the app may load again from there.
            isLoading = false
            events?.onFail(error: YabbiAdsException(error))
        case .showFailed(let error): events?.onFail(error: YabbiAdsException(error))
        case .destroyed: isLoading = false
        case .shown: events?.onShow()
        case .video(.complete): events?.onComplete()
        case .closed: events?.onClose()
        default: break
        }
    }
}
