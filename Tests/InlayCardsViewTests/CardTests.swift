@_spi(Inlay) @testable import InlayCardsView
@_spi(Inlay) @testable import InlaySurface
import InlaySurfaceTesting
@_spi(Inlay) import InlayWire
import Testing

/// One card's elements, menu and screens.
@Suite struct CardTests {
    private func outline(
        _ nodes: [CardNode], subviews: [String: CardSubview] = [:], options: CardOptions = CardOptions(),
        overlay: CardListState.Overlay? = nil, _ edit: (inout CardListConfiguration) -> Void = { _ in }
    ) throws -> [String: HTMLOutline] {
        var configuration = CardListConfiguration()
        edit(&configuration)
        let layout = CardLayout(nodes: nodes, subviews: subviews, options: options)
        var state = Samples.ready([CardListItem(id: "c", layout: layout)])
        state.overlay = overlay
        return try Samples.outlines(state, configuration)
    }

    private func menu(
        _ votes: CardListConfiguration.VotingOptions, _ edit: (inout CardOptions) -> Void = { _ in }
    ) throws -> [String] {
        var options = CardOptions()
        edit(&options)
        let card = try outline([.headline("h")], options: options) { $0.votingOptions = votes }["card/c"]
        return card?.tags("button").filter { $0["role"] == "menuitem" }.compactMap { $0["data-event"] } ?? []
    }

    @Test func `the menu offers snooze and dismiss, and votes only where the app turned them on`() throws {
        #expect(try menu([]) == ["open-snooze", "dismiss"])
        #expect(try menu(.useful) == ["vote-useful", "open-snooze", "dismiss"])
        #expect(try menu(.notUseful) == ["vote-not-useful", "open-snooze", "dismiss"])
        #expect(try menu([.useful, .notUseful]).prefix(2) == ["vote-useful", "vote-not-useful"])
    }

    @Test func `a card's own flags take dismiss, snooze and votes out of its menu`() throws {
        let all: CardListConfiguration.VotingOptions = [.useful, .notUseful]
        #expect(try !menu(all) { $0.dismissOverflowDisabled = true }.contains("dismiss"))
        #expect(try !menu(all) { $0.snoozeOverflowDisabled = true }.contains("open-snooze"))
        let silent = try menu(all) {
            $0.voteUpOverflowDisabled = true
            $0.voteDownOverflowDisabled = true
        }
        #expect(silent == ["open-snooze", "dismiss"])
    }

    @Test func `a card whose menu would be empty has no menu button`() throws {
        var options = CardOptions()
        options.dismissOverflowDisabled = true
        options.snoozeOverflowDisabled = true
        let card = try #require(outline([.headline("h")], options: options)["card/c"])
        #expect(card.first("button", where: "aria-haspopup", is: "menu") == nil)
    }

    @Test func `a swipe uncovers snooze and dismiss unless the card's flags say no`() throws {
        func quick(_ options: CardOptions) throws -> [String] {
            let card = try #require(outline([.headline("h")], options: options)["card/c"])
            return card.tags("button").filter { $0["class"]?.hasPrefix("quick") == true }
                .compactMap { $0["data-event"] }
        }
        var options = CardOptions()
        #expect(try quick(options) == ["open-snooze", "dismiss"])
        options.snoozeSwipeDisabled = true
        #expect(try quick(options) == ["dismiss"])
        options.dismissSwipeDisabled = true
        #expect(try quick(options).isEmpty)
    }

    @Test func `the app's string for snooze is in the menu and on the snooze screen`() throws {
        let parts = try outline([.headline("h")], overlay: .snooze(card: "c")) {
            $0.setValue("Later", for: .cardSnoozeTitle)
        }
        #expect(parts["card/c"]?.text.contains("Later") == true)
        #expect(parts["snooze"]?.text.contains("Later") == true)
    }

    @Test func `the snooze screen takes a date and time and offers only the future`() throws {
        let screen = try #require(outline([.headline("h")], overlay: .snooze(card: "c"))["snooze"])
        let field = try #require(screen.first("input", where: "type", is: "datetime-local"))
        #expect(field["min"] == "2027-01-15T08:01")
        #expect(field["value"] == "2027-01-16T09:00")
        let choices = screen.tags("button").filter { $0["data-event"] == "snooze-until" }
            .compactMap { $0["data-value"].flatMap { Int64($0) } }
        #expect(choices.count == 4)
        #expect(choices == choices.sorted())
        #expect(choices.allSatisfy { $0 > Samples.now.microseconds })
    }

    @Test func `in the evening the snooze screen does not offer this evening`() {
        let evening = Samples.now + .seconds(9 * 3600 + 1800)
        let names = SnoozeChoices(now: evening, environment: SurfaceEnvironment()).all.map(\.name)
        #expect(names == [.snoozeInOneHour, .snoozeTomorrowMorning, .snoozeNextWeek])
    }

    @Test func `tomorrow morning is nine o'clock on the user's own clock, across a change of the clocks`() {
        let saturday = Timestamp(seconds: 1_806_148_800)  // 27 March 2027, 12:00 UTC; Berlin changes at night
        let environment = SurfaceEnvironment(timeZone: "Europe/Berlin")
        let morning = SnoozeChoices(now: saturday, environment: environment).suggestion
        #expect(SurfaceDate.field(morning, timeZone: "Europe/Berlin") == "2027-03-28T09:00")
    }

    @Test func `the feedback screen offers three reasons in their documented order`() throws {
        let screen = try #require(outline([.headline("h")], overlay: .feedback(card: "c"))["feedback"])
        let reasons = screen.tags("input").filter { $0["type"] == "radio" }.compactMap { $0["value"] }
        #expect(reasons == ["not-relevant", "too-often", "something-else"])
        let places = ["It’s not relevant", "I see this too often", "Something else"].map {
            screen.text.range(of: $0)?.lowerBound
        }
        #expect(!places.contains(nil))
        #expect(places.compactMap { $0 } == places.compactMap { $0 }.sorted())
        #expect(screen.text.contains("Send feedback"))
        #expect(screen.first("button", where: "type", is: "submit")?["disabled"] != nil)
    }

    @Test func `only Something else asks for the user's own words`() throws {
        for reason in CardListConfiguration.FeedbackReason.allCases {
            let parts = try outline([.headline("h")], overlay: .feedback(card: "c", reason: reason))
            let screen = try #require(parts["feedback"])
            #expect(screen.tags("textarea").count == (reason == .other ? 1 : 0))
            #expect(screen.tags("textarea").allSatisfy { $0["data-maximum-characters"] == "280" })
            #expect(screen.first("button", where: "type", is: "submit")?["disabled"] == nil)
        }
    }

    // MARK: Elements

    @Test(arguments: [CardImage.Height.tall, .medium, .short, .original])
    func `an image has the frame of its height, and may link to the web or to a subview`(
        height: CardImage.Height
    ) throws {
        func card(_ action: CardLinkAction?) throws -> HTMLOutline {
            let image = CardImage(
                url: "https://a.example/i.png", alternateText: "words", height: height, action: action)
            let subviews = ["s": CardSubview(title: "t", nodes: [])]
            return try #require(outline([.image(image)], subviews: subviews)["card/c"])
        }
        let frame = "media media-\(height.rawValue)"
        #expect(try card(nil).first("div", where: "class", is: frame) != nil)
        #expect(try card(nil).tags("img")[0]["alt"] == "words")
        #expect(
            try card(.url("https://b.example/")).first("a", where: "class", is: frame)?["href"]
                == "https://b.example/")
        #expect(try card(.subview("s")).first("button", where: "class", is: frame)?["data-subview"] == "s")
        #expect(try card(.subview("gone")).first("button", where: "class", is: frame) == nil)
    }

    @Test func `the three kinds of list look different`() throws {
        let items = [Samples.text("one"), Samples.text("two")]
        func card(_ style: CardList.Style) throws -> HTMLOutline {
            try #require(outline([.list(CardList(style: style, items: items))])["card/c"])
        }
        #expect(try card(.ordered).tags.map(\.name).contains("ol"))
        #expect(try card(.unordered).tags.map(\.name).contains("ul"))
        #expect(try card(.comma).text.contains("one, two"))
    }

    @Test func `a field has its label, and its problem beside it`() throws {
        let field = CardNode.textInput(CardTextInput(name: "n", label: "Name"))
        var state = Samples.ready([Samples.item("c", [.form([field])])])
        state.problems = ["c": ["n": "Fill in this field."]]
        let card = try #require(Samples.outlines(state)["card/c"])
        let input = try #require(card.first("input", where: "data-input", is: "n"))
        #expect(card.first("label", where: "for", is: input["id"] ?? "") != nil)
        #expect(input["aria-invalid"] == "true")
        #expect(card.first("p", where: "id", is: input["aria-describedby"] ?? "") != nil)
        #expect(card.text.contains("Fill in this field."))
    }

    @Test func `a snooze button opens the screen, or snoozes at once where it has its own time`() throws {
        let nodes: [CardNode] = [
            .snoozeButton(CardSnoozeButton(text: "ask")),
            .snoozeButton(CardSnoozeButton(text: "hour", seconds: 3600)),
        ]
        let card = try #require(outline(nodes)["card/c"])
        #expect(card.first("button", where: "data-node", is: "0")?["data-event"] == "open-snooze")
        #expect(card.first("button", where: "data-node", is: "1")?["data-event"] == "snooze")
    }

    @Test func `a subview shows its title, its elements and the way back`() throws {
        let subviews = ["s": CardSubview(title: "Inside", nodes: [.headline("deep")])]
        let parts = try outline(
            [.headline("h")], subviews: subviews, overlay: .subviews(card: "c", ids: ["s"]))
        let screen = try #require(parts["subview/1/s"])
        #expect(screen.text.contains("Inside") && screen.text.contains("deep"))
        #expect(screen.first("button", where: "data-event", is: "close-subview") != nil)
        #expect(screen.first("section", where: "role", is: "dialog")?["aria-modal"] == "true")
    }

    @Test func `an overlay disappears with its card or its subview`() throws {
        for overlay: CardListState.Overlay in [
            .snooze(card: "gone"), .feedback(card: "gone"), .subviews(card: "gone", ids: ["s"]),
            .subviews(card: "c", ids: ["gone"]),
        ] {
            let keys = try outline([.headline("h")], overlay: overlay).keys.sorted()
            #expect(keys == ["arrivals", "card/c", "header"])
        }
    }

    @Test func `a busy card is marked as busy and its buttons are disabled`() throws {
        var state = Samples.ready([Samples.item("c", [.submitButton(CardSubmitButton(text: "Go"))])])
        state.busyCards = ["c"]
        let card = try #require(Samples.outlines(state)["card/c"])
        #expect(card.tags("article")[0]["aria-busy"] == "true")
        #expect(card.first("button", where: "data-event", is: "submit")?["disabled"] != nil)
    }

    @Test func `DOM ids of unusual card ids differ and contain no space`() {
        #expect(DOMName.make("a b") != DOMName.make("a_32_b") && !DOMName.make("a b").contains(" "))
    }
}
