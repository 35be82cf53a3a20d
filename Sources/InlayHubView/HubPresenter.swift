@_spi(Inlay) public import InlaySurface
@_spi(Inlay) public import InlayWire

/// The conversion of a hub's screen to its view model.
@_spi(Inlay) public struct HubPresenter {
    let screen: HubScreen
    let appearance: HubAppearance
    let environment: SurfaceEnvironment
    let content: String
    let now: Timestamp

    /// Returns the view of a screen. Pure: the same arguments give the same view.
    ///
    /// - Parameters:
    ///   - content: the prefix of the addresses of content files, see ``SurfaceLink/content``.
    ///   - now: the server's clock; dates of its year are written without the year.
    public static func present(
        _ screen: HubScreen, _ appearance: HubAppearance = HubAppearance(),
        environment: SurfaceEnvironment = SurfaceEnvironment(), content: String = "content/",
        now: Timestamp = Timestamp(microseconds: 0)
    ) -> HubView {
        HubPresenter(
            screen: screen, appearance: appearance, environment: environment, content: content, now: now
        ).view()
    }

    private func view() -> HubView {
        var view = HubView(root: root, sections: [], place: String(screen.place))
        view.bar = bar
        view.notice = notice
        view.status = HubStatusPresenter(appearance: appearance).status(screen.body)
        switch screen.body {
        case .hub(let page, let sections):
            view.head = head(page.title, page.summary, page.image, page.imageText)
            view.sections = sections.enumerated().map { section($1, isFirst: $0 == 0) }
        case .channel(let channel):
            let own = channel.channel
            view.head = head(own.title, own.summary, own.image, own.imageText)
            view.sections = [wholeChannel(channel)]
        case .document(_, let title, let path): view.frame = frame(title, path)
        default: break
        }
        cover(&view)
        return view
    }

    private func cover(_ view: inout HubView) {
        switch screen.overlay {
        case .leave(let address):
            view.question = .init(
                title: appearance.text(.leaveTitle, "address", address),
                message: appearance.text(.leaveMessage, "address", address),
                address: address,
                host: Self.host(address), confirm: appearance.text(.leaveConfirm, "address", address),
                cancel: appearance.text(.cancel))
        case .video(let path, let title):
            view.player = .init(
                source: source(path),
                title: title.flatMap { $0.isEmpty ? nil : $0 } ?? appearance.text(.video),
                close: appearance.text(.closeVideo))
        case nil: break
        }
    }

    // MARK: Around the content

    private var title: String {
        switch screen.body {
        case .hub(let page, _): page.title
        case .channel(let section): section.channel.title
        case .document(_, let title, _): title
        default: appearance.text(.hubTitle)
        }
    }

    private var bar: HubView.Bar? {
        guard appearance.presentation == .modal, screen.body != .closed else { return nil }
        var beginsWithTitle = false
        if case .hub = screen.body { beginsWithTitle = true }
        if case .channel = screen.body { beginsWithTitle = true }
        return .init(
            title: title, isQuiet: beginsWithTitle, showsMark: appearance.showsMark,
            canGoBack: screen.canGoBack,
            canGoForward: screen.canGoForward, back: appearance.text(.back),
            forward: appearance.text(.forward),
            close: appearance.text(.close))
    }

    private var notice: String? {
        screen.staleSince.map { appearance.text(.stale, "date", date($0)) }
    }

    private var root: SurfaceFrame.Root {
        var style = SurfaceTheme.properties(appearance.theme, contentSize: environment.contentSize)
        if let background = appearance.background { style["--hub-background"] = background.css }
        return SurfaceFrame.Root(
            title: title, colorScheme: appearance.scheme(environment),
            layoutDirection: environment.layoutDirection,
            locale: environment.locale, style: style)
    }

    // MARK: Pages

    private func head(_ title: String, _ summary: String?, _ image: String?, _ text: String?) -> HubView.Head
    {
        .init(title: title, summary: summary, image: self.image(image, text, isEager: true))
    }

    /// Returns a channel on the hub's page: its first articles, and the link to all of them.
    private func section(_ section: HubScreen.Section, isFirst: Bool) -> HubView.Section {
        let shown = section.articles.prefix(isFirst ? 5 : 4)
        var view = self.section(section, shown: shown, isFirst: isFirst)
        view.title = section.channel.title
        view.heading = "h3"
        view.link = .init(
            address: HubReference(.channel, section.channel.id).uri, text: appearance.text(.seeAll),
            label: appearance.text(.seeAllOf, "channel", section.channel.title))
        return view
    }

    private func wholeChannel(_ section: HubScreen.Section) -> HubView.Section {
        self.section(section, shown: section.articles[...], isFirst: true)
    }

    private func section(
        _ section: HubScreen.Section, shown: ArraySlice<HubArticle>, isFirst: Bool
    ) -> HubView.Section {
        let channel = section.channel.id
        // The leading article needs a picture; without one, all articles stand in one row.
        let leads = isFirst && shown.first?.image != nil
        return .init(
            channel: channel, name: DOMName.make("channel-\(channel)"), heading: "h2",
            lead: leads ? shown.first.map { teaser($0, in: channel, isEager: true) } : nil,
            teasers: shown.dropFirst(leads ? 1 : 0).map { teaser($0, in: channel, isEager: isFirst) },
            isFeature: leads, empty: shown.isEmpty ? appearance.text(.emptyChannel) : nil)
    }

    private func teaser(_ article: HubArticle, in channel: String, isEager: Bool) -> HubView.Teaser {
        let isDated = article.publishedAt.microseconds > 0
        return .init(
            name: DOMName.make("\(channel)/\(article.id)"),
            address: HubReference(.article, article.id).uri, title: article.title, summary: article.summary,
            image: image(article.image, article.imageText, isEager: isEager),
            date: isDated ? date(article.publishedAt) : nil,
            exactDate: isDated
                ? SurfaceDate.text(
                    article.publishedAt, locale: environment.locale, timeZone: environment.timeZone) : nil,
            machineDate: isDated ? SurfaceDate.machine(article.publishedAt) : nil)
    }

    private func frame(_ title: String, _ path: String) -> HubView.Frame {
        let size = SurfaceTheme.typography["body"].map {
            DynamicType.size(of: $0, at: environment.contentSize)
        }
        // With the same address, the frame would keep the old text when the next version is shown.
        let version = screen.version.map { "?v=\($0)" } ?? ""
        return .init(
            path: path, source: source(path) + version, title: title, sandbox: FrameRules.sandbox,
            appearance: [
                appearance.scheme(environment).rawValue, String(size ?? 16),
                environment.reducedMotion ? "still" : "any", environment.layoutDirection.rawValue,
            ].joined(separator: " "))
    }

    private func image(_ path: String?, _ text: String?, isEager: Bool) -> HubView.Image? {
        path.map { .init(source: source($0), text: text ?? "", isEager: isEager) }
    }

    /// Returns the address of a file.
    private func source(_ path: String) -> String { content + PercentEncoding.encode(path: path) }

    private func date(_ moment: Timestamp) -> String {
        SurfaceDate.day(moment, now: now, locale: environment.locale, timeZone: environment.timeZone)
    }

    private static func host(_ address: String) -> String? {
        guard let start = address.range(of: "://")?.upperBound else { return nil }
        let authority = address[start...].prefix { !"/?#".contains($0) }
        // The text before an @ is user information, not a host.
        return authority.split(separator: "@").last.map(String.init)
    }
}
