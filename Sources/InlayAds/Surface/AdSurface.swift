@_spi(Inlay) public import InlayAdsView
@_spi(Inlay) public import InlaySurface
import Foundation
import InlayCore
@_spi(Inlay) import InlayWire

/// An ad place on screen: draws the ad that is shown, and reports to the place what was seen, played and pressed.
///
/// Make one for each place and give it to a host. While nothing is shown it is empty. Several pages may show it
/// at once; whatever counts, counts once.
public actor AdSurface: Surface, FrameSurface {
    /// `ads/` and the name of the ad's place in the app, for example.
    public nonisolated let name: String
    public nonisolated let assets = SurfaceAssets.ads
    let placement: AdPlacement
    private let appearance: AdAppearance
    private let renderer: SurfaceRenderer
    private let session: SessionContext

    package var views = SurfaceViews(state: ())
    /// The ad whose video is over.
    var over: Int?
    /// The ad whose end card was seen.
    var seenCard: Int?
    /// The ad whose mark was seen.
    var seenIcon: Int?
    /// The page of a click, where there is no browser, and the ad it belongs to.
    var landing: (page: AdScreen.Landing, show: AdShow)?
    private var landings = 0

    /// A surface for an ad place.
    ///
    /// - Parameters:
    ///   - name: unique among the surfaces of a host.
    ///   - appearance: texts and colours of the app's own for what is not the ad.
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
        // Before the first drawing: what happens in between is then drawn too.
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

    /// Goes where a tap leads. On its own: a browser that opens slowly must not hold up the close button.
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
