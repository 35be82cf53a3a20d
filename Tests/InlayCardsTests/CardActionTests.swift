@_spi(Inlay) import InlayCards
@_spi(Inlay) import InlayCore
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
import Testing

@Suite struct CardActionTests {
    @Test func `a dismissed card disappears before the server has the action`() async throws {
        let fixture = try await CardsFixture.start()
        try fixture.serve(Sample.feed(1, [Sample.instance("a"), Sample.instance("b")]))
        let states = fixture.observe()
        try await states.untilNewest(cards: ["a", "b"])
        fixture.server.hold(InlayPath.cardActions)
        let ticket = try await fixture.cards.dismiss("a", in: "c")
        try await states.untilNewest(cards: ["b"])
        try await fixture.server.untilHeld(InlayPath.cardActions)
        fixture.server.release(InlayPath.cardActions)
        try await ticket.confirmed()
        let action = try #require(try fixture.actions.first)
        #expect(action.id == ticket.id && action.cardID == "a" && action.containerID == "c")
        #expect(action.kind == .dismiss && action.layoutID == "t@1")
    }

    @Test func `a closed card stays gone after a restart and a stale feed, until a newer feed lacks it`()
        async throws
    {
        let fixture = try await CardsFixture.start()
        try fixture.serve(Sample.feed(1, [Sample.instance("a"), Sample.instance("b")]))
        try await fixture.cards.refresh("c")
        try await fixture.cards.dismiss("a", in: "c").confirmed()
        // The feed of a delayed replica: newer than the stored feed, but from before the action.
        try fixture.serve(Sample.feed(2, [Sample.instance("a"), Sample.instance("b")]))
        #expect(try await fixture.cards.cards(in: "c").map(\.id) == ["b"])
        let later = try await fixture.restarted()
        try later.serve(Sample.feed(3, [Sample.instance("a"), Sample.instance("b")]))
        #expect(try await later.cards.cards(in: "c").map(\.id) == ["b"])
        #expect(await later.cards.explain("a", in: "c") == .done(.dismissed, isConfirmed: true))
        try later.serve(Sample.feed(4, [Sample.instance("b")]))
        #expect(try await later.cards.cards(in: "c").map(\.id) == ["b"])
        #expect(await later.cards.explain("a", in: "c") == .notInFeed(version: 4))
    }

    @Test func `an action taken offline is kept over a restart, hides its card, and is sent once`()
        async throws
    {
        let fixture = try await CardsFixture.start()
        try fixture.serve(Sample.feed(1, [Sample.instance("a")]))
        try await fixture.cards.refresh("c")
        fixture.server.always(InlayPath.cardActions, .failure(.unreachable("offline")))
        let ticket = try await fixture.cards.submit(
            "a", in: "c", button: "go", values: ["n": 3.0, "s": "x", "b": true])
        await #expect(throws: CardActionError.notSent(.network(.unreachable("offline")))) {
            try await ticket.confirmed()
        }
        let later = try await fixture.restarted()
        later.server.hold(InlayPath.cardActions)
        #expect(await later.cards.current("c").cards.isEmpty)
        try await later.server.untilHeld(InlayPath.cardActions)
        later.server.release(InlayPath.cardActions)
        try await later.server.untilRequests(InlayPath.cardActions)
        let sent = try later.actions
        #expect(sent.map(\.id) == [ticket.id])
        #expect(sent.first?.kind == .submit(buttonName: "go", values: ["n": 3.0, "s": "x", "b": true]))
    }

    @Test func `a refused action shows the card again and throws the problem`() async throws {
        let fixture = try await CardsFixture.start()
        try fixture.serve(Sample.feed(1, [Sample.instance("a")]))
        let states = fixture.observe()
        let events = StreamRecorder(fixture.session.events.observe())
        try await states.untilNewest(cards: ["a"])
        let problem = Problem(.invalidValue, status: 422, title: "Too late")
        fixture.server.always(InlayPath.cardActions, .receipts { _ in problem })
        let ticket = try await fixture.cards.submit("a", in: "c", button: "go")
        await #expect(throws: CardActionError.refused(problem)) { try await ticket.confirmed() }
        try await states.untilNewest(cards: ["a"])
        try await events.until { $0.name == .cardActionRefused && $0.cardID == "a" }
    }

    @Test func `a card that another action closed stays hidden, and the later action throws the conflict`()
        async throws
    {
        let fixture = try await CardsFixture.start()
        try fixture.serve(Sample.feed(1, [Sample.instance("a")]))
        try await fixture.cards.refresh("c")
        let conflict = Problem(.conflict, status: 409, title: "Already completed")
        fixture.server.always(InlayPath.cardActions, .receipts { _ in conflict })
        let ticket = try await fixture.cards.dismiss("a", in: "c")
        await #expect(throws: CardActionError.refused(conflict)) { try await ticket.confirmed() }
        #expect(await fixture.cards.current("c").cards.isEmpty)
    }

    @Test func `the same closing action twice is one action, another one is refused at once`() async throws {
        let fixture = try await CardsFixture.start()
        fixture.server.hold(InlayPath.cardActions)
        async let one = fixture.cards.dismiss("a", in: "c")
        async let two = fixture.cards.dismiss("a", in: "c")
        let ids = try await [one.id, two.id]
        #expect(Set(ids).count == 1)
        await #expect(throws: CardActionError.alreadyClosed(.dismissed)) {
            try await fixture.cards.submit("a", in: "c", button: nil)
        }
        fixture.server.release(InlayPath.cardActions)
        try await fixture.cards.dismiss("a", in: "c").confirmed()
        #expect(try fixture.actions.count == 1)
    }

    @Test func `a snoozed card returns at its moment, and can be snoozed again`() async throws {
        let fixture = try await CardsFixture.start()
        try fixture.serve(Sample.feed(1, [Sample.instance("a")]))
        let states = fixture.observe()
        try await states.untilNewest(cards: ["a"])
        for _ in 1...2 {
            let ticket = try await fixture.cards.snooze("a", in: "c", for: .seconds(60))
            try await states.untilNewest(cards: [])
            try await ticket.confirmed()
            let until = fixture.clock.now() + .seconds(60)
            #expect(try fixture.actions.last?.kind == .snooze(until: until))
            #expect(await fixture.cards.explain("a", in: "c") == .snoozed(until: until))
            try await fixture.clock.untilSleeping(for: .seconds(60))
            fixture.clock.advance(by: .seconds(60))
            try await states.untilNewest(cards: ["a"])
        }
        #expect(try fixture.actions.count == 2)
    }

    @Test func `a card that the server reactivates early is shown before its snooze ends`() async throws {
        let fixture = try await CardsFixture.start()
        try fixture.serve(Sample.feed(1, [Sample.instance("a")]))
        try await fixture.cards.refresh("c")
        try await fixture.cards.snooze("a", in: "c", for: .seconds(3600)).confirmed()
        try fixture.serve(Sample.feed(2, [Sample.instance("a", active: Sample.noon + .seconds(5))]))
        #expect(try await fixture.cards.cards(in: "c").map(\.id) == ["a"])
    }

    @Test func `a negative snooze and one into the past are refused before anything is sent`() async throws {
        let fixture = try await CardsFixture.start()
        await #expect(throws: CardActionError.self) {
            try await fixture.cards.snooze("a", in: "c", for: .seconds(-1))
        }
        await #expect(throws: CardActionError.self) {
            try await fixture.cards.snooze("a", in: "c", until: Sample.noon + .microseconds(-1))
        }
        try await fixture.cards.snooze("b", in: "c", for: .zero).confirmed()
        #expect(try fixture.actions.map(\.cardID) == ["b"])
    }

    @Test(arguments: ["", String(repeating: "x", count: 129)])
    func `ids outside their limits are refused before anything is sent`(id: String) async throws {
        let fixture = try await CardsFixture.start()
        await #expect(throws: CardActionError.self) { try await fixture.cards.dismiss(id, in: "c") }
        await #expect(throws: CardActionError.self) { try await fixture.cards.dismiss("a", in: id) }
        await #expect(throws: CardConnectionError.self) { try await fixture.cards.refresh(id) }
        #expect(fixture.server.requests.isEmpty)
    }

    @Test func `a submission is validated like on screen only when requested`() async throws {
        let fixture = try await CardsFixture.start()
        var rules = CardInputRules()
        rules.required = .init(true, message: "Your name, please")
        let layout = CardLayout(nodes: [
            .form([
                .textInput(CardTextInput(name: "name", label: "Name", rules: rules)),
                .submitButton(CardSubmitButton(text: "Go", buttonName: "go")),
            ])
        ])
        try fixture.serve(Sample.feed(1, [Sample.instance("a")], layouts: ["t@1": layout]))
        try await fixture.cards.refresh("c")
        await #expect(throws: CardActionError.validationFailed(["name": "Your name, please"])) {
            try await fixture.cards.submit("a", in: "c", button: "go", values: ["name": " "], validate: true)
        }
        await #expect(throws: CardActionError.unknownCard) {
            try await fixture.cards.submit("nobody", in: "c", button: "go", validate: true)
        }
        await #expect(throws: CardActionError.unknownCard) {
            try await fixture.cards.submit(
                "a", in: "c", button: "stop", values: ["name": "Ada"], validate: true)
        }
        #expect(fixture.server.requests(InlayPath.cardActions).isEmpty)
        try await fixture.cards.submit("a", in: "c", button: "go").confirmed()
        #expect(try fixture.actions.count == 1)
    }

    @Test func `a number that JSON cannot carry is refused`() async throws {
        let fixture = try await CardsFixture.start()
        await #expect(throws: CardActionError.self) {
            try await fixture.cards.submit("a", in: "c", button: nil, values: ["n": .number(.nan)])
        }
    }

    @Test func `without a token an action throws and sends nothing`() async throws {
        let fixture = try await CardsFixture.start(user: nil)
        await #expect(throws: CardActionError.storage(.noUser(.none))) {
            try await fixture.cards.dismiss("a", in: "c")
        }
        #expect(fixture.server.requests.isEmpty)
    }

    @Test func `after log-out an action throws loggedOut`() async throws {
        let fixture = try await CardsFixture.start()
        try await fixture.session.logOut()
        await #expect(throws: CardActionError.loggedOut) { try await fixture.cards.dismiss("a", in: "c") }
    }
}
