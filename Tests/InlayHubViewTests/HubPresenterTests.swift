import Foundation
@_spi(Inlay) @testable import InlayHubView
@_spi(Inlay) @testable import InlaySurface
import InlaySurfaceTesting
@_spi(Inlay) import InlayWire
import Testing

/// The view of a hub for each of its states.
@Suite struct HubPresenterTests {
    private static func article(_ id: String, image: String? = "assets/a.jpg") -> HubArticle {
        HubArticle(
            id: id, title: "Title of \(id)", summary: "Summary of \(id)",
            publishedAt: Timestamp(microseconds: 1_778_000_000_000_000), page: "articles/\(id)/index.html",
            image: image)
    }

    private static func section(_ id: String, _ count: Int, image: String? = "assets/a.jpg")
        -> HubScreen.Section
    {
        HubScreen.Section(
            HubChannel(id: id, title: "Channel \(id)"),
            (0..<count).map { article("\(id)-\($0)", image: image) })
    }

    private static let hub = HubScreen(
        .hub(HubPage(id: "main", title: "Harbor", summary: "News"), [section("a", 9), section("b", 9)]),
        place: 3, canGoBack: true)

    private func html(_ screen: HubScreen, _ appearance: HubAppearance = HubAppearance()) throws
        -> HTMLOutline
    {
        let frame = try HubPresenter.present(screen, appearance).frame(SurfaceAssets.hub.renderer())
        return HTMLOutline(frame.regions.map(\.html).joined())
    }

    @Test func `a modal hub has a bar with buttons, and a nested one has no button`() throws {
        let modal = try html(Self.hub)
        for event in ["back", "forward", "close"] {
            #expect(modal.first("button", where: "data-event", is: event)?["aria-label"] != nil)
        }
        #expect(modal.tags("svg").contains { $0["class"] == "icon mark" })
        let nested = try html(Self.hub, HubAppearance(presentation: .nested))
        #expect(nested.tags("button").isEmpty)
        #expect(!nested.tags("svg").contains { $0["class"] == "icon mark" })
        #expect(nested.text.contains("Title of a-0"))
        // A host with its own bars receives the scroll position.
        #expect(nested.tags("i").contains { $0["data-reports-scroll"] != nil })
        #expect(!modal.tags("i").contains { $0["data-reports-scroll"] != nil })
    }

    @Test func `the mark is shown unless the appearance hides it`() throws {
        let plain = try html(Self.hub, HubAppearance(showsMark: false))
        #expect(!plain.tags("svg").contains { $0["class"] == "icon mark" })
    }

    @Test func `a back or forward button without a page is disabled`() throws {
        let page = try html(Self.hub)
        #expect(page.first("button", where: "data-event", is: "back")?["disabled"] == nil)
        #expect(page.first("button", where: "data-event", is: "forward")?["disabled"] != nil)
    }

    @Test func `a hub shows its channels with their best articles, the first one leading`() {
        let view = HubPresenter.present(Self.hub)
        #expect(view.head?.title == "Harbor")
        #expect(view.sections.map(\.title) == ["Channel a", "Channel b"])
        #expect(view.sections[0].lead?.title == "Title of a-0")
        #expect(view.sections[0].teasers.map(\.title) == (1...4).map { "Title of a-\($0)" })
        #expect(view.sections[1].lead == nil)
        #expect(view.sections[1].teasers.count == 4)
        #expect(view.sections[0].link?.address == "hub:channel/a")
        #expect(view.sections[0].link?.label == "See all of Channel a")
    }

    @Test func `a channel shows all of its articles in their order`() {
        let view = HubPresenter.present(HubScreen(.channel(Self.section("c", 40))))
        #expect(view.head?.title == "Channel c")
        let shown = view.sections.flatMap { [$0.lead].compactMap(\.self) + $0.teasers }
        #expect(shown.map(\.address) == (0..<40).map { "hub:article/c-\($0)" })
        #expect(view.sections.allSatisfy { $0.title == nil && $0.link == nil })
    }

    @Test func `an article without a picture never leads`() {
        let view = HubPresenter.present(HubScreen(.channel(Self.section("c", 3, image: nil))))
        #expect(view.sections[0].lead == nil)
        #expect(view.sections[0].teasers.count == 3)
    }

    @Test func `an article is a sandboxed frame with an escaped path below the content`() throws {
        let screen = HubScreen(
            .document(HubReference(.article, "a"), title: "A <b>", path: "articles/a/../?x#y/index.html"))
        let page = try html(screen)
        let frame = try #require(page.tags("iframe").first)
        #expect(frame["src"] == "content/articles/a/../%3Fx%23y/index.html")
        var next = screen
        next.version = 7
        // The URL differs for each version, so that an open page is reloaded with the new content.
        #expect(
            try html(next).tags("iframe").first?["src"] == "content/articles/a/../%3Fx%23y/index.html?v=7")
        // A slash stays one in front of a combining mark.
        let marked = HubScreen(
            .document(HubReference(.article, "a"), title: "A", path: "articles/\u{301}/index.html"))
        #expect(try html(marked).tags("iframe").first?["src"] == "content/articles/%CC%81/index.html")
        #expect(frame["sandbox"] == "allow-scripts")
        #expect(frame["title"] == "A <b>")
        #expect(frame["referrerpolicy"] == "no-referrer")
    }

    @Test func `each status has its text, its button and its accessibility role`() throws {
        let offline = try html(HubScreen(.failed(.offline, message: nil)))
        #expect(offline.text.contains("You are offline"))
        #expect(offline.first("button", where: "data-event", is: "retry") != nil)
        #expect(offline.tags("section").contains { $0["role"] == "alert" })
        let checking = try html(HubScreen(.checking(message: nil)))
        #expect(checking.tags("section").contains { $0["role"] == "status" })
        #expect(checking.text.contains("Checking for new content"))
        let disabled = try html(HubScreen(.disabled(reason: "Until Monday <i>")))
        #expect(disabled.text.contains("Until Monday <i>"))
        #expect(disabled.first("button", where: "data-event", is: "retry") == nil)
        #expect(try html(HubScreen(.empty)).text.contains("Nothing to read yet"))
        #expect(try html(HubScreen(.failed(.missing, message: nil))).text.contains("This page is gone"))
    }

    @Test func `a download shows whole percents from 0 to 100 for any fraction`() throws {
        for (fraction, percent) in [(0.0, 0), (0.426, 42), (1.0, 100), (7.0, 100), (-1.0, 0), (.nan, 0)] {
            let view = HubPresenter.present(HubScreen(.downloading(fraction: fraction, message: nil)))
            #expect(view.status?.progress?.percent == percent)
            #expect(view.status?.message == "Waiting for new content to be downloaded")
        }
        let page = try html(HubScreen(.downloading(fraction: 0.426, message: nil)))
        #expect(page.tags("progress").first?["value"] == "42")
        #expect(
            HubPresenter.present(HubScreen(.downloading(fraction: nil, message: nil))).status?.progress == nil
        )
    }

    @Test func `the app's strings replace the built-in ones`() throws {
        let page = try html(
            HubScreen(.custom(title: "Hold on", message: "Ours", fraction: 0.5, canRetry: false)))
        #expect(page.text.contains("Hold on") && page.text.contains("Ours"))
        #expect(!page.text.contains("Waiting for new content"))
        let worded = HubAppearance(strings: [.offlineTitle: "Kein Netz", .tryAgain: "Nochmal"])
        let offline = try html(HubScreen(.failed(.offline, message: nil)), worded)
        #expect(offline.text.contains("Kein Netz") && offline.text.contains("Nochmal"))
    }

    @Test func `the colour scheme follows the appearance, or the device by default`() {
        let dark = SurfaceEnvironment(colorScheme: .dark)
        #expect(
            HubPresenter.present(Self.hub, HubAppearance(colorScheme: .light), environment: dark).root
                .colorScheme
                == .light)
        #expect(HubPresenter.present(Self.hub, HubAppearance(colorScheme: .dark)).root.colorScheme == .dark)
        #expect(HubPresenter.present(Self.hub, environment: dark).root.colorScheme == .dark)
        let document = HubScreen(.document(HubReference(.article, "a"), title: "", path: "a"))
        #expect(
            HubPresenter.present(document, environment: dark).frame?.appearance.hasPrefix("dark ") == true)
    }

    @Test func `a document gets the reader's text size, motion and direction`() {
        let environment = SurfaceEnvironment(
            contentSize: .accessibilityLarge, layoutDirection: .rightToLeft, reducedMotion: true)
        let screen = HubScreen(.document(HubReference(.article, "a"), title: "", path: "a"))
        #expect(
            HubPresenter.present(screen, environment: environment).frame?.appearance == "light 31.0 still rtl"
        )
    }

    @Test func `a background of the app's own reaches the page`() {
        let look = HubAppearance(background: SurfaceColor(red: 255, green: 0, blue: 0))
        #expect(HubPresenter.present(Self.hub, look).root.style["--hub-background"] == "rgb(255, 0, 0)")
    }

    @Test func `old content says when it was last confirmed`() throws {
        var screen = Self.hub
        screen.staleSince = Timestamp(microseconds: 1_778_000_000_000_000)
        #expect(try html(screen).text.contains("It was last confirmed on"))
        #expect(try !html(Self.hub).text.contains("last confirmed"))
    }

    @Test func `the question about an external link shows the whole address and its host`() {
        var screen = Self.hub
        screen.overlay = .leave(address: "https://good.example@evil.example/path?x=1")
        let question = HubPresenter.present(screen).question
        #expect(question?.address == "https://good.example@evil.example/path?x=1")
        #expect(question?.host == "evil.example")
        // An app's own texts may name the address.
        let strings: [HubString: String] = [
            .leaveTitle: "To {{address}}?", .leaveMessage: "{{address}} is outside.",
            .leaveConfirm: "Open {{address}}",
        ]
        screen.overlay = .leave(address: "https://a.example/{{address}}")
        let own = HubPresenter.present(screen, HubAppearance(strings: strings)).question
        #expect(own?.title == "To https://a.example/{{address}}?")
        #expect(own?.message == "https://a.example/{{address}} is outside.")
        #expect(own?.confirm == "Open https://a.example/{{address}}")
    }

    @Test func `a video has a close button and is loaded from the content`() throws {
        var screen = Self.hub
        screen.overlay = .video(path: "assets/a b.mp4", title: "")
        let page = try html(screen)
        #expect(page.tags("video").first?["src"] == "content/assets/a%20b.mp4")
        #expect(page.first("button", where: "data-event", is: "close-video")?["aria-label"] == "Close video")
    }

    @Test func `text of a publisher never becomes markup`() throws {
        let evil = "\"><script>x</script>\u{0301}'<img src=x onerror=y>"
        func outline(_ text: String) throws -> HTMLOutline {
            let article = HubArticle(
                id: "a", title: text, summary: text, publishedAt: Timestamp(microseconds: 1), page: text,
                image: text, imageText: text)
            let channel = HubChannel(id: "c", title: text, summary: text, image: text, imageText: text)
            let screens: [HubScreen.Body] = [
                .hub(HubPage(id: "h", title: text, summary: text, image: text), [.init(channel, [article])]),
                .channel(.init(channel, [article])),
                .document(HubReference(.article, "a"), title: text, path: text),
                .disabled(reason: text), .failed(.other, message: text),
                .custom(title: text, message: text, fraction: 1, canRetry: true),
            ]
            let overlays: [HubScreen.Overlay] = [.leave(address: text), .video(path: text, title: text)]
            let all = screens.map { HubScreen($0) } + overlays.map { HubScreen(.empty, overlay: $0) }
            return HTMLOutline(
                try all.flatMap {
                    try HubPresenter.present($0).frame(SurfaceAssets.hub.renderer()).regions.map(\.html)
                }
                .joined())
        }
        #expect(try outline(evil).shape == outline("plain").shape)
    }

    @Test func `each region is one element, and only the bar and the place are shared between pages`() throws
    {
        let renderer = try SurfaceAssets.hub.renderer()
        let frame = try HubPresenter.present(Self.hub).frame(renderer)
        for region in frame.regions { #expect(region.html.hasPrefix("<"), "\(region.key)") }
        var next = Self.hub
        next.place = 4
        let other = try HubPresenter.present(next).frame(renderer)
        let kept = Set(frame.regions.map(\.key)).intersection(other.regions.map(\.key))
        #expect(kept == ["bar", "place"])
    }

    @Test func `events are decoded and their values limited`() {
        func event(_ payload: JSONValue) -> HubViewEvent? {
            HubViewEvent(
                SurfaceMessage(surface: "hub", kind: SurfaceMessage.Kind.event, id: "1", payload: payload))
        }
        #expect(event(["name": "back"]) == .back)
        #expect(
            event(["name": "link", "value": "hub:article/a"]) == .link("hub:article/a", isFromDocument: false)
        )
        #expect(event(["name": "frame-link", "value": "x:y"]) == .link("x:y", isFromDocument: true))
        #expect(event(["name": "link"]) == nil)
        #expect(event(["name": "link", "value": .string(String(repeating: "a", count: 5_000))]) == nil)
        #expect(event(["name": "unknown"]) == nil)
        let long = String(repeating: "t", count: 900)
        #expect(
            event(["name": "video", "value": "a.mp4", "title": .string(long)])
                == .video("a.mp4", title: String(long.prefix(200))))
        let mark = "\u{301}"
        #expect(
            event(["name": "video", "value": "a.mp4", "title": .string(String(repeating: mark, count: 900))])
                == .video("a.mp4", title: String(repeating: mark, count: 200)))
    }
}
