extension HubView {
    /// The frame of this view: one region per part that comes and goes by itself.
    public func frame(_ renderer: SurfaceRenderer) throws -> SurfaceFrame {
        var regions: [SurfaceFrame.Region] = []
        func add(_ key: String, _ slot: SurfaceFrame.Slot, _ model: (some Encodable)?, _ template: String)
            throws
        {
            guard let model else { return }
            let html = try renderer.render("hub/\(template)", model)
            regions.append(SurfaceFrame.Region(key: key, slot: slot, html: html))
        }
        // The place is part of the keys: another page is another screen, not an edit of this one.
        try add("bar", .top, bar, "bar")
        // Who has no bar here has bars of its own, and may want to know when to hide them.
        try add("place", .list, PlaceModel(place: place, tellsScroll: bar == nil), "place")
        try add("notice", .list, notice.map { ["message": $0] }, "notice")
        try add("status", .list, status, "status")
        try add("head/\(place)", .list, head, "head")
        for section in sections { try add("section/\(place)/\(section.channel)", .list, section, "section") }
        try add("frame/\(place)/\(self.frame?.path ?? "")", .list, self.frame, "frame")
        try add("question", .overlay, question, "question")
        try add("player", .overlay, player, "player")
        return SurfaceFrame(root: root, regions: regions)
    }
}

private struct PlaceModel: Encodable {
    let place: String
    let tellsScroll: Bool
}
