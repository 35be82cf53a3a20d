public import Foundation
public import InlaySurface
import InlayCore
import InlayLight
import InlayWire

/// A set-up on screen: shows where it is and knows what a person's events mean.
///
/// Several views may show it at once. The square flashes only in the one in which it was started.
public actor DeviceSetupSurface: Surface {
    public nonisolated let name: String
    /// How it is shown; hosts read presentation and status bar here.
    public nonisolated let look: SetupLook
    private let setup: any DeviceSetupReading
    private let logo: SurfaceContent?
    private let renderer: SurfaceRenderer
    private var views: [Int: SetupViewPort] = [:]
    private var nextID = 0

    /// A surface for a set-up, which starts when its first view connects.
    ///
    /// - Parameter logo: PNG, JPEG or SVG bytes of at most 1 MiB, shown as the first screen when the set-up's
    ///   options say so.
    /// - Throws: `SurfaceRenderer.Failure` when the module's resources are missing.
    public init(
        _ setup: DeviceSetup, name: String = "setup", look: SetupLook = SetupLook(), logo: Data? = nil
    ) throws {
        try self.init(reading: setup, name: name, look: look, logo: logo)
    }

    /// One screen that stands still, for those who choose words and colours; nothing on it does anything.
    ///
    /// - Throws: `SurfaceRenderer.Failure` when the module's resources are missing.
    public init(
        previewing screen: SetupScreen, name: String = "setup", look: SetupLook = SetupLook(),
        logo: Data? = nil
    ) throws {
        try self.init(reading: StillSetup(still: screen), name: name, look: look, logo: logo)
    }

    /// A surface over anything that goes through the screens.
    package init(
        reading setup: any DeviceSetupReading, name: String = "setup", look: SetupLook = SetupLook(),
        logo: Data? = nil
    ) throws {
        self.setup = setup
        self.name = name
        self.look = look
        self.logo = logo.flatMap(SetupLogo.content)
        renderer = try SurfaceRenderer.load()
    }

    /// Serves one view until its events end or the task is cancelled.
    public func run(_ link: SurfaceLink) async {
        let (redraws, redraw) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        nextID += 1
        let id = nextID
        views[id] = SetupViewPort(link: link, redraw: redraw)
        let setup = setup
        await withTaskGroup { group in
            group.addTask { for await _ in redraws { await self.draw(id) } }
            group.addTask {
                for await _ in setup.changes() { redraw.yield() }
                // The set-up is over: its last screen stays until the view goes.
                redraw.yield()
            }
            group.addTask {
                await setup.begin()
                for await message in link.events { await self.received(message, from: id) }
                // The view is gone; the other tasks have nobody to work for.
                await self.leave(id)
            }
            for await _ in group where views[id] == nil { group.cancelAll() }
        }
        leave(id)
    }

    /// The app's logo.
    public nonisolated func resource(_ path: String) async throws -> SurfaceContent {
        guard path == SetupPresenter.logoPath, let logo else { throw SurfaceContentMissing() }
        return logo
    }

    private func leave(_ id: Int) {
        guard let view = views.removeValue(forKey: id) else { return }
        view.redraw.finish()
    }

    private func draw(_ id: Int) async {
        guard let environment = views[id]?.environment, let content = views[id]?.link.content else { return }
        let screen = await setup.screen()
        do {
            let frame = try SetupPresenter.present(screen, look, environment: environment, content: content)
                .frame(renderer)
            guard let view = views[id] else { return }
            let patch = SurfacePatch.between(view.frame, frame)
            views[id]?.frame = frame
            guard !patch.isEmpty else { return }
            await view.link.send(
                SurfaceMessage(
                    surface: name, kind: SurfaceMessage.Kind.patch, id: UUID().uuidString,
                    payload: patch.payload))
        } catch {
            setup.log("setup: could not be drawn: \(error)")
        }
    }

    private func received(_ message: SurfaceMessage, from id: Int) async {
        switch message.kind {
        case SurfaceMessage.Kind.ready:
            // A page that was loaded again shows nothing, whatever was sent to the one before.
            views[id]?.frame = nil
            views[id]?.environment = SurfaceEnvironment(payload: message.payload)
        case SurfaceMessage.Kind.environment:
            views[id]?.environment = SurfaceEnvironment(payload: message.payload)
        default:
            guard let event = SetupViewEvent(message) else { return }
            let page = await setup.page(for: event)
            await setup.act(on: event)
            if let address = page {
                await views[id]?.link.send(
                    SurfaceMessage(
                        surface: name, kind: SurfaceMessage.Kind.navigate, id: UUID().uuidString,
                        payload: ["url": .string(address)]))
            }
        }
        views[id]?.redraw.yield()
    }
}

/// One view that shows a set-up: how its device is set, and what it shows.
private struct SetupViewPort: Sendable {
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
