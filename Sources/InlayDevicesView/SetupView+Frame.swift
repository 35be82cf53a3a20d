@_spi(Inlay) public import InlaySurface

extension SetupView {
    /// Returns the frame of this view. Each screen has a region of its own, so that text typed on one screen does not
    /// appear on the next.
    public func frame(_ renderer: SurfaceRenderer) throws -> SurfaceFrame {
        var frame = FrameBuilder(renderer, templates: "setup")
        try frame.add("bar", .top, bar, "bar")
        try frame.add("place", .list, ["screenNumber": screenNumber, "kind": kind], "place")
        try frame.add("rail", .list, rail, "rail")
        let key = "screen/\(screenNumber)"
        try frame.add(key, .list, logo, "logo")
        try frame.add(key, .list, form, "form")
        try frame.add(key, .list, notice, "notice")
        try frame.add(key, .list, light, "light")
        try frame.add(key, .list, picture, "picture")
        try frame.add(key, .list, typed, "typed")
        try frame.add(key, .list, waiting, "waiting")
        try frame.add(key, .list, result, "result")
        try frame.add(key, .list, tip, "tip")
        return frame.frame(root)
    }
}
