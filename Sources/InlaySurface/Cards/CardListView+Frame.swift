extension CardListView {
    /// The frame of this view: one region per part that comes and goes by itself.
    public func frame(_ renderer: SurfaceRenderer) throws -> SurfaceFrame {
        var regions: [SurfaceFrame.Region] = []
        func add(_ key: String, _ slot: SurfaceFrame.Slot, _ model: (some Encodable)?, _ template: String)
            throws
        {
            guard let model else { return }
            let html = try renderer.render("cards/\(template)", model)
            regions.append(SurfaceFrame.Region(key: key, slot: slot, html: html))
        }
        try add("header", .top, header, "header")
        try add("arrivals", .top, arrivals.map { ["label": $0] }, "arrivals")
        try add("custom-header", .list, customHeader.map { ["content": $0] }, "custom-header")
        try add("launch", .list, launch, "launch")
        try add("failure", .list, failure, "failure")
        try add("skeleton", .list, skeleton.map { ["label": $0] }, "skeleton")
        try add("empty", .list, empty, "empty")
        for card in cards { try add("card/\(card.card)", .list, card, "card") }
        try add("footer", .bottom, footer.map { ["message": $0] }, "footer")
        // The id is part of the key: another subview is another screen, not an edit of this one.
        for subview in overlay?.subviews ?? [] {
            try add("subview/\(subview.level)/\(subview.id)", .overlay, subview, "subview")
        }
        try add("snooze", .overlay, overlay?.snooze, "snooze")
        try add("feedback", .overlay, overlay?.feedback, "feedback")
        for toast in toasts { try add("toast/\(toast.id)", .toasts, toast, "toast") }
        return SurfaceFrame(root: root, regions: regions)
    }
}
