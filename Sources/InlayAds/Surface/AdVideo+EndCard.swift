extension AdShow {
    /// The companion that is shown after the end of its video; `nil` for HTML.
    var endCard: AdVideo.Companion? {
        guard case .video(let video) = creative else { return nil }
        return video.endCard(allowsFrames: allowsFrames)
    }

    /// The landing page of the end card's own click, and of the button beside it.
    var endCardLink: String? {
        guard case .video(let video) = creative else { return nil }
        return endCard.flatMap { $0.clickThrough ?? video.clickThrough }
    }
}

extension AdVideo {
    /// The companion that is shown after the end: one that is meant for it before any other, then the largest, of
    /// two as large the one that can do more. A page of another site is one only where the ad unit allows frames.
    func endCard(allowsFrames: Bool) -> Companion? {
        companions.filter { $0.rendering != .beside && (allowsFrames || !$0.isFrame) }
            .max { $0.rank.lexicographicallyPrecedes($1.rank) }
    }
}

extension AdVideo.Companion {
    fileprivate var isFrame: Bool { if case .frame = content { true } else { false } }

    fileprivate var rank: [Int] {
        let power =
            switch content {
            case .html: 2
            case .image: 1
            // It needs one more server than the others.
            case .frame: 0
            }
        return [rendering == .endCard ? 1 : 0, width * height, power]
    }
}
