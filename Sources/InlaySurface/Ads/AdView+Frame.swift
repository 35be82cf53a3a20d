extension AdView {
    /// The frame of this view. Another showing is another element: nothing of the one before is kept.
    public func frame(_ renderer: SurfaceRenderer) throws -> SurfaceFrame {
        var regions: [SurfaceFrame.Region] = []
        func add(_ key: String, _ slot: SurfaceFrame.Slot, _ model: (some Encodable)?, _ template: String)
            throws
        {
            guard let model else { return }
            let html = try renderer.render("ads/\(template)", model)
            regions.append(SurfaceFrame.Region(key: key, slot: slot, html: html))
        }
        try add("ad/\(creative?.id ?? "")", .list, creative, "creative")
        try add("ad/\(video?.id ?? "")", .list, video, "video")
        try add("landing", .overlay, landing, "landing")
        return SurfaceFrame(root: root, regions: regions)
    }
}
