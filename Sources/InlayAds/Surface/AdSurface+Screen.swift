import InlaySurface
import InlayWire

extension AdSurface {
    /// What is to be seen now.
    var screen: AdScreen {
        var screen = AdScreen(landing: landing?.page)
        guard let show = placement.current else { return screen }
        screen.id = String(show.id)
        screen.canClose = placement.isClosable
        screen.isOver = over == show.id
        switch show.creative {
        case .html(_, let size):
            screen.body = .creative(
                AdScreen.Creative(
                    path: AdPath.creative(show.id), size: Self.size(size),
                    isInterstitial: show.format == .interstitial, isMRAID: show.allowsMRAID))
        case .video(let video): screen.body = .video(Self.video(video, of: show))
        }
        return screen
    }

    // Half a point is nothing that a frame could have.
    private static func size(_ size: AdSize) -> AdScreen.Size? {
        guard !size.isAdaptive else { return nil }
        return AdScreen.Size(width: Int(size.width.rounded(.up)), height: Int(size.height.rounded(.up)))
    }

    private static func video(_ video: AdVideo, of show: AdShow) -> AdScreen.Video {
        AdScreen.Video(
            path: AdPath.media(show.id), address: video.media.address,
            milliseconds: video.duration?.milliseconds ?? 0, skipMilliseconds: video.skipOffset?.milliseconds,
            isRewarded: show.type == .rewarded, isLink: video.clickThrough != nil,
            icon: video.icons.first.map {
                AdScreen.Picture(address: $0.image, text: $0.program, isLink: $0.clickThrough != nil)
            },
            endCard: video.endCard.map { companion, image in
                AdScreen.Picture(
                    address: image, text: video.title,
                    isLink: (companion.clickThrough ?? video.clickThrough) != nil)
            })
    }
}

extension AdVideo {
    /// The companion that is shown after the end: the largest picture. Markup and pages are not shown there.
    var endCard: (companion: Companion, image: String)? {
        companions.compactMap { companion -> (companion: Companion, image: String)? in
            guard case .image(let address) = companion.content else { return nil }
            return (companion, address)
        }.max { $0.companion.width * $0.companion.height < $1.companion.width * $1.companion.height }
    }
}

extension Duration {
    /// Whole milliseconds; never negative, never more than a day.
    var milliseconds: Int {
        let (seconds, attoseconds) = components
        guard seconds >= 0 else { return 0 }
        return Int(min(seconds, 86_400)) * 1000 + Int(attoseconds / 1_000_000_000_000_000)
    }
}
