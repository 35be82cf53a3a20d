package import InlayWire

/// A surface that is drawn as frames.
///
/// `serve(_:alongside:)` does the common work: it draws a view on request, sends only what changed, and forwards its
/// events.
package protocol FrameSurface: Actor, Surface {
    /// The feature's own state of a view.
    associatedtype ViewState: Sendable

    /// The connected views.
    var views: SurfaceViews<ViewState> { get set }

    /// Returns the frame of the surface for one view; `nil` while there is nothing to show.
    func frame(for view: SurfaceViews<ViewState>.View) async throws -> SurfaceFrame?

    /// Called before the first message of a view is handled.
    func viewOpened(_ id: SurfaceViewID) async

    /// Handles a message of kind `event`. An unknown event, or one about an element that is not on screen, has no
    /// effect.
    func act(on message: SurfaceMessage, from id: SurfaceViewID) async -> FrameSurfaceRedraw

    /// Called when the last view was closed.
    func lastViewClosed()

    /// Writes to the session's log.
    func log(_ text: String)
}

/// The views that are redrawn after an event.
package enum FrameSurfaceRedraw: Sendable {
    case all, sender, none
}

extension FrameSurface {
    /// By default, does nothing.
    package func lastViewClosed() {}

    /// By default, does nothing.
    package func viewOpened(_ id: SurfaceViewID) async {}

    /// Serves one view, and runs `work` in parallel, until the view's events end or the task is cancelled.
    package func serve(
        _ link: SurfaceLink, alongside work: @escaping @Sendable (SurfaceViewID) async -> Void
    ) async {
        let (id, redraws) = views.open(link)
        await withTaskGroup { group in
            group.addTask { for await _ in redraws { await self.draw(id) } }
            group.addTask { await work(id) }
            group.addTask {
                await self.viewOpened(id)
                for await message in link.events { await self.received(message, from: id) }
                // The view was closed, so its other tasks are cancelled.
                await self.close(id)
            }
            for await _ in group where views[id] == nil { group.cancelAll() }
        }
        close(id)
    }

    /// Sends a message to one view.
    package func send(_ kind: String, _ payload: JSONValue, to id: SurfaceViewID) async {
        guard let view = views[id] else { return }
        let message = SurfaceMessage(
            surface: name, kind: kind, id: views.nextMessageID(of: id), payload: payload)
        await view.link.send(message)
    }

    /// Asks the page of one view to open a URL outside of the surface.
    package func navigate(to address: String, in id: SurfaceViewID) async {
        await send(SurfaceMessage.Kind.navigate, ["url": .string(address)], to: id)
    }

    private func close(_ id: SurfaceViewID) {
        if views.close(id), views.isEmpty { lastViewClosed() }
    }

    private func draw(_ id: SurfaceViewID) async {
        guard let view = views[id] else { return }
        do {
            guard let frame = try await frame(for: view), let patch = views.show(frame, in: id) else {
                return
            }
            await send(SurfaceMessage.Kind.patch, patch.payload, to: id)
        } catch {
            log("\(name): could not be drawn: \(error)")
        }
    }

    private func received(_ message: SurfaceMessage, from id: SurfaceViewID) async {
        switch message.kind {
        case SurfaceMessage.Kind.ready, SurfaceMessage.Kind.environment:
            views.update(id, from: message)
            views.redraw(id)
        default:
            switch await act(on: message, from: id) {
            case .all: views.redraw()
            case .sender: views.redraw(id)
            case .none: break
            }
        }
    }
}
