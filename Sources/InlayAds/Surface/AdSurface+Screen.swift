@_spi(Inlay) import InlayAdsView
@_spi(Inlay) import InlaySurface
@_spi(Inlay) import InlayWire

extension AdSurface {
    /// The screen to show.
    var screen: AdScreen {
        var screen = AdScreen(landing: landing?.page)
        guard let show = placement.current else { return screen }
        screen.id = String(show.id)
        screen.canClose = placement.isClosable
        screen.isOver = endedVideoAdID == show.id
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

    // A frame's size is in whole points.
    private static func size(_ size: AdSize) -> AdScreen.Size? {
        guard !size.isAdaptive else { return nil }
        return AdScreen.Size(width: Int(size.width.rounded(.up)), height: Int(size.height.rounded(.up)))
    }

    private static func video(_ video: AdVideo, of show: AdShow) -> AdScreen.Video {
        AdScreen.Video(
            path: AdPath.media(show.id), address: video.media.address,
            milliseconds: video.duration?.milliseconds ?? 0, skipMilliseconds: video.skipOffset?.milliseconds,
            isRewarded: show.type == .rewarded, isLink: video.clickThrough != nil,
            icon: video.icons.first.map(icon),
            endCard: endCard(of: show, titled: video.title))
    }

    private static func icon(_ icon: AdVideo.Icon) -> AdScreen.Icon {
        let from = icon.offset?.milliseconds ?? 0
        return AdScreen.Icon(
            AdScreen.Picture(address: icon.image, text: icon.program, isLink: icon.clickThrough != nil),
            from: from, until: icon.duration.map { from + $0.milliseconds })
    }

    private static func endCard(of show: AdShow, titled title: String?) -> AdScreen.EndCard? {
        guard let card = show.endCard else { return nil }
        let isLink = show.endCardLink != nil
        guard case .image(let address) = card.content else {
            return .document(
                path: AdPath.card(show.id), size: AdScreen.Size(width: card.width, height: card.height),
                isLink: isLink)
        }
        return .picture(AdScreen.Picture(address: address, text: title, isLink: isLink))
    }
}

extension Duration {
    /// The whole milliseconds of a duration that is not negative; a day at most.
    var milliseconds: Int {
        let (seconds, attoseconds) = components
        guard seconds >= 0 else { return 0 }
        return Int(min(seconds, 86_400)) * 1000 + Int(attoseconds / 1_000_000_000_000_000)
    }
}
