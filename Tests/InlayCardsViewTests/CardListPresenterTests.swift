@_spi(Inlay) @testable import InlayCardsView
@_spi(Inlay) @testable import InlaySurface
import InlaySurfaceTesting
@_spi(Inlay) import InlayWire
import Testing

@Suite struct CardListPresenterTests {
    private func view(
        _ state: CardListState, _ configuration: CardListConfiguration = CardListConfiguration()
    ) -> CardListView {
        CardListPresenter.present(state, configuration, now: Samples.now)
    }

    private func configured(_ edit: (inout CardListConfiguration) -> Void) -> CardListConfiguration {
        var configuration = CardListConfiguration()
        edit(&configuration)
        return configuration
    }

    @Test func `cards stand in the order of their priority, and the newest first among equals`() throws {
        let cards = [
            Samples.item("five", priority: 5, activeAt: 1), Samples.item("one", priority: 1),
            Samples.item("ten", priority: 10), Samples.item("newer five", priority: 5, activeAt: 2),
        ]
        #expect(view(Samples.ready(cards)).cards.map(\.card) == ["one", "newer five", "five", "ten"])
        let frame = try view(Samples.ready(cards)).frame(SurfaceAssets.cards.renderer())
        #expect(
            frame.regions(in: .list).map(\.key)
                == ["card/one", "card/newer five", "card/five", "card/ten"])
    }

    // MARK: First load

    @Test func `the first load shows the launch screen with a spinner and nothing else`() throws {
        let outlines = try Samples.outlines(CardListState())
        #expect(Array(outlines.keys) == ["launch"])
        #expect(
            outlines["launch"]?.first("div", where: "role", is: "progressbar")?["aria-label"] == "Loading")
    }

    @Test func `a failed first load shows one message and Try again`() throws {
        let noData = try #require(
            Samples.outlines(CardListState(phase: .firstLoadFailed(.dataLoad)))["launch"])
        #expect(noData.text.contains("Couldn't load data") && !noData.text.contains("No internet"))
        #expect(noData.first("button", where: "data-event", is: "retry") != nil)
        #expect(noData.text.contains("Try again"))
        let offline = try #require(
            Samples.outlines(CardListState(phase: .firstLoadFailed(.noInternet)))["launch"])
        #expect(offline.text.contains("No internet connection") && !offline.text.contains("Couldn't"))
    }

    @Test func `the launch colours go to the page with their documented defaults`() {
        let style = view(CardListState()).root.style
        #expect(style["--launch-background"] == "rgb(255, 255, 255)")
        #expect(style["--launch-text"] == "rgba(0, 0, 0, 0.5)")
        #expect(style["--launch-spinner"] == "rgb(0, 0, 0)")
        #expect(style["--launch-button"] == "rgb(0, 0, 0)")
        #expect(style["--launch-icon"] == "rgb(0, 0, 0)")
    }

    @Test func `the app's own launch colours go to the page`() {
        let red = SurfaceColor(red: 255, green: 0, blue: 0)
        let configuration = configured {
            $0.launchBackgroundColor = red
            $0.launchIconColor = red.opacity(0.25)
        }
        #expect(configuration.launchIconColor == red.opacity(0.25))
        let style = view(CardListState(), configuration).root.style
        #expect(style["--launch-background"] == "rgb(255, 0, 0)")
        #expect(style["--launch-icon"] == "rgba(255, 0, 0, 0.25)")
    }

    // MARK: Nothing to show, and trouble

    @Test func `a user who never had a card reads that cards will appear here`() throws {
        let state = CardListState(phase: .ready, hadCards: false, appearance: Samples.appearance)
        let text = try #require(Samples.outlines(state)["empty"]).text
        #expect(text.contains("Cards will appear here when there’s something to action."))
    }

    @Test func `a user who had cards reads that all is done`() throws {
        let text = try #require(Samples.outlines(Samples.ready([]))["empty"]).text
        #expect(text.contains("All caught up"))
    }

    @Test func `a later failure keeps the cards and shows the same strings above them`() throws {
        var state = Samples.ready([Samples.item("a")])
        state.phase = .failed(.noInternet)
        let configuration = configured {
            $0.setValue("offline!", for: .noInternetConnectionMessage)
            $0.setValue("again!", for: .tryAgainTitle)
        }
        let view = view(state, configuration)
        #expect(view.cards.map(\.card) == ["a"])
        #expect(view.failure == .init(message: "offline!", retry: "again!", isAboveCards: true))
        let frame = try view.frame(SurfaceAssets.cards.renderer())
        #expect(frame.regions(in: .list).map(\.key) == ["failure", "card/a"])
    }

    @Test func `a load after the first shows placeholders only where there are no cards`() {
        #expect(view(CardListState(phase: .loading)).skeleton != nil)
        #expect(view(CardListState(phase: .loading, cards: [Samples.item()])).skeleton == nil)
    }

    // MARK: Header, footer, toasts

    @Test func `the header stands above the cards with title and refresh`() throws {
        let frame = try view(Samples.ready([Samples.item()])).frame(SurfaceAssets.cards.renderer())
        #expect(frame.regions.first?.key == "header")
        let header = try #require(frame.regions(in: .top).first.map { HTMLOutline($0.html) })
        #expect(header.text.contains("Cards"))
        #expect(header.first("button", where: "data-event", is: "refresh")?["aria-label"] == "Refresh")
    }

    @Test func `without the header element there is no header and no pull to refresh`() throws {
        // The page's script pulls only where it finds this element.
        func canPull(_ regions: [String: HTMLOutline]) -> Bool {
            regions.values.contains { $0.first("div", where: "class", is: "pull") != nil }
        }
        let state = Samples.ready([Samples.item()])
        #expect(try canPull(Samples.outlines(state)))
        let regions = try Samples.outlines(state, configured { $0.enabledUIElements = [.toast] })
        #expect(regions["header"] == nil && !canPull(regions))
    }

    @Test func `the button at the top left follows the presentation style`() throws {
        func button(_ style: CardListConfiguration.PresentationStyle) throws -> String? {
            let configuration = configured { $0.presentationStyle = style }
            let header = try Samples.outlines(Samples.ready([Samples.item()]), configuration)["header"]
            guard header?.first("button", where: "data-event", is: "header-button") != nil else { return nil }
            return header?.text
        }
        #expect(try button(.withoutButton) == nil)
        #expect(try button(.actionButton(label: "Menu"))?.contains("Menu") == true)
        #expect(try button(.contextualButton(.modal))?.contains("Close") == true)
        #expect(try button(.contextualButton(.pushed))?.contains("Back") == true)
    }

    @Test func `the app's own header stands between the built-in header and the first card`() throws {
        let configuration = configured { $0.customHeader = RichText(plain: "Hello") }
        let frame = try view(Samples.ready([Samples.item("a")]), configuration).frame(
            SurfaceAssets.cards.renderer())
        #expect(frame.regions.map(\.key) == ["header", "arrivals", "custom-header", "card/a"])
        #expect(frame.regions[2].slot == .list, "it scrolls with the cards")
    }

    @Test func `without a custom header the view has none`() {
        #expect(view(Samples.ready([Samples.item()])).customHeader == nil)
    }

    @Test func `the footer stands below the last card when it is enabled and there is one`() throws {
        var configuration = configured { $0.enabledUIElements = .footer }
        configuration.setValue("the end", for: .cardListFooterMessage)
        let cards = [Samples.item("a"), Samples.item("b")]
        let frame = try view(Samples.ready(cards), configuration).frame(SurfaceAssets.cards.renderer())
        #expect(frame.regions.map(\.key) == ["arrivals", "card/a", "card/b", "footer"])
        #expect(HTMLOutline(frame.regions[3].html).text.contains("the end"))
        #expect(view(Samples.ready([]), configuration).footer == nil)
    }

    @Test func `the footer needs the footer element and a text`() {
        let words = configured { $0.setValue("the end", for: .cardListFooterMessage) }
        #expect(view(Samples.ready([Samples.item()]), words).footer == nil)
        let element = configured { $0.enabledUIElements = .footer }
        #expect(view(Samples.ready([Samples.item()]), element).footer == nil)
    }

    private static let toasts: [CardToast] = [
        CardToast(id: "1", kind: .dismissed), CardToast(id: "2", kind: .completed),
        CardToast(id: "3", kind: .feedback), CardToast(id: "4", kind: .snoozed(until: Samples.now)),
        CardToast(id: "5", kind: .failed()),
    ]

    @Test func `each action has its toast with the documented words`() {
        var state = Samples.ready([])
        state.toasts = Self.toasts
        let toasts = view(state).toasts
        #expect(toasts.prefix(3).map(\.message) == ["Card dismissed", "Card completed", "Feedback received"])
        let snoozed = toasts[3].message.replacing("\u{202F}", with: " ")
        #expect(snoozed.hasPrefix("Snoozed until ") && snoozed.contains("8:00") && snoozed.contains("2027"))
        #expect(toasts.map(\.isFailure) == [false, false, false, false, true])
    }

    @Test func `without the toast element no action has a toast`() throws {
        var state = Samples.ready([Samples.item()])
        state.toasts = Self.toasts
        for elements: CardListConfiguration.UIElements in [[], .header, [.header, .footer]] {
            let configuration = configured { $0.enabledUIElements = elements }
            #expect(view(state, configuration).toasts.isEmpty)
        }
    }

    @Test func `with no elements there is neither header nor footer nor toast`() throws {
        var state = Samples.ready([Samples.item("a")])
        state.toasts = Self.toasts
        var configuration = configured { $0.enabledUIElements = [] }
        configuration.setValue("the end", for: .cardListFooterMessage)
        #expect(try Samples.outlines(state, configuration).keys.sorted() == ["arrivals", "card/a"])
    }

    // MARK: Themes

    @Test func `the theme follows the device, unless there is no dark one or the app forces a style`() {
        typealias Style = CardListConfiguration.InterfaceStyle
        func look(_ style: Style, _ device: SurfaceEnvironment.ColorScheme, dark: Bool = true)
            -> SurfaceFrame.Root
        {
            var state = Samples.ready([Samples.item()])
            if !dark { state.appearance?.dark = nil }
            return CardListPresenter.present(
                state, configured { $0.interfaceStyle = style },
                environment: SurfaceEnvironment(colorScheme: device)
            ).root
        }
        #expect(look(.automatic, .light).style["--accent"] == "#111111")
        #expect(look(.automatic, .dark).style["--accent"] == "#EEEEEE")
        #expect(look(.automatic, .dark).colorScheme == .dark)
        #expect(look(.automatic, .dark, dark: false).style["--accent"] == "#111111")
        #expect(look(.automatic, .dark, dark: false).colorScheme == .light)
        #expect(look(.light, .dark).style["--accent"] == "#111111")
        #expect(look(.light, .dark).colorScheme == .light)
        #expect(look(.dark, .light).style["--accent"] == "#EEEEEE")
        #expect(look(.dark, .light).colorScheme == .dark)
    }

    @Test func `a maximum card width is sent to the page, and none by default`() {
        #expect(view(Samples.ready([])).root.style["--card-max-width"] == nil)
        #expect(
            view(Samples.ready([]), configured { $0.cardMaxWidth = 500 }).root.style["--card-max-width"]
                == "500px")
        let endless = configured { $0.cardMaxWidth = .greatestFiniteMagnitude }
        #expect(view(Samples.ready([]), endless).root.style["--card-max-width"] == "1000000px")
    }

    @Test func `the page runs from right to left where the device does`() {
        let environment = SurfaceEnvironment(locale: "ar", layoutDirection: .rightToLeft)
        let root = CardListPresenter.present(Samples.ready([]), environment: environment).root
        #expect(root.layoutDirection == .rightToLeft && root.locale == "ar")
    }

    @Test func `a changed text size changes the frame's root and no card`() {
        let state = Samples.ready([Samples.item()])
        func frame(_ size: ContentSize) throws -> SurfaceFrame {
            try CardListPresenter.present(state, environment: SurfaceEnvironment(contentSize: size))
                .frame(SurfaceAssets.cards.renderer())
        }
        let patch = try? SurfacePatch.between(frame(.large), frame(.extraLarge))
        #expect(patch?.ops.isEmpty == true)
        #expect(patch?.root?.style["--type-body-size"] == "18px")
    }
}
