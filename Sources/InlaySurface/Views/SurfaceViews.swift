import InlayWire

/// Names one view among those that are connected to a surface.
package struct SurfaceViewID: Hashable, Sendable {
    fileprivate let number: Int
}

/// The views that are connected to a surface: the settings of their devices, and the frame that each shows.
///
/// `State` is what a feature keeps for each view besides.
package struct SurfaceViews<State: Sendable>: Sendable {
    /// One view.
    package struct View: Sendable {
        /// The connection to the page.
        package let link: SurfaceLink
        /// The settings of the device.
        package fileprivate(set) var environment: SurfaceEnvironment
        /// The feature's own state.
        package var state: State

        /// Asks for another drawing.
        fileprivate let redraw: AsyncStream<Void>.Continuation
        /// The frame that the page shows; `nil` before the first drawing and after the page was loaded anew.
        fileprivate var frame: SurfaceFrame?
        fileprivate var sentMessages = 0
    }

    private var views: [SurfaceViewID: View] = [:]
    private var lastNumber = 0
    private let initialState: State

    /// No views yet.
    package init(state: State) { initialState = state }

    /// Whether no view is connected.
    package var isEmpty: Bool { views.isEmpty }

    /// A view; `nil` after it is gone.
    package subscript(id: SurfaceViewID) -> View? { views[id] }

    /// Changes the feature's own state of a view; does nothing after it is gone.
    package mutating func changeState(of id: SurfaceViewID, _ change: (inout State) -> Void) {
        guard var view = views[id] else { return }
        change(&view.state)
        views[id] = view
    }

    /// Asks for another drawing of every view.
    package func redraw() { views.values.forEach { $0.redraw.yield() } }

    /// Asks for another drawing of one view.
    package func redraw(_ id: SurfaceViewID) { views[id]?.redraw.yield() }

    /// Adds a view, and asks for its first drawing. The stream asks for each drawing, and ends with the view.
    mutating func open(_ link: SurfaceLink) -> (id: SurfaceViewID, redraws: AsyncStream<Void>) {
        // Any number of changes between two drawings is one drawing.
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

    /// Takes the settings of a view's device from a message of kind `ready` or `environment`.
    mutating func update(_ id: SurfaceViewID, from message: SurfaceMessage) {
        // A page that was loaded again shows nothing, whatever was sent to the one before.
        if message.kind == SurfaceMessage.Kind.ready { views[id]?.frame = nil }
        views[id]?.environment = SurfaceEnvironment(payload: message.payload)
    }

    /// Remembers the frame that a view shows from now on; returns the patch that leads to it, `nil` without a change.
    mutating func show(_ frame: SurfaceFrame, in id: SurfaceViewID) -> SurfacePatch? {
        guard let view = views[id] else { return nil }
        let patch = SurfacePatch.between(view.frame, frame)
        views[id]?.frame = frame
        return patch.isEmpty ? nil : patch
    }

    /// The id of the next message to a view, unique among those to it.
    mutating func nextMessageID(of id: SurfaceViewID) -> String {
        views[id]?.sentMessages += 1
        return String(views[id]?.sentMessages ?? 0)
    }
}
