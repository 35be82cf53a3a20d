import InlayWire

/// The id of a view among those that are connected to a surface.
package struct SurfaceViewID: Hashable, Sendable {
    fileprivate let number: Int
}

/// The views that are connected to a surface, each with the settings of its device and the frame that it shows.
///
/// `State` is the additional state that a feature has for each view.
package struct SurfaceViews<State: Sendable>: Sendable {
    /// One view.
    package struct View: Sendable {
        /// The connection to the page.
        package let link: SurfaceLink
        /// The settings of the device.
        package fileprivate(set) var environment: SurfaceEnvironment
        /// The feature's own state.
        package var state: State

        /// Requests a redraw of the view.
        fileprivate let redraw: AsyncStream<Void>.Continuation
        /// The frame that the page shows; `nil` before the first draw and after the page was reloaded.
        fileprivate var frame: SurfaceFrame?
        fileprivate var sentMessages = 0
    }

    private var views: [SurfaceViewID: View] = [:]
    private var lastNumber = 0
    private let initialState: State

    /// Creates an empty collection.
    package init(state: State) { initialState = state }

    /// Whether no view is connected.
    package var isEmpty: Bool { views.isEmpty }

    /// Returns a view; `nil` after it was closed.
    package subscript(id: SurfaceViewID) -> View? { views[id] }

    /// Changes the feature's own state of a view; does nothing after it was closed.
    package mutating func changeState(of id: SurfaceViewID, _ change: (inout State) -> Void) {
        guard var view = views[id] else { return }
        change(&view.state)
        views[id] = view
    }

    /// Requests a redraw of all views.
    package func redraw() { views.values.forEach { $0.redraw.yield() } }

    /// Requests a redraw of one view.
    package func redraw(_ id: SurfaceViewID) { views[id]?.redraw.yield() }

    /// Adds a view and requests its first draw. The stream has an element for each requested draw, and ends with the
    /// view.
    mutating func open(_ link: SurfaceLink) -> (id: SurfaceViewID, redraws: AsyncStream<Void>) {
        // All requests between two draws are merged into one.
        let (redraws, redraw) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        lastNumber += 1
        let id = SurfaceViewID(number: lastNumber)
        views[id] = View(link: link, environment: link.environment, state: initialState, redraw: redraw)
        redraw.yield()
        return (id, redraws)
    }

    /// Removes a view; returns whether it was there.
    mutating func close(_ id: SurfaceViewID) -> Bool {
        guard let view = views.removeValue(forKey: id) else { return false }
        view.redraw.finish()
        return true
    }

    /// Updates the settings of a view's device from a message of kind `ready` or `environment`.
    mutating func update(_ id: SurfaceViewID, from message: SurfaceMessage) {
        // A reloaded page is empty, whatever the previous one showed.
        if message.kind == SurfaceMessage.Kind.ready { views[id]?.frame = nil }
        views[id]?.environment = SurfaceEnvironment(payload: message.payload)
    }

    /// Stores the frame that a view shows from now on. Returns the patch from the previous one; `nil` without a change.
    mutating func show(_ frame: SurfaceFrame, in id: SurfaceViewID) -> SurfacePatch? {
        guard let view = views[id] else { return nil }
        let patch = SurfacePatch.between(view.frame, frame)
        views[id]?.frame = frame
        return patch.isEmpty ? nil : patch
    }

    /// Returns the id of the next message to a view, unique for that view.
    mutating func nextMessageID(of id: SurfaceViewID) -> String {
        views[id]?.sentMessages += 1
        return String(views[id]?.sentMessages ?? 0)
    }
}
