@_spi(Inlay) public import InlaySurface

extension AdView {
    /// Returns the frame of this view. Each ad is a new element of the page, so that no state of the last ad is left.
    public func frame(_ renderer: SurfaceRenderer) throws -> SurfaceFrame {
        var frame = FrameBuilder(renderer, templates: "ads")
        try frame.add("ad/\(creative?.id ?? "")", .list, creative, "creative")
        try frame.add("ad/\(video?.id ?? "")", .list, video, "video")
        try frame.add("landing", .overlay, landing, "landing")
        return frame.frame(root)
    }
}
