@_spi(Inlay) public import InlaySurface

extension HubView {
    /// Returns the frame of this view: one region per part that comes and goes by itself.
    public func frame(_ renderer: SurfaceRenderer) throws -> SurfaceFrame {
        var frame = FrameBuilder(renderer, templates: "hub")
        // The place is part of the keys: another page is another screen, not an edit of this one.
        try frame.add("bar", .top, bar, "bar")
        // A host without Inlay's bar has bars of its own, and may want to know when to hide them.
        try frame.add("place", .list, PlaceModel(place: place, reportsScroll: bar == nil), "place")
        try frame.add("notice", .list, notice.map { ["message": $0] }, "notice")
        try frame.add("status", .list, status, "status")
        try frame.add("head/\(place)", .list, head, "head")
        for section in sections {
            try frame.add("section/\(place)/\(section.channel)", .list, section, "section")
        }
        try frame.add("frame/\(place)/\(self.frame?.path ?? "")", .list, self.frame, "frame")
        try frame.add("question", .overlay, question, "question")
        try frame.add("player", .overlay, player, "player")
        return frame.frame(root)
    }
}

private struct PlaceModel: Encodable {
    let place: String
    let reportsScroll: Bool
}
