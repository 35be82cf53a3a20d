@_spi(Inlay) public import InlayAdsView
@_spi(Inlay) public import InlaySurface
import Foundation
import InlayCore
@_spi(Inlay) import InlayWire

/// The surface of an ad placement: draws its ad and reports to the placement what was on screen, played and tapped.
///
/// Create one surface for each placement and pass it to a host. It is empty while no ad is shown. Several pages may
/// show the surface at once; events that count once are still counted once.
public actor AdSurface: Surface, FrameSurface {
    /// The name of the surface, for example `ads/` and the name of the placement in the app.
    public nonisolated let name: String
    public nonisolated let assets = SurfaceAssets.ads
    let placement: AdPlacement
    private let appearance: AdAppearance
    private let renderer: SurfaceRenderer
    private let session: SessionContext

    package var views = SurfaceViews(state: ())
    /// The id of the ad whose video is over.
    var endedVideoAdID: Int?
    /// The id of the ad whose end card was on screen.
    var shownEndCardAdID: Int?
    /// The id of the ad whose icon was on screen.
    var shownIconAdID: Int?
    /// The landing page that is shown because there is no browser, and its ad.
    var landing: (page: AdScreen.Landing, show: AdShow)?
    private var landings = 0

    /// Creates the surface of a placement.
    ///
    /// - Parameters:
    ///   - name: the name, which has to be unique among the surfaces of a host.
    ///   - appearance: the app's texts and colours for what surrounds the ad.
    /// - Throws: `SurfaceRenderer.Failure` when the module's resources are missing.
    public init(_ placement: AdPlacement, name: String = "ads", appearance: AdAppearance = AdAppearance())
        throws
    {
        self.name = name
        self.placement = placement
        self.appearance = appearance
        session = placement.ads.session
        renderer = try assets.renderer()
    }

    /// Serves one view until its events end or the task is cancelled.
    public func run(_ link: SurfaceLink) async {
        // Observes before the first drawing, so that no event in between is missed.
        let changes = placement.events
        await serve(link) { _ in for await _ in changes { await self.redraw() } }
    }

    // MARK: Views

    package func frame(for view: SurfaceViews<Void>.View) throws -> SurfaceFrame? {
        try AdPresenter.present(
            screen, appearance, environment: view.environment, content: view.link.content,
            sdkVersion: SDKIdentity.version
        ).frame(renderer)
    }

    package func act(on message: SurfaceMessage, from id: SurfaceViewID) async -> FrameSurfaceRedraw {
        guard let (event, ad) = AdViewEvent.read(message) else { return .none }
        await act(on: event, of: ad)
        return .all
    }

    package func log(_ text: String) { session.log.operation(text) }

    func redraw() { views.redraw() }

    // MARK: Clicks

    /// Opens a link in a task of its own, because a browser that opens slowly must not delay the close button.
    func follow(_ address: String, of show: AdShow, isClick: Bool = true) {
        show.touched()
        session.work.start { [weak self] in
            let decision = await show.tapped(address, isClick: isClick)
            await self?.followed(decision, of: show)
        }
    }

    private func followed(_ decision: AdLinkDecision, of show: AdShow) {
        switch decision {
        case .opened: break
        case .refused(let reason): session.log.operation("ads: a link was refused: \(reason)")
        case .show(let page):
            landings += 1
            landing = (AdScreen.Landing(path: AdPath.landing(landings), address: page.absoluteString), show)
            redraw()
        }
    }

    func leaveLanding() {
        landing?.show.linkClosed()
        landing = nil
    }
}
