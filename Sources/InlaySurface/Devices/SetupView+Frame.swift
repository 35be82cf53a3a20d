extension SetupView {
    /// The frame of this view. Another screen is another region, so that nothing typed on one shows on the next.
    public func frame(_ renderer: SurfaceRenderer) throws -> SurfaceFrame {
        var regions: [SurfaceFrame.Region] = []
        func add(_ key: String, _ slot: SurfaceFrame.Slot, _ model: (some Encodable)?, _ template: String)
            throws
        {
            guard let model else { return }
            let html = try renderer.render("setup/\(template)", model)
            regions.append(SurfaceFrame.Region(key: key, slot: slot, html: html))
        }
        try add("bar", .top, bar, "bar")
        try add("place", .list, ["place": place, "kind": kind], "place")
        try add("rail", .list, rail, "rail")
        let key = "screen/\(place)"
        try add(key, .list, logo, "logo")
        try add(key, .list, form, "form")
        try add(key, .list, notice, "notice")
        try add(key, .list, light, "light")
        try add(key, .list, picture, "picture")
        try add(key, .list, typed, "typed")
        try add(key, .list, waiting, "waiting")
        try add(key, .list, result, "result")
        try add(key, .list, tip, "tip")
        return SurfaceFrame(root: root, regions: regions)
    }
}
