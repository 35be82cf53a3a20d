@_spi(Inlay) public import InlaySurface

extension AdView {
    /// The frame of this view. Another showing is another element: nothing of the one before is kept.
    public func frame(_ renderer: SurfaceRenderer) throws -> SurfaceFrame {
        var frame = FrameBuilder(renderer, templates: "ads")
        try frame.add("ad/\(creative?.id ?? "")", .list, creative, "creative")
        try frame.add("ad/\(video?.id ?? "")", .list, video, "video")
        try frame.add("landing", .overlay, landing, "landing")
        return frame.frame(root)
    }
}
