extension AdShow {
    /// The companion that is shown after the end of the video; `nil` without one, and for HTML.
    var endCard: AdVideo.Companion? {
        guard case .video(let video) = creative else { return nil }
        return video.endCard(allowsFrames: allowsFrames)
    }

    /// The landing page of the end card, and of the button beside it: the companion's, else the video's.
    var endCardLink: String? {
        guard case .video(let video) = creative else { return nil }
        return endCard.flatMap { $0.clickThrough ?? video.clickThrough }
    }
}

extension AdVideo {
    /// Returns the companion that is shown after the end: a companion made for an end card before others, then the
    /// largest, then HTML before a picture before a page. Pages of other sites only when the ad unit allows frames.
    func endCard(allowsFrames: Bool) -> Companion? {
        companions.filter { $0.rendering != .beside && (allowsFrames || !$0.isFrame) }
            .max { $0.rank.lexicographicallyPrecedes($1.rank) }
    }
}

extension AdVideo.Companion {
    fileprivate var isFrame: Bool { if case .frame = content { true } else { false } }

    fileprivate var rank: [Int] {
        let contentRank =
            switch content {
            case .html: 2
            case .image: 1
            // A page depends on one more server than the others.
            case .frame: 0
            }
        return [rendering == .endCard ? 1 : 0, width * height, contentRank]
    }
}
