import InlaySurface

/// One view that shows a list: how its device is set, what it shows, and what was counted for it.
struct CardListViewPort: Sendable {
    let link: SurfaceLink
    /// Asks for another drawing.
    let redraw: AsyncStream<Void>.Continuation
    var environment: SurfaceEnvironment
    /// What the page shows now; `nil` before the first drawing and after the page was loaded anew.
    var frame: SurfaceFrame?
    /// Whether `stream-displayed` was told for this appearance.
    var wasAnnounced = false
    /// The cards that were counted as displayed in this appearance.
    var displayed: Set<String> = []

    init(link: SurfaceLink, redraw: AsyncStream<Void>.Continuation) {
        self.link = link
        self.redraw = redraw
        environment = link.environment
    }
}
