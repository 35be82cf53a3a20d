import Foundation
@_spi(Inlay) import InlayCards
@_spi(Inlay) import InlayCore
@_spi(Inlay) import InlayCardsView
@_spi(Inlay) import InlaySurface
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
import Testing

@Suite struct CardListSurfaceTests {
    /// A session with scripted cards, its surface, and the outcomes that are reported to the app.
    private struct Fixture {
        let base: CardsFixture
        let surface: CardListSurface
        let outcomes: StreamRecorder<CardListSurface.Outcome>
    }

    private func fixture(
        _ nodes: [CardNode] = [.headline("Hi")], cards: [String] = ["a"],
        subviews: [String: CardSubview] = [:],
        configuration: CardListConfiguration = CardListConfiguration()
    ) async throws -> Fixture {
        let base = try await CardsFixture.start()
        base.server.always(
            CardsFixture.appearance, try .json(CardAppearance(version: 1, light: CardTheme())))
        try base.serve(
            Sample.feed(
                1, cards.map { Sample.instance($0) },
                layouts: ["t@1": CardLayout(nodes: nodes, subviews: subviews)]))
        let (outcomes, continuation) = AsyncStream.makeStream(of: CardListSurface.Outcome.self)
        let surface = try CardListSurface(base.cards, container: "c", configuration: configuration) {
            continuation.yield($0)
        }
        return Fixture(base: base, surface: surface, outcomes: StreamRecorder(outcomes))
    }

    @Test func `cards appear, and a dismissed one disappears with a toast and notifies the app`() async throws
    {
        let fixture = try await fixture(cards: ["a", "b"])
        let page = TestPage(fixture.surface)
        try await page.untilCards(["a", "b"])
        page.user("dismiss", ["card": "a"])
        try await page.untilCards(["b"])
        try await page.until {
            $0.contains { $0.key.hasPrefix("toast/") && $0.value.contains("Card dismissed") }
        }
        try await fixture.outcomes.until { $0 == .dismissed(card: "a") }
        // The app is notified once the action is stored; the request follows.
        try await fixture.base.server.untilRequests(InlayPath.cardActions, 1)
        #expect(try fixture.base.actions.map(\.kind) == [.dismiss])
    }

    @Test func `a first load that fails offers to try again, and trying again shows the cards`() async throws
    {
        let fixture = try await fixture()
        fixture.base.server.always(CardsFixture.appearance, .failure(.unreachable("offline")))
        fixture.base.server.next(CardsFixture.feed, .failure(.unreachable("offline")))
        let page = TestPage(fixture.surface)
        try await page.until {
            $0["launch"]?.contains("<p class=\"launch-message\">No internet connection</p>") == true
        }
        fixture.base.server.always(
            CardsFixture.appearance, try .json(CardAppearance(version: 1, light: CardTheme())))
        page.user("retry")
        try await page.untilCards(["a"])
        #expect(page.regions["launch"] == nil)
    }

    @Test(
        arguments: [
            (
                paths: [CardsFixture.appearance, CardsFixture.feed], region: "launch",
                opening: "<p class=\"launch-message\">"
            ),
            (paths: [CardsFixture.feed], region: "failure", opening: "<p>"),
        ],
        [
            (ScriptedResponse.status(500), "Couldn&#39;t load data"),
            (.failure(.unreachable("offline")), "No internet connection"),
        ])
    func `a card list that cannot be loaded shows Try again, with or without its theme`(
        failing: (paths: [String], region: String, opening: String),
        trouble: (answer: ScriptedResponse, message: String)
    ) async throws {
        let fixture = try await fixture()
        for path in failing.paths { fixture.base.server.always(path, trouble.answer) }
        let page = TestPage(fixture.surface)
        try await page.until { $0[failing.region]?.contains("data-event=\"retry\"") == true }
        // The whole of the default text, and nothing else in its element.
        let shown = try #require(page.regions[failing.region])
        #expect(shown.contains("\(failing.opening)\(trouble.message)</p>"), "\(shown)")
        #expect(shown.contains(">Try again<"))
    }

    @Test func `a form that breaks its rules shows why and submits nothing, then submits typed values`()
        async throws
    {
        var rules = CardInputRules()
        rules.required = .init(true, message: "Name, please")
        let fixture = try await fixture([
            .form([
                .textInput(CardTextInput(name: "who", label: "Who", rules: rules)),
                .numberInput(CardNumberInput(name: "n", label: "N")),
                .submitButton(
                    CardSubmitButton(text: "Go", buttonName: "go", values: ["extra": .boolean(true)])),
            ])
        ])
        let page = TestPage(fixture.surface)
        try await page.untilCards(["a"])
        page.user("submit", ["card": "a", "node": "0.2", "values": ["who": "", "n": "2"]])
        try await page.until { $0["card/a"]?.contains("Name, please") == true }
        #expect(fixture.base.server.requests(InlayPath.cardActions).isEmpty)
        page.user("submit", ["card": "a", "node": "0.2", "values": ["who": "Ada", "n": "2"]])
        try await page.untilCards([])
        try await fixture.outcomes.until { $0 == .submitted(card: "a", button: "go") }
        #expect(
            try fixture.base.actions.map(\.kind) == [
                .submit(buttonName: "go", values: ["who": "Ada", "n": .number(2), "extra": .boolean(true)])
            ])
    }

    @Test func `a submit button's payload reaches the app only after the server has the submission`()
        async throws
    {
        let button = CardSubmitButton(
            text: "Go", buttonName: "go", action: .payload(["screen": "home-screen"]))
        let fixture = try await fixture([.submitButton(button)], cards: ["a", "b"])
        let page = TestPage(fixture.surface)
        try await page.untilCards(["a", "b"])
        fixture.base.server.hold(InlayPath.cardActions)
        page.user("submit", ["card": "a", "node": "0", "values": [:]])
        try await fixture.base.server.untilHeld(InlayPath.cardActions)
        // Later actions of the user are reported meanwhile.
        page.user("dismiss", ["card": "b"])
        try await fixture.outcomes.until(count: 1)
        #expect(fixture.outcomes.elements == [.dismissed(card: "b")])
        fixture.base.server.release(InlayPath.cardActions)
        try await fixture.outcomes.until { $0 == .submitPayload(card: "a", ["screen": "home-screen"]) }
    }

    @Test func `a refused submission brings the card back, notifies the app, and hands over no payload`()
        async throws
    {
        let button = CardSubmitButton(text: "Go", action: .payload(["screen": "x"]))
        let fixture = try await fixture([.submitButton(button)])
        let problem = Problem(.invalidValue, status: 422, title: "No")
        fixture.base.server.always(InlayPath.cardActions, .receipts { _ in problem })
        let page = TestPage(fixture.surface)
        try await page.untilCards(["a"])
        page.user("submit", ["card": "a", "node": "0", "values": [:]])
        try await fixture.outcomes.until { $0 == .submitFailed(card: "a", .refused(problem)) }
        try await page.untilCards(["a"])
        #expect(fixture.outcomes.elements.count == 1)
    }

    @Test(arguments: [nil, "more"])
    func
        `a form that the server rejects is shown again with the typed values and the error at the field`(
            subview: String?
        ) async throws
    {
        let form: [CardNode] = [
            .form([
                .textInput(CardTextInput(name: "who", label: "Who")),
                .numberInput(CardNumberInput(name: "n", label: "N", defaultValue: 1)),
                .submitButton(CardSubmitButton(text: "Go", buttonName: "go")),
            ])
        ]
        let fixture = try await fixture(
            subview == nil ? form : [.headline("Hi")],
            subviews: ["more": CardSubview(title: "More", nodes: form)])
        let problem = Problem(
            .invalidSubmission, status: 422, title: "No",
            fields: [FieldProblem(field: "n", .tooLarge, "Five at most")])
        fixture.base.server.next(InlayPath.cardActions, .receipts { _ in problem })
        let page = TestPage(fixture.surface)
        try await page.untilCards(["a"])
        if subview != nil { page.user("open-subview", ["card": "a", "subview": "more"]) }
        var pressed: [String: JSONValue] = ["card": "a", "node": "0.2", "values": ["who": "Ada", "n": "7"]]
        pressed["view"] = subview.map { .string($0) }
        page.user("submit", pressed)
        let region = subview == nil ? "card/a" : "subview/1/more"
        try await page.until { $0["card/a"] != nil && $0[region]?.contains("Five at most") == true }
        let drawn = try #require(page.regions[region])
        #expect(drawn.contains("value=\"Ada\"") && drawn.contains("value=\"7\""))
        #expect(drawn.contains("aria-invalid=\"true\""))
        pressed["values"] = ["who": "Ada", "n": "5"]
        page.user("submit", pressed)
        try await page.untilCards([])
        try await fixture.outcomes.until { $0 == .submitted(card: "a", button: "go") }
    }

    @Test func `subviews are a stack: Back leads to the one before, and the events have the level`()
        async throws
    {
        let fixture = try await fixture(
            [.linkButton(CardLinkButton(text: "A", action: .subview("first")))],
            subviews: [
                "first": CardSubview(
                    title: "First",
                    nodes: [.linkButton(CardLinkButton(text: "B", action: .subview("second")))]),
                "second": CardSubview(title: "Second", nodes: [.headline("Inside")]),
            ])
        let events = StreamRecorder(fixture.base.session.events.observe())
        let page = TestPage(fixture.surface)
        try await page.untilCards(["a"])
        page.user("open-subview", ["card": "a", "subview": "first"])
        // A late event about another card closes nothing.
        page.user("close-subview", ["card": "b"])
        page.user("open-subview", ["card": "a", "subview": "second"])
        try await page.until { $0["subview/1/first"] != nil && $0["subview/2/second"] != nil }
        page.user("close-subview", ["card": "a"])
        try await page.until { $0["subview/1/first"] != nil && $0["subview/2/second"] == nil }
        page.user("close-subview", ["card": "a"])
        try await page.until { $0["subview/1/first"] == nil }
        try await events.until { $0.name == .cardSubviewExited && $0.properties["subviewLevel"] == 1 }
        let subviewEvents = events.elements.filter { $0.properties["subviewLevel"] != nil }
        #expect(
            subviewEvents.map { "\($0.name.rawValue) \($0.properties["subviewId"]?.string ?? "")" } == [
                "card-subview-displayed first", "card-subview-displayed second", "card-subview-exited second",
                "card-subview-exited first",
            ])
        #expect(subviewEvents.map { $0.properties["subviewLevel"] } == [1, 2, 2, 1])
    }

    @Test func `a card is reported once per view and page, and is seen from then on`() async throws {
        let fixture = try await fixture()
        let page = TestPage(fixture.surface)
        try await page.untilCards(["a"])
        #expect(await fixture.base.cards.current("c").unseen == 1)
        let events = StreamRecorder(fixture.base.session.events.observe())
        for _ in 1...3 { page.user("displayed", ["card": "a"]) }
        page.user("displayed", ["card": "nobody"])
        page.user("dismiss", ["card": "nobody"])
        await page.close()
        #expect(await fixture.base.cards.current("c").unseen == 0)
        let second = TestPage(fixture.surface)
        try await second.untilCards(["a"])
        second.user("displayed", ["card": "a"])
        await second.close()
        try await events.until { _ in events.elements.filter { $0.name == .cardDisplayed }.count == 2 }
        #expect(events.elements.filter { $0.name == .streamDisplayed }.count == 1)
        let later = try await fixture.base.restarted()
        #expect(await later.cards.current("c").unseen == 0)
    }

    @Test func `the snooze picker opens, is cancelled, refuses the past, and hides the card`() async throws {
        let fixture = try await fixture([.snoozeButton(CardSnoozeButton(text: "Later"))])
        let events = StreamRecorder(fixture.base.session.events.observe())
        let page = TestPage(fixture.surface)
        try await page.untilCards(["a"])
        page.user("snooze", ["card": "a", "node": "0"])
        try await page.until { $0["snooze"] != nil }
        page.user("cancel-snooze", ["card": "a"])
        try await page.until { $0["snooze"] == nil }
        page.user("open-snooze", ["card": "a"])
        page.user("snooze-until", ["card": "a", "value": .string(String(Sample.noon.microseconds - 1))])
        try await page.until { $0["snooze"]?.contains("Choose a time in the future") == true }
        let until = Sample.noon + .seconds(600)
        page.user("snooze-until", ["card": "a", "value": .string(String(until.microseconds))])
        try await page.untilCards([])
        try await fixture.base.server.untilRequests(InlayPath.cardActions)
        #expect(try fixture.base.actions.map(\.kind) == [.snooze(until: until)])
        try await fixture.outcomes.until { $0 == .snoozed(card: "a", until: until) }
        try await events.until { $0.name == .snoozeOptionsCanceled && $0.cardID == "a" }
        #expect(events.elements.filter { $0.name == .snoozeOptionsDisplayed }.count == 2)
    }

    @Test func `links lead to addresses, subviews and the app, and never to a script`() async throws {
        let fixture = try await fixture(
            [
                .linkButton(CardLinkButton(text: "Web", action: .url("https://x.test/a"))),
                .image(
                    CardImage(url: "https://x/y.png", alternateText: "", action: .payload(["screen": "home"]))
                ),
                .linkButton(CardLinkButton(text: "More", action: .subview("more"))),
                .linkButton(CardLinkButton(text: "Bad", action: .url("javascript:alert(1)"))),
            ], subviews: ["more": CardSubview(title: "More about it", nodes: [.headline("Inside")])])
        let events = StreamRecorder(fixture.base.session.events.observe())
        let page = TestPage(fixture.surface)
        try await page.untilCards(["a"])
        page.user("link", ["card": "a", "node": "3"])
        page.user("text-link", ["card": "a", "href": "JavaScript:alert(1)"])
        page.user("link", ["card": "a", "node": "0"])
        page.user("link", ["card": "a", "node": "1"])
        page.user("link", ["card": "a", "node": "2"])
        try await page.until { $0["subview/1/more"]?.contains("Inside") == true }
        page.user("close-subview", ["card": "a"])
        try await page.until { $0["subview/1/more"] == nil }
        try await events.until { $0.name == .cardSubviewExited }
        let redirects = events.elements.filter { $0.name == .userRedirected }
        #expect(redirects.map { $0.properties["detail"] } == ["linkButton", "image"])
        // The page follows its links itself; a `navigate` message would open the address twice.
        #expect(!page.messages.elements.contains { $0.kind == "navigate" })
        #expect(
            fixture.outcomes.elements == [
                .opened(card: "a", address: "https://x.test/a"), .linkPayload(card: "a", ["screen": "home"]),
            ])
        let subview = try #require(events.elements.first { $0.name == .cardSubviewDisplayed })
        #expect(
            subview.properties == ["subviewId": "more", "subviewTitle": "More about it", "subviewLevel": 1])
    }

    @Test func `votes need to be enabled, and feedback needs its screen and Submit`() async throws {
        var configuration = CardListConfiguration()
        let silent = try await fixture(configuration: configuration)
        configuration.votingOptions = [.useful, .notUseful]
        let fixture = try await fixture(configuration: configuration)
        let events = StreamRecorder(fixture.base.session.events.observe())
        let page = TestPage(fixture.surface)
        try await page.untilCards(["a"])
        page.user("send-feedback", ["card": "a", "value": "too-often"])
        page.user("vote-useful", ["card": "a"])
        page.user("vote-not-useful", ["card": "a"])
        try await page.until { $0["feedback"] != nil }
        page.user("cancel-feedback", ["card": "a"])
        try await page.until { $0["feedback"] == nil }
        page.user("vote-not-useful", ["card": "a"])
        page.user(
            "send-feedback",
            ["card": "a", "value": "something-else", "text": .string(String(repeating: "x", count: 281))])
        try await events.until { $0.name == .cardVotedDown }
        let votes = events.elements.filter { $0.name == .cardVotedDown }
        #expect(votes.count == 1)
        #expect(votes.first?.properties["reason"] == "something-else")
        #expect(votes.first?.properties["message"]?.string?.count == 280)
        #expect(events.elements.filter { $0.name == .cardVotedUp }.count == 1)

        let quiet = StreamRecorder(silent.base.session.events.observe())
        let other = TestPage(silent.surface)
        try await other.untilCards(["a"])
        other.user("vote-useful", ["card": "a"])
        other.user("dismiss", ["card": "a"])
        try await quiet.until { $0.name == .cardDismissed }
        #expect(!quiet.elements.contains { $0.name == .cardVotedUp })
    }

    @Test func `filters narrow the list at once and nil shows all again`() async throws {
        let fixture = try await fixture(cards: ["a", "b"])
        let page = TestPage(fixture.surface)
        try await page.untilCards(["a", "b"])
        await fixture.surface.apply([.card(id: "b")])
        try await page.untilCards(["b"])
        await fixture.surface.apply([])
        try await page.untilCards(["a", "b"])
        #expect(fixture.base.server.requests(CardsFixture.feed).count == 1)
    }

    @Test func `a dismissal does not wait for a refresh that a slow network holds up`() async throws {
        let fixture = try await fixture(cards: ["a", "b"])
        let page = TestPage(fixture.surface)
        try await page.untilCards(["a", "b"])
        let (answers, answer) = AsyncStream.makeStream(of: Void.self)
        fixture.base.server.always(
            CardsFixture.feed,
            .handler { (_) async throws(TransportError) -> TransportResponse in
                for await _ in answers {}
                throw .unreachable("offline")
            })
        page.user("refresh")
        page.user("dismiss", ["card": "a"])
        try await page.untilCards(["b"])
        answer.finish()
    }

    @Test func `an overlay that closed with its card does not return with the card`() async throws {
        let fixture = try await fixture(
            [.headline("Hi")], subviews: ["more": CardSubview(title: "More", nodes: [])])
        let page = TestPage(fixture.surface)
        try await page.untilCards(["a"])
        page.user("open-subview", ["card": "a", "subview": "more"])
        try await page.until { $0["subview/1/more"] != nil }
        try fixture.base.serve(Sample.feed(2, []))
        await fixture.surface.refresh()
        try await page.until { $0["subview/1/more"] == nil && $0["card/a"] == nil }
        let layout = CardLayout(
            nodes: [.headline("Hi")], subviews: ["more": CardSubview(title: "More", nodes: [])])
        for (version, cards) in [(3, ["a"]), (4, ["a", "b"])] as [(Int64, [String])] {
            try fixture.base.serve(
                Sample.feed(version, cards.map { Sample.instance($0) }, layouts: ["t@1": layout]))
            await fixture.surface.refresh()
            try await page.untilCards(Set(cards))
        }
        // The patches of the card's return were sent before the other card.
        #expect(page.regions["subview/1/more"] == nil)
    }

    @Test func `two views show the same list, and a page that reloads is drawn completely`()
        async throws
    {
        let fixture = try await fixture()
        let (one, two) = (TestPage(fixture.surface), TestPage(fixture.surface))
        try await one.untilCards(["a"])
        try await two.untilCards(["a"])
        let before = one.messages.elements.count
        one.send("ready", ["colorScheme": "dark"])
        try await one.messages.until { _ in
            one.messages.elements.dropFirst(before).contains { "\($0.payload)".contains("card/a") }
        }
        two.user("dismiss", ["card": "a"])
        try await one.untilCards([])
        try await two.untilCards([])
    }
}
