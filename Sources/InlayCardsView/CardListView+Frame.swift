@_spi(Inlay) public import InlaySurface

extension CardListView {
    /// Returns the frame of this view, with one region for each part that can appear and disappear.
    public func frame(_ renderer: SurfaceRenderer) throws -> SurfaceFrame {
        var frame = FrameBuilder(renderer, templates: "cards")
        try frame.add("header", .top, header, "header")
        try frame.add("arrivals", .top, arrivals.map { ["label": $0] }, "arrivals")
        try frame.add("custom-header", .list, customHeader.map { ["content": $0] }, "custom-header")
        try frame.add("launch", .list, launch, "launch")
        try frame.add("failure", .list, failure, "failure")
        try frame.add("skeleton", .list, skeleton.map { ["label": $0] }, "skeleton")
        try frame.add("empty", .list, empty, "empty")
        for card in cards { try frame.add("card/\(card.card)", .list, card, "card") }
        try frame.add("footer", .bottom, footer.map { ["message": $0] }, "footer")
        // The id is part of the key, so that another subview is a new screen and not a change of this one.
        for subview in overlay?.subviews ?? [] {
            try frame.add("subview/\(subview.level)/\(subview.id)", .overlay, subview, "subview")
        }
        try frame.add("snooze", .overlay, overlay?.snooze, "snooze")
        try frame.add("feedback", .overlay, overlay?.feedback, "feedback")
        for toast in toasts { try frame.add("toast/\(toast.id)", .toasts, toast, "toast") }
        return frame.frame(root)
    }
}
