import Foundation
import InlaySQL
import InlaySQLTesting
import InlayTesting
@_spi(Inlay) import InlayWire
import Testing

@testable import InlayCardsServer
@testable import InlayServerCore
@testable import InlayServerTesting

@Suite struct CardTemplateTests {
    private func faults(_ draft: CardTemplateDraft) -> [String] {
        do {
            _ = try CardCompiler.compile(draft)
            return []
        } catch let errors as FieldErrors {
            return errors.items.map(\.field)
        } catch {
            return ["\(error)"]
        }
    }

    /// Returns a text of one character with this number of Unicode scalars.
    private func oneCharacter(_ scalars: Int) -> String {
        "e" + String(repeating: "\u{301}", count: scalars - 1)
    }

    private func draft(_ elements: CardElement...) -> CardTemplateDraft { .sample(elements: elements) }

    @Test func `every fault of a template is named by its field`() {
        var draft = draft(
            .headline(" "), .text(""), .image(CardImage(url: "javascript:x", alternateText: "")),
            .linkButton(CardLinkButton(text: "Go", action: .subview("nowhere"))),
            .list(style: .ordered, items: []),
            .form([.textInput(CardTextInput(name: "a b", label: "")), .form([])]))
        draft.priority = 11
        draft.name = ""
        draft.eventName = "a\nb"
        draft.definition.variables.append(.init(name: "name", kind: .number, defaultValue: .string("x")))
        #expect(
            faults(draft) == [
                "name", "eventName", "priority", "variables[1].name", "variables[1].defaultValue",
                "elements[0].text",
                "elements[1].text", "elements[2].url", "elements[3].action.subview", "elements[4].items",
                "elements[5].children[0].name", "elements[5].children[0].label", "elements[5].children[1]",
                "elements[5].children[1]",
            ])
    }

    @Test(arguments: [
        "javascript:alert(1)", "data:text/html,x", " https://a.example", "vbscript:x", "file:///x", "x",
    ])
    func `a button cannot lead to script`(_ url: String) {
        #expect(
            faults(draft(.linkButton(CardLinkButton(text: "Go", action: .url(url))))) == [
                "elements[0].action.url"
            ])
    }

    @Test(arguments: [
        "https://example.com/سلام", "https://example.com/می\u{200C}شود", "https://example.com/👩\u{200D}💻",
    ])
    func `a button, an image and a text may lead to addresses with joiners`(_ url: String) {
        let link = CardLinkButton(text: "Go", action: .url(url))
        let image = CardImage(url: url, alternateText: "", action: .url(url))
        #expect(faults(draft(.linkButton(link), .image(image), .text("[x](\(url))"))).isEmpty)
    }

    @Test func `a link in a text that would lose its target is a fault that names it`() throws {
        let draft = draft(
            .text("[a](https://example.com/\u{202E}x) and [b](/x)"),
            .list(style: .ordered, items: ["[c](javascript:x)"]))
        #expect(faults(draft) == ["elements[0].text", "elements[0].text", "elements[1].items[0]"])
        let errors = try #require(throws: FieldErrors.self) { try CardCompiler.compile(draft) }
        #expect(errors.items[1].message.contains("\"/x\""))
        let many = String(repeating: "[x](/y) ", count: 1_000)
        #expect(faults(self.draft(.text(many))).count == 10)
    }

    @Test func `a value or a button name that the server would refuse later is a fault of the template`() {
        func sample(value: Int, name: Int) -> CardTemplateDraft {
            .sample(
                elements: [.submitButton(CardSubmitButton(text: "Go", buttonName: oneCharacter(name)))],
                variables: [.init(name: "name", defaultValue: .string(oneCharacter(value)))])
        }
        #expect(faults(sample(value: 2_000, name: 128)).isEmpty)
        #expect(
            faults(sample(value: 2_001, name: 129)) == [
                "variables[0].defaultValue", "elements[0].buttonName",
            ])
    }

    @Test func `the lengths of texts are limited in Unicode scalars`() {
        func sample(over: Int) -> CardTemplateDraft {
            var rules = CardInputRules()
            rules.regex = .init(oneCharacter(500 + over))
            rules.required = .init(true, message: oneCharacter(280 + over))
            let input = CardTextInput(
                name: "a", label: oneCharacter(280 + over), placeholder: oneCharacter(280 + over),
                defaultValue: oneCharacter(2_000 + over), rules: rules)
            let button = CardSubmitButton(text: "Go", values: [oneCharacter(128 + over): .boolean(true)])
            var draft = draft(.headline(oneCharacter(280 + over)), .textInput(input), .submitButton(button))
            draft.name = oneCharacter(128 + over)
            return draft
        }
        #expect(faults(sample(over: 0)).isEmpty)
        #expect(
            faults(sample(over: 1)) == [
                "name", "elements[0].text", "elements[1].label", "elements[1].placeholder",
                "elements[1].defaultValue", "elements[1].rules.regex", "elements[1].rules.required.message",
                "elements[2].values",
            ])
        // This combining mark is a letter, and a family may have letters.
        let family = "e" + String(repeating: "\u{345}", count: 64)
        let theme = CardTheme(typography: ["body": CardTypography(family: family, size: 16)])
        #expect(throws: FieldErrors.self) { try CardThemeCheck.validate(name: "N", light: theme, dark: nil) }
        #expect(throws: FieldErrors.self) {
            try CardThemeCheck.validate(name: oneCharacter(129), light: CardTheme(), dark: nil)
        }
    }

    @Test func `a template has a name that an event can have, also in its number of bytes`() {
        var draft = draft(.headline("Hi"))
        draft.eventName = String(repeating: "e\u{301}", count: 128)
        #expect(faults(draft).isEmpty)
        draft.eventName = String(repeating: "e\u{301}\u{301}\u{301}", count: 128)
        #expect(faults(draft) == ["eventName"])
    }

    @Test func `a button may open the app's own scheme`() {
        #expect(
            faults(draft(.linkButton(CardLinkButton(text: "Go", action: .url("harbor://ticket/7"))))).isEmpty)
    }

    @Test func `contradictory or invalid rules of inputs are refused by field`() {
        var text = CardInputRules()
        text.regex = .init("([")
        text.minLength = .init(5)
        text.maxLength = .init(3)
        var number = CardInputRules()
        number.min = .init(2)
        number.max = .init(1)
        number.regex = .init("a")
        #expect(
            faults(
                draft(
                    .textInput(CardTextInput(name: "a", label: "A", rules: text)),
                    .numberInput(CardNumberInput(name: "a", label: "B", rules: number)))) == [
                    "elements[0].rules.maxLength", "elements[0].rules.regex", "elements[1].name",
                    "elements[1].rules.max", "elements[1].rules",
                ])
    }

    @Test(arguments: [(#"(?P<year>\d{4})"#, false), (#"(?<year>\d{4})"#, true), (#"(?<!-)\d+"#, true)])
    func `a pattern is accepted exactly when devices understand it`(pattern: String, isTaken: Bool) {
        var rules = CardInputRules()
        rules.regex = .init(pattern)
        let found = faults(draft(.textInput(CardTextInput(name: "a", label: "A", rules: rules))))
        #expect(found.isEmpty == isTaken)
    }

    @Test func `a Markdown link to a subview needs the subview`() {
        var draft = draft(.text("[more](subview:more)"))
        #expect(faults(draft) == ["elements[0].text"])
        draft.definition.subviews = [.init(id: "more", title: "More", elements: [.headline("Hi")])]
        #expect(faults(draft).isEmpty)
    }

    @Test func `what an author wrote compiles to the layout that devices show`() throws {
        var draft = draft(
            .category("News"), .text("**Hi**"), .list(style: .unordered, items: ["one"]),
            .form([.submitButton(CardSubmitButton(text: "Send"))]))
        draft.definition.subviews = [
            .init(id: "s", title: "S", elements: [.snoozeButton(CardSnoozeButton(text: "Later"))])
        ]
        let layout = try CardCompiler.compile(draft)
        #expect(
            layout.nodes == [
                .category("News"),
                .text(CardText(text: "**Hi**", rich: RichText([.paragraph([.strong([.text("Hi")])])]))),
                .list(
                    CardList(style: .unordered, items: [CardText(text: "one", rich: RichText(plain: "one"))])),
                .form([.submitButton(CardSubmitButton(text: "Send"))]),
            ])
        #expect(layout.subviews["s"]?.nodes == [.snoozeButton(CardSnoozeButton(text: "Later"))])
        #expect(layout.variables == [CardVariable(name: "name", defaultValue: .string(""))])
    }

    @Test(arguments: SQLEngine.allCases)
    func `a definition survives the database as it was`(_ engine: SQLEngine) async throws {
        try await CardsServerFixture.with(engine) { fixture in
            try await fixture.containers.save("env", id: "main", name: "Main")
            var draft = CardTemplateDraft.sample(
                elements: [
                    .image(
                        CardImage(
                            url: "https://a.example/p.png", alternateText: "P", height: .short,
                            action: .payload(["a": 1]))),
                    .numberInput(CardNumberInput(name: "n", label: "N", defaultValue: 1.5)),
                    .dismissButton(text: "No"),
                ], embargo: 5, expiry: 60)
            draft.definition.options.dismissSwipeDisabled = true
            let made = try await fixture.templates.create("env", draft)
            #expect(try await fixture.templates.template("env", made.id)?.draft == draft)
            #expect(try await fixture.templates.list("env").map(\.id) == [made.id])
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `publishing makes a version that never changes, and only when something changed`(
        _ engine: SQLEngine
    ) async throws {
        try await CardsServerFixture.with(engine) { fixture in
            let template = try await fixture.publish()
            #expect(template.layoutID == "\(template.id)@1" && !template.hasUnpublishedChanges)
            let old = try await fixture.card(of: "old")
            var draft = template.draft
            draft.definition.elements = [.headline("Changed")]
            let saved = try await fixture.templates.save("env", template.id, draft, over: template.revision)
            #expect(saved.hasUnpublishedChanges)
            #expect(try await fixture.card(of: "draft").layoutID == "\(template.id)@1")
            try await fixture.templates.publish("env", template.id)
            let again = try await fixture.templates.publish("env", template.id)
            #expect(again.publishedVersion == 2)
            #expect(try await fixture.card(of: "new").layoutID == "\(template.id)@2")
            let feed = try await fixture.feed("old")
            #expect(feed.cards.elements.map(\.layoutID) == [old.layoutID])
            #expect(feed.layouts[old.layoutID]?.nodes.first == .headline("Hello {{name}}"))
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `two authors cannot overwrite each other`(_ engine: SQLEngine) async throws {
        try await CardsServerFixture.with(engine) { fixture in
            let template = try await fixture.publish()
            try await fixture.templates.save("env", template.id, template.draft, over: template.revision)
            let error = await #expect(throws: Problem.self) {
                try await fixture.templates.save("env", template.id, template.draft, over: template.revision)
            }
            #expect(error?.code == .conflict)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a template that is switched off or archived makes no cards`(_ engine: SQLEngine) async throws {
        try await CardsServerFixture.with(engine) { fixture in
            let template = try await fixture.publish()
            let event = CardEventRequest(name: "ping", target: .users(["ada"]))
            try await fixture.templates.setEnabled("env", template.id, false)
            #expect(try await fixture.events.send("env", event).cards == 0)
            try await fixture.templates.setEnabled("env", template.id, true)
            #expect(try await fixture.events.send("env", event).cards == 1)
            try await fixture.templates.archive("env", template.id)
            #expect(try await fixture.events.send("env", event).cards == 0)
            #expect(try await fixture.templates.list("env").isEmpty)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `the first container is the default, and a template without containers goes there`(
        _ engine: SQLEngine
    ) async throws {
        try await CardsServerFixture.with(engine) { fixture in
            #expect(try await fixture.containers.save("env", id: "main", name: "Main").isDefault)
            #expect(try await !fixture.containers.save("env", id: "side", name: "Side").isDefault)
            try await fixture.publish(.sample(containers: []))
            _ = try await fixture.card()
            #expect(try await fixture.feed("ada", "side").cards.elements.isEmpty)
            try await fixture.containers.makeDefault("env", "side")
            #expect(try await fixture.containers.list("env").map(\.isDefault) == [true, false])
            let error = await #expect(throws: Problem.self) {
                try await fixture.containers.archive("env", "side")
            }
            #expect(error?.code == .conflict)
            await #expect(throws: FieldErrors.self) {
                try await fixture.containers.save("env", id: "a b", name: "")
            }
        }
    }

    @Test func `two nodes cannot archive a container and make it the default one at a time`() async throws {
        try await Nodes.with(2, .postgresql, migrations: CardsServerFixture.migrations) { databases in
            typealias Change = @Sendable () async throws -> Void
            let recording = RecordingDatabase(databases[0])
            let (node, other) = (
                CardsServerFixture(recording).containers, CardsServerFixture(databases[1]).containers
            )
            for id in ["main", "side"] as [CardContainerID] {
                try await other.save("env", id: id, name: id.rawValue)
            }
            // The second change is committed when the first has read the container and changes it next.
            let changes: [(statement: String, first: Change, second: Change, code: Problem.Code)] = [
                (
                    "SET is_archived = 1", { try await node.archive("env", "side") },
                    { try await other.makeDefault("env", "side") }, .conflict
                ),
                (
                    "SET is_default = 1", { try await node.makeDefault("env", "main") },
                    { try await other.archive("env", "main") }, .notFound
                ),
            ]
            for (statement, first, second, code) in changes {
                let (reached, goesOn) = (AsyncStream<Void>.makeStream(), BlockingLatch())
                recording.beforeEachStatement {
                    guard $0.sql.contains(statement) else { return }
                    reached.continuation.yield()
                    try goesOn.wait()
                }
                let changing = Task { try await first() }
                for await _ in reached.stream { break }
                let committed = await Task { try await within { try await second() } }.result
                goesOn.open()
                let refused = await changing.result
                try committed.get()
                let error = #expect(throws: Problem.self) { try refused.get() }
                #expect(error?.code == code)
            }
            #expect(try await other.list("env").map(\.id) == ["side"])
        }
    }

    @Test func `of two nodes that make a container the default one at a time, the later one wins`()
        async throws
    {
        try await Nodes.with(2, .postgresql, migrations: CardsServerFixture.migrations) { databases in
            let recording = RecordingDatabase(databases[0])
            let (node, other) = (
                CardsServerFixture(recording).containers, CardsServerFixture(databases[1]).containers
            )
            for id in ["main", "side", "third"] as [CardContainerID] {
                try await other.save("env", id: id, name: id.rawValue)
            }
            let (reached, goesOn) = (AsyncStream<Void>.makeStream(), BlockingLatch())
            defer { goesOn.open() }
            recording.beforeEachStatement {
                guard $0.sql.contains("SET is_default = 1") else { return }
                reached.continuation.yield()
                try goesOn.wait()
            }
            let first = Task { try await node.makeDefault("env", "side") }
            for await _ in reached.stream { break }
            // It waits until the first has committed, and does not find the default container of before any more.
            let second = Task { try await other.makeDefault("env", "third") }
            try await eventually { try await databases[1].isAnyoneWaiting() }
            goesOn.open()
            try await first.value
            try await second.value
            #expect(try await other.list("env").map(\.isDefault) == [true, false, false])
            #expect(try await other.list("env").first?.id == "third")
        }
    }

    @Test func `of the first containers of two nodes at a time, one is the default one`() async throws {
        try await Nodes.with(2, .postgresql, migrations: CardsServerFixture.migrations) { databases in
            let other = CardsServerFixture(databases[1]).containers
            let (reached, goesOn) = (AsyncStream<Void>.makeStream(), BlockingLatch())
            defer { goesOn.open() }
            let first = Task { [database = databases[0]] in
                try await database.write { connection in
                    try connection.execute(
                        """
                        INSERT INTO card_containers (environment_id, id, name, is_default, is_archived,
                            appearance_version, created_at, updated_at)
                        VALUES ('env', 'main', 'Main', 1, 0, 1, 0, 0)
                        """, [])
                    reached.continuation.yield()
                    try goesOn.wait()
                }
            }
            for await _ in reached.stream { break }
            let second = Task { try await other.save("env", id: "side", name: "Side") }
            try await eventually { try await databases[1].isAnyoneWaiting() }
            goesOn.open()
            try await first.value
            #expect(try await !second.value.isDefault)
            #expect(try await other.list("env").map(\.id) == ["main", "side"])
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `an appearance gets a new version with every change of its theme`(_ engine: SQLEngine) async throws {
        try await CardsServerFixture.with(engine) { fixture in
            let light = CardTheme(colors: ["accent": "#0E5F66"])
            let dark = CardTheme(colors: ["accent": "#fff"])
            let theme = try await fixture.themes.save("env", name: "Sea", light: light, dark: dark)
            try await fixture.containers.save("env", id: "main", name: "Main")
            let plain = try #require(try await fixture.containers.appearance("env", "main"))
            #expect(plain == CardAppearance(version: 1, light: CardTheme()))
            try await fixture.containers.save("env", id: "main", name: "Main", themeID: theme.id)
            let themed = try #require(try await fixture.containers.appearance("env", "main"))
            #expect(themed == CardAppearance(version: 2, light: light, dark: dark))
            #expect(try await fixture.containers.appearance("env", "main", after: 2) == nil)
            try await fixture.containers.save("env", id: "main", name: "Renamed", themeID: theme.id)
            #expect(try await fixture.containers.appearance("env", "main", after: 2) == nil)
            try await fixture.themes.save("env", id: theme.id, name: "Sea", light: dark)
            let changed = try #require(try await fixture.containers.appearance("env", "main", after: 2))
            #expect(changed == CardAppearance(version: 3, light: dark))
            try await fixture.themes.delete("env", theme.id)
            #expect(
                try await fixture.containers.appearance("env", "main")
                    == CardAppearance(version: 4, light: CardTheme()))
        }
    }

    @Test func `a theme holds colours, lengths and type and nothing that could add rules to a style sheet`() {
        let theme = CardTheme(
            colors: ["accent": "red;}*{x:url(//evil)", "a b": "#fff"], lengths: ["radius-card": .infinity],
            typography: [
                "headline": CardTypography(family: "a;}", size: 1, weight: 1),
                "other": CardTypography(size: 16),
            ])
        #expect(throws: FieldErrors.self) { try CardThemeCheck.validate(name: "", light: theme, dark: nil) }
        do {
            try CardThemeCheck.validate(name: "N", light: theme, dark: nil)
        } catch let errors as FieldErrors {
            #expect(
                Set(errors.items.map(\.field)) == [
                    "light.colors", "light.colors.accent", "light.lengths.radius-card",
                    "light.typography.headline.size", "light.typography.headline.weight",
                    "light.typography.headline.family", "light.typography.other",
                ])
        } catch {
            Issue.record(error)
        }
    }
}
