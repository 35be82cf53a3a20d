extension AdVideo {
    /// The companion that is shown after the end: one that is meant for it before any other, then the largest, of
    /// two as large the one that can do more.
    var endCard: Companion? {
        companions.filter { $0.rendering != .beside }
            .max { $0.rank.lexicographicallyPrecedes($1.rank) }
    }

    /// The landing page of the end card's own click, and of the button beside it.
    var endCardLink: String? { endCard.flatMap { $0.clickThrough ?? clickThrough } }
}

extension AdVideo.Companion {
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
