@_spi(Inlay) public import InlaySurface
@_spi(Inlay) import InlayWire

/// The conversion of the screen of an ad to its view model.
@_spi(Inlay) public struct AdPresenter {
    let screen: AdScreen
    let appearance: AdAppearance
    let environment: SurfaceEnvironment
    let content: String
    let media: SurfaceMedia
    let sdkVersion: String

    /// Returns the view model of a screen. Pure: the same arguments give the same view model.
    ///
    /// - Parameters:
    ///   - content: the prefix of the paths of the surface's files, see ``SurfaceLink/content``.
    ///   - media: the source of the ad's pictures.
    ///   - sdkVersion: the SDK version that a creative reads through MRAID.
    public static func present(
        _ screen: AdScreen, _ appearance: AdAppearance = AdAppearance(),
        environment: SurfaceEnvironment = SurfaceEnvironment(),
        content: String = "content/", media: SurfaceMedia = .throughHost, sdkVersion: String = "1"
    ) -> AdView {
        AdPresenter(
            screen: screen, appearance: appearance, environment: environment, content: content, media: media,
            sdkVersion: sdkVersion
        ).view()
    }

    private func view() -> AdView {
        var view = AdView(root: root)
        switch screen.body {
        case .nothing: break
        case .creative(let creative): view.creative = self.creative(creative)
        case .video(let video): view.video = self.video(video)
        }
        view.landing = screen.landing.map(landing)
        return view
    }

    private var root: SurfaceFrame.Root {
        SurfaceFrame.Root(
            title: appearance.text(.ad), colorScheme: environment.colorScheme,
            layoutDirection: environment.layoutDirection, locale: environment.locale,
            style: SurfaceTheme.properties(appearance.theme, contentSize: environment.contentSize))
    }

    private var id: String { DOMName.make("ad-\(screen.id)") }
    private var close: String? { screen.canClose ? appearance.text(.close) : nil }
    private var announcement: String? { screen.canClose ? appearance.text(.canClose) : nil }

    private func creative(_ creative: AdScreen.Creative) -> AdView.Creative {
        let placement = creative.isInterstitial ? "interstitial" : "inline"
        // An interstitial covers the screen, so its size is ignored.
        let size = creative.isInterstitial ? nil : creative.size
        return .init(
            id: id, source: source(creative.path), sandbox: FrameRules.sandbox,
            setup: [creative.isMRAID ? "mraid" : "plain", placement, sdkVersion].joined(separator: " "),
            placement: placement, size: size.map { .init(width: $0.width, height: $0.height) },
            isAdaptive: size == nil, isMRAID: creative.isMRAID, label: appearance.text(.ad),
            collapse: appearance.text(.collapse), close: close, announcement: announcement)
    }

    private func video(_ video: AdScreen.Video) -> AdView.Video {
        let canSkip = !video.isRewarded && video.skipMilliseconds != nil && !screen.isOver
        return .init(
            id: id, source: source(video.path), address: video.address, milliseconds: video.milliseconds,
            skipMilliseconds: canSkip ? video.skipMilliseconds : nil, isRewarded: video.isRewarded,
            label: appearance.text(.ad), mark: appearance.text(.mark), play: appearance.text(.play),
            sound: appearance.text(.sound),
            link: isLink(video) ? appearance.text(.learnMore) : nil,
            skip: canSkip ? appearance.text(.skip) : nil,
            skipIn: appearance.text(.skipIn), rewardIn: appearance.text(.rewardIn),
            rewarded: appearance.text(.rewarded),
            icon: screen.isOver ? nil : video.icon.flatMap(icon), endPicture: endPicture(video),
            endDocument: endDocument(video), close: close, announcement: announcement)
    }

    /// Whether the button that leads to the advertiser is shown: for the video, and after its end for the end card.
    private func isLink(_ video: AdScreen.Video) -> Bool {
        guard screen.isOver, case .document(_, _, let isLink)? = video.endCard else { return video.isLink }
        return isLink
    }

    private func endPicture(_ video: AdScreen.Video) -> AdView.Picture? {
        guard screen.isOver, case .picture(let picture)? = video.endCard else { return nil }
        return self.picture(picture)
    }

    private func endDocument(_ video: AdScreen.Video) -> AdView.Document? {
        guard screen.isOver, case .document(let path, let size, _)? = video.endCard else { return nil }
        return .init(
            source: source(path), sandbox: FrameRules.sandbox, setup: "plain inline \(sdkVersion)",
            label: appearance.text(.ad), size: size.map { .init(width: $0.width, height: $0.height) })
    }

    private func picture(_ picture: AdScreen.Picture) -> AdView.Picture? {
        media.source(of: picture.address).map {
            .init(source: $0, text: picture.text ?? appearance.text(.about), isLink: picture.isLink)
        }
    }

    private func icon(_ icon: AdScreen.Icon) -> AdView.Icon? {
        picture(icon.picture).map {
            .init(source: $0.source, text: $0.text, isLink: $0.isLink, from: icon.from, until: icon.until)
        }
    }

    private func landing(_ landing: AdScreen.Landing) -> AdView.Landing {
        .init(
            id: id, source: source(landing.path), address: landing.address,
            host: Self.host(landing.address), title: appearance.text(.landing),
            sandbox: AdFrameRules.landingSandbox,
            close: appearance.text(.closeLanding))
    }

    /// Returns the address of a file.
    private func source(_ path: String) -> String { content + PercentEncoding.encode(path: path) }

    private static func host(_ address: String) -> String {
        guard let start = address.range(of: "://")?.upperBound else { return "" }
        let authority = address[start...].prefix { !"/?#".contains($0) }
        // The text before an @ is user information, not a host.
        return authority.split(separator: "@").last.map(String.init) ?? ""
    }
}
