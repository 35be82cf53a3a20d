/// From what a feature knows to what an ad's page shows.
public struct AdPresenter {
    let screen: AdScreen
    let look: AdLook
    let environment: SurfaceEnvironment
    let content: String
    let media: SurfaceMedia
    let sdkVersion: String

    /// The view of a screen. Pure: the same arguments give the same view.
    ///
    /// - Parameters:
    ///   - content: what stands before the path of a file of the surface, see ``SurfaceLink/content``.
    ///   - media: where the page gets pictures of the ad from.
    ///   - sdkVersion: what MRAID tells a creative.
    public static func present(
        _ screen: AdScreen, _ look: AdLook = AdLook(), environment: SurfaceEnvironment = SurfaceEnvironment(),
        content: String = "content/", media: SurfaceMedia = .throughHost, sdkVersion: String = "1"
    ) -> AdView {
        AdPresenter(
            screen: screen, look: look, environment: environment, content: content, media: media,
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
            title: look.text(.ad), colorScheme: environment.colorScheme,
            layoutDirection: environment.layoutDirection, locale: environment.locale,
            style: SurfaceTheme.properties(look.theme, contentSize: environment.contentSize))
    }

    private var id: String { DOMName.make("ad-\(screen.id)") }
    private var close: String? { screen.canClose ? look.text(.close) : nil }
    private var news: String? { screen.canClose ? look.text(.canClose) : nil }

    private func creative(_ creative: AdScreen.Creative) -> AdView.Creative {
        let placement = creative.isInterstitial ? "interstitial" : "inline"
        // An interstitial has the screen for itself, whatever its size says.
        let size = creative.isInterstitial ? nil : creative.size
        return .init(
            id: id, source: source(creative.path), sandbox: FrameRules.sandbox,
            setup: [creative.isMRAID ? "mraid" : "plain", placement, sdkVersion].joined(separator: " "),
            placement: placement, size: size.map { .init(width: $0.width, height: $0.height) },
            isAdaptive: size == nil, isMRAID: creative.isMRAID, label: look.text(.ad),
            collapse: look.text(.collapse), close: close, news: news)
    }

    private func video(_ video: AdScreen.Video) -> AdView.Video {
        let canSkip = !video.isRewarded && video.skipMilliseconds != nil && !screen.isOver
        return .init(
            id: id, source: source(video.path), address: video.address, milliseconds: video.milliseconds,
            skipMilliseconds: canSkip ? video.skipMilliseconds : nil, isRewarded: video.isRewarded,
            label: look.text(.ad), mark: look.text(.mark), play: look.text(.play), sound: look.text(.sound),
            link: isLink(video) ? look.text(.learnMore) : nil, skip: canSkip ? look.text(.skip) : nil,
            skipIn: look.text(.skipIn), rewardIn: look.text(.rewardIn), rewarded: look.text(.rewarded),
            icon: screen.isOver ? nil : video.icon.flatMap(icon), endPicture: endPicture(video),
            endDocument: endDocument(video), close: close, news: news)
    }

    /// Whether the button that leads to the advertiser is there: for the video, then for what comes after it.
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
            label: look.text(.ad), size: size.map { .init(width: $0.width, height: $0.height) })
    }

    private func picture(_ picture: AdScreen.Picture) -> AdView.Picture? {
        media.source(of: picture.address).map {
            .init(source: $0, text: picture.text ?? look.text(.about), isLink: picture.isLink)
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
            host: Self.host(landing.address), title: look.text(.landing), sandbox: FrameRules.landingSandbox,
            close: look.text(.closeLanding))
    }

    /// The address of a file: its segments encoded, so that no path ends the address or starts a query.
    private func source(_ path: String) -> String {
        content
            + path.split(separator: "/", omittingEmptySubsequences: false)
            .map { PercentEncoding.component(String($0)) }.joined(separator: "/")
    }

    private static func host(_ address: String) -> String {
        guard let start = address.range(of: "://")?.upperBound else { return "" }
        let authority = address[start...].prefix { !"/?#".contains($0) }
        // What stands before an @ only looks like a host.
        return authority.split(separator: "@").last.map(String.init) ?? ""
    }
}
