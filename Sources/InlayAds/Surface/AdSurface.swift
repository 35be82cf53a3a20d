public import InlaySurface
import Foundation
import InlayCore
import InlayWire

/// An ad place on screen: draws the ad that is shown, and tells the place what was seen, played and pressed.
///
/// Make one for each place and give it to a host. While nothing is shown it is empty. Several pages may show it
/// at once; whatever counts, counts once.
public actor AdSurface: Surface {
    /// `ads/` and the name of the ad's place in the app, for example.
    public nonisolated let name: String
    let placement: AdPlacement
    private let look: AdLook
    private let renderer: SurfaceRenderer
    private let session: SessionContext

    private var views: [Int: AdViewPort] = [:]
    private var nextID = 0
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
    ///   - look: words and colours of the app's own for what is not the ad.
    /// - Throws: `SurfaceRenderer.Failure` when the module's resources are missing.
    public init(_ placement: AdPlacement, name: String = "ads", look: AdLook = AdLook()) throws {
        self.name = name
        self.placement = placement
        self.look = look
        session = placement.ads.session
        renderer = try SurfaceRenderer.load()
    }

    /// Serves one view until its events end or the task is cancelled.
    public func run(_ link: SurfaceLink) async {
        // Before the first drawing: what happens in between is then drawn too.
        let changes = placement.events
        let (id, redraws) = enter(link)
        await withTaskGroup { group in
            group.addTask { for await _ in redraws { await self.draw(id) } }
            group.addTask { for await _ in changes { await self.redraw() } }
            group.addTask {
                for await message in link.events { await self.received(message, from: id) }
                // The view is gone; the other tasks have nobody to work for.
                await self.leave(id)
            }
            for await _ in group where views[id] == nil { group.cancelAll() }
        }
        leave(id)
    }

    // MARK: Views

    private func enter(_ link: SurfaceLink) -> (Int, AsyncStream<Void>) {
        // Any number of changes between two drawings is one drawing.
        let (redraws, redraw) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        nextID += 1
        views[nextID] = AdViewPort(link: link, redraw: redraw)
        redraw.yield()
        return (nextID, redraws)
    }

    private func leave(_ id: Int) {
        views.removeValue(forKey: id)?.redraw.finish()
    }

    func redraw() { views.values.forEach { $0.redraw.yield() } }

    private func draw(_ id: Int) async {
        guard let view = views[id] else { return }
        do {
            let frame = try AdPresenter.present(
                screen, look, environment: view.environment, content: view.link.content,
                sdkVersion: SDKIdentity.version
            ).frame(renderer)
            let patch = SurfacePatch.between(view.frame, frame)
            views[id]?.frame = frame
            guard !patch.isEmpty else { return }
            let message = SurfaceMessage(
                surface: name, kind: SurfaceMessage.Kind.patch,
                id: UUIDv7.make(at: session.serverClock.now()),
                payload: patch.payload)
            await view.link.send(message)
        } catch {
            session.log.operation("ads: could not be drawn: \(error)")
        }
    }

    /// Reads a message of a page; one that is no event only asks for another drawing.
    private func received(_ message: SurfaceMessage, from id: Int) async {
        switch message.kind {
        case SurfaceMessage.Kind.ready:
            // A page that was loaded again shows nothing, whatever was sent to the one before.
            views[id]?.frame = nil
            views[id]?.environment = SurfaceEnvironment(payload: message.payload)
        case SurfaceMessage.Kind.environment:
            views[id]?.environment = SurfaceEnvironment(payload: message.payload)
        default:
            guard let (event, ad) = AdViewEvent.read(message) else { return }
            await act(on: event, of: ad)
        }
        redraw()
    }

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

/// One view that shows an ad: how its device is set, and what it shows.
private struct AdViewPort: Sendable {
    let link: SurfaceLink
    /// Asks for another drawing.
    let redraw: AsyncStream<Void>.Continuation
    var environment: SurfaceEnvironment
    /// What the page shows now; `nil` before the first drawing and after the page was loaded anew.
    var frame: SurfaceFrame?

    init(link: SurfaceLink, redraw: AsyncStream<Void>.Continuation) {
        self.link = link
        self.redraw = redraw
        environment = link.environment
    }
}
