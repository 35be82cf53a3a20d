import Foundation
@_spi(Inlay) import InlayWire
import Testing

@testable import InlayCardsServer
@testable import InlayServerCore
@testable import InlayServerTesting
@testable import InlayWorkbench

@Suite struct EditorTests {
    /// A draft with an element of every kind and every optional part.
    private static var everything: CardTemplateDraft {
        var rules = CardInputRules()
        rules.required = .init(true, message: "Please.")
        rules.minLength = .init(2)
        rules.maxLength = .init(20, message: "Too long.")
        rules.regex = .init("[A-Z]+")
        var limits = CardInputRules()
        limits.min = .init(-1.5)
        limits.max = .init(10)
        var options = CardOptions()
        options.snoozeSwipeDisabled = true
        options.voteUpOverflowDisabled = true
        return CardTemplateDraft(
            name: "Everything", eventName: "everything", containerIDs: ["inbox"], priority: 2,
            definition: .init(
                elements: [
                    .category("News"), .headline("Headline"), .text("Line one\n\nLine **two**"),
                    .list(style: .comma, items: ["a", "b"]),
                    .image(
                        .init(
                            url: "https://example.com/a.png", alternateText: "A", height: .short,
                            action: .subview("more"))),
                    .form([
                        .textInput(
                            .init(
                                name: "t", label: "T", placeholder: "P", defaultValue: "D", lines: 3,
                                rules: rules)),
                        .numberInput(
                            .init(name: "n", label: "N", placeholder: "P", defaultValue: 2.5, rules: limits)),
                        .submitButton(
                            .init(
                                text: "Send", buttonName: "send",
                                values: [
                                    "flag": .boolean(true), "n1": .number(4), "s": .string("5"),
                                    "t1": .string("x = y"),
                                ],
                                action: .url("https://example.com"))),
                    ]),
                    .linkButton(.init(text: "App", action: .payload(["screen": "tickets", "n": 3]))),
                    .snoozeButton(.init(text: "Later", seconds: 3_600)), .dismissButton(text: "No"),
                ],
                subviews: [.init(id: "more", title: "More", elements: [.text("Inside")])], options: options,
                variables: [
                    .init(name: "who", defaultValue: .string("you"), isRuntime: true),
                    .init(name: "price", kind: .number, defaultValue: .number(12.5)),
                    .init(
                        name: "when", kind: .date,
                        defaultValue: .date(Timestamp(seconds: 1_800_000_000 / 60 * 60))),
                    .init(name: "ok", kind: .boolean, defaultValue: .boolean(false)),
                ], embargoSeconds: 5_400, expirySeconds: 7 * 86_400))
    }

    @Test func `a template is unchanged after its conversion to the editor's form and back`() throws {
        let zone = try #require(CalendarZone("Asia/Kathmandu"))
        let (draft, faults) = TemplateForm(Self.everything, in: zone).draft(in: zone)
        #expect(faults.items.isEmpty)
        #expect(draft == Self.everything)
    }

    @Test func `saving the page's own fields unchanged changes nothing`() async throws {
        try await WorkbenchSite.run { site in
            let template = try await site.cards.templates.create("harbor", Self.everything)
            let editor = try await site.signedIn(.editor)
            let path = "/workbench/e/harbor/cards/templates/\(template.id)"
            let fields = PageForm.fields(try await editor.get(path).body)
            let answer = try await editor.postRaw(path, fields + [("op", "save")])
            #expect(answer.status == 303)
            let saved = try #require(try await site.cards.templates.template("harbor", template.id))
            #expect(saved.draft == Self.everything)
            #expect(saved.revision == template.revision)
        }
    }

    @Test func `a form with faults comes back with everything that was typed, and says what is wrong where`()
        async throws
    {
        try await WorkbenchSite.run { site in
            let template = try await site.cards.templates.create("harbor", Self.everything)
            let editor = try await site.signedIn(.editor)
            let path = "/workbench/e/harbor/cards/templates/\(template.id)"
            let wrong = [
                "elements[1].text": "", "elements[4].url": "ftp://nowhere",
                "elements[5].children[1].rules.min": "many",
                "elements[6].action.value": "{not json", "elements[7].seconds": "soon",
                "embargoSeconds": "1,5",
                "variables[2].defaultValue": "tomorrow", "subviews[0].id": "no spaces",
            ]
            let typed = PageForm.fields(try await editor.get(path).body).map { name, value in
                (name, wrong[name] ?? value)
            }
            let answer = try await editor.postRaw(path, typed + [("op", "publish")])
            #expect(answer.status == 422)
            let back = PageForm.fields(answer.body)
            #expect(back.map { "\($0.0)=\($0.1)" } == typed.map { "\($0.0)=\($0.1)" })
            for field in wrong.keys where field != "subviews[0].id" {
                #expect(answer.body.contains("id=\"\(FieldView.id(field))-fault\""), "\(field)")
            }
            #expect(answer.body.contains("Nothing was saved."))
            let kept = try #require(try await site.cards.templates.template("harbor", template.id))
            #expect(kept.draft == Self.everything && !kept.isPublished)
        }
    }

    @Test(
        arguments: [
            ("٤", "4"), ("1e3", "1000"), ("0x10", nil), ("nan", nil), ("1,5", nil), ("1٣", nil),
        ] as [(String, String?)])
    func `a button's value is a number only where its text is one`(_ typed: String, _ number: String?) {
        #expect(ElementForm.writtenNumber(typed)?.decimalText == number)
    }

    @Test func `a form over the limits is refused with their names and keeps everything that was entered`()
        async throws
    {
        try await WorkbenchSite.run { site in
            let template = try await site.cards.templates.create("harbor", .sample(headline: "First"))
            let editor = try await site.signedIn(.editor)
            let path = "/workbench/e/harbor/cards/templates/\(template.id)"
            let own = PageForm.fields(try await editor.get(path).body)
            let rest = own.filter { !$0.0.hasPrefix("elements[") }
            let elements = (0..<201).flatMap {
                [("elements[\($0)].type", "headline"), ("elements[\($0)].text", "Line \($0)")]
            }
            let subviews = (0..<51).flatMap {
                [("subviews[\($0)].title", "More"), ("subviews[\($0)].id", "more-\($0)")]
            }
            let variables = (0..<101).flatMap {
                [("variables[\($0)].name", "v\($0)"), ("variables[\($0)].kind", "string")]
            }
            let typed = elements + subviews + variables
            let answer = try await editor.postRaw(path, rest + typed + [("op", "save")])
            #expect(answer.status == 422)
            let back = Set(PageForm.fields(answer.body).map { "\($0.0)=\($0.1)" })
            let lost = typed.map { "\($0.0)=\($0.1)" }.filter { !back.contains($0) }
            #expect(lost.isEmpty, "\(lost.count) fields are lost, the first is \(lost.first ?? "")")
            for words in ["At most 60 elements", "At most 20 subviews", "At most 50 variables"] {
                #expect(answer.body.contains(words), "\(words)")
            }
            let kept = try #require(try await site.cards.templates.template("harbor", template.id))
            #expect(kept.draft == template.draft)
        }
    }

    @Test func `another operator's save is not overwritten, and the form keeps what was typed`() async throws
    {
        try await WorkbenchSite.run { site in
            let template = try await site.cards.templates.create("harbor", .sample(headline: "First"))
            let editor = try await site.signedIn(.editor)
            let path = "/workbench/e/harbor/cards/templates/\(template.id)"
            let mine = PageForm.fields(try await editor.get(path).body).map {
                ($0.0, $0.0 == "elements[0].text" ? "Mine" : $0.1)
            }
            try await site.cards.templates.save(
                "harbor", template.id, .sample(headline: "Theirs"), over: template.revision)
            let answer = try await editor.postRaw(path, mine + [("op", "save")])
            #expect(answer.status == 422)
            #expect(answer.body.contains("Someone else saved this template meanwhile."))
            #expect(answer.body.contains("value=\"Mine\""))
            #expect(try await site.cards.templates.template("harbor", template.id)?.draft.name == "Theirs")
        }
    }

    @Test func `buttons add, move and remove elements without saving`() async throws {
        try await WorkbenchSite.run { site in
            let template = try await site.cards.templates.create("harbor", .sample(headline: "Plain"))
            let editor = try await site.signedIn(.editor)
            let path = "/workbench/e/harbor/cards/templates/\(template.id)"
            var fields = PageForm.fields(try await editor.get(path).body)
            for step in [
                "add:elements:form", "up:elements[3]", "add:elements[2].children:headline",
                "remove:elements[0]",
            ] {
                let answer = try await editor.postRaw(
                    path, fields + [("op", step)], headers: ["Inlay-Fragment": "parts"])
                #expect(answer.status == 200)
                #expect(!answer.body.contains("<html"))
                fields = PageForm.fields(answer.body)
            }
            // The form carries the element that was removed last, for Undo.
            #expect(fields.contains { $0 == ("removed.path", "elements[0]") })
            let types = fields.filter { $0.0.hasSuffix(".type") && $0.0.hasPrefix("elements") }.map {
                "\($0.0) \($0.1)"
            }
            #expect(
                types == [
                    "elements[0].type text", "elements[1].type form",
                    "elements[1].children[0].type textInput",
                    "elements[1].children[1].type submitButton", "elements[1].children[2].type headline",
                    "elements[2].type dismissButton",
                ])
            #expect(
                try await site.cards.templates.template("harbor", template.id)?.revision == template.revision)
        }
    }

    @Test(arguments: [
        "up:elements[0]", "down:elements[2]", "remove:elements[99]", "remove:elements[-1]", "up:nonsense",
        "add:elements[0].children:text", "add:subviews[4].elements:text", "remove:variables[7]",
        "up:elements[99999999999999999999]",
    ])
    func `a step with an invalid path changes nothing`(words: String) throws {
        let before = TemplateForm(.sample(headline: "Plain"), in: .utc)
        var form = before
        EditorStep(words)?.apply(to: &form)
        #expect(form == before)
    }

    /// Returns the editor's form of some elements after steps.
    private func form(of elements: [CardElement], after steps: [String]) -> TemplateForm {
        let draft = CardTemplateDraft(name: "T", eventName: "t", definition: .init(elements: elements))
        var form = TemplateForm(draft, in: .utc)
        for step in steps { EditorStep(step)?.apply(to: &form) }
        return form
    }

    private func field(_ name: String) -> CardElement { .textInput(.init(name: name, label: name)) }

    @Test func `a restored field gets another name when its own was taken meanwhile`() {
        let fields = [
            CardElement.form([field("answer"), .submitButton(.init(text: "Go", buttonName: "go"))])
        ]
        let inside = "elements[0].children"
        let renamed = form(of: fields, after: ["remove:\(inside)[0]", "add:\(inside):textInput", "restore"])
        #expect(renamed.elements[0].children.map { $0["name"] } == ["answer-2", "", "answer"])
        // The name is still free, so the restored field keeps it.
        let undone = form(of: fields, after: ["remove:\(inside)[0]", "restore"])
        #expect(undone == form(of: fields, after: []))
    }

    @Test(arguments: [
        ["up:elements[1]"], ["down:elements[0]"], ["move:elements[1]:2"], ["duplicate:elements[0]"],
    ])
    func `a restored field returns to its form, even when the form was moved`(steps: [String]) {
        let elements = [
            CardElement.form([field("first")]), .form([field("second")]),
            .form([field("third")]),
        ]
        let restored = form(of: elements, after: ["remove:elements[1].children[0]"] + steps + ["restore"])
        let expected = form(of: elements, after: steps)
        #expect(restored == expected)
    }

    @Test func `a restored field returns to its form inside a subview`() {
        var form = TemplateForm(.sample(headline: "Plain"), in: .utc)
        let level = "subviews[0].elements"
        for step in [
            "add-subview", "add:\(level):form", "add:\(level):form", "remove:\(level)[2].children[0]",
            "up:\(level)[2]", "restore",
        ] { EditorStep(step)?.apply(to: &form) }
        let names = form.subviews[0].elements.map { $0.children.map { $0["name"] } }
        #expect(names == [[], ["answer-2", ""], ["answer", ""]])
    }

    @Test func `each subview has an id of its own, also a restored one`() {
        let two = ["add-subview", "add-subview"]
        let added = form(of: [.text("x")], after: two + ["remove:subviews[0]", "add-subview"])
        #expect(added.subviews.map(\.id) == ["subview-2", "subview-3"])
        let back = form(of: [.text("x")], after: two + ["remove:subviews[1]", "add-subview", "restore"])
        #expect(back.subviews.map(\.id) == ["subview-1", "subview-3", "subview-2"])
    }

    @Test func `a changed headline is previewed, published and sent to a user's feed`() async throws {
        try await WorkbenchSite.run { site in
            try await site.services.users.put("harbor", "ada", UserProfile())
            let template = try await site.cards.templates.create("harbor", .sample(headline: "Before"))
            let editor = try await site.signedIn(.editor)
            let path = "/workbench/e/harbor/cards/templates/\(template.id)"
            let fields = PageForm.fields(try await editor.get(path).body).map {
                ($0.0, $0.0 == "elements[0].text" ? "Delayed by 20 minutes" : $0.1)
            }
            let preview = try await editor.postRaw("\(path)/preview", fields + [("preview.scheme", "dark")])
            #expect(preview.body.contains("Delayed by 20 minutes"))
            #expect(try await editor.postRaw(path, fields + [("op", "publish")]).status == 303)
            let toast = try await editor.get(path)
            #expect(toast.body.contains("version 1") && toast.body.contains("Send a test card"))
            let sent = try await editor.post("\(path)/send", [("target", "user"), ("user", "ada")])
            #expect(sent.status == 303)
            let shown = try await site.cards.inspector.cards("harbor", "ada")
            #expect(shown.map(\.isShown) == [true])
            let inspector = try await editor.get("/workbench/e/harbor/cards/inspector?user=ada")
            #expect(inspector.body.contains("It is in the feed."))
        }
    }

    @Test func `the published version is sent, even when the draft has another event`()
        async throws
    {
        try await WorkbenchSite.run { site in
            let templates = site.cards.templates
            let template = try await templates.create("harbor", .sample(headline: "Sent words"))
            try await templates.publish("harbor", template.id)
            try await templates.save(
                "harbor", template.id, .sample(headline: "Later words", event: "renamed"),
                over: template.revision)
            try await site.services.users.put("harbor", "ada", UserProfile())
            let editor = try await site.signedIn(.editor)
            let path = "/workbench/e/harbor/cards/templates/\(template.id)"
            let shown = try await editor.get("\(path)/preview?of=published").body
            #expect(shown.contains("Sent words") && !shown.contains("Later words"))
            let sent = try await editor.post("\(path)/send", [("target", "user"), ("user", "ada")])
            #expect(sent.status == 303)
            #expect(try await site.cards.inspector.cards("harbor", "ada").count == 1)
        }
    }

    @Test func `nothing goes to an unknown user or to everyone by accident`() async throws {
        try await WorkbenchSite.run { site in
            let template = try await site.cards.templates.create("harbor", .sample(headline: "Plain"))
            try await site.cards.templates.publish("harbor", template.id)
            try await site.services.users.put("harbor", "ada", UserProfile())
            let editor = try await site.signedIn(.editor)
            let path = "/workbench/e/harbor/cards/templates/\(template.id)/send"
            let typo = try await editor.post(path, [("target", "user"), ("user", "adda")])
            #expect(typo.status == 422 && typo.body.contains("value=\"adda\""))
            #expect(try await editor.post(path, [("target", "all")]).status == 422)
            #expect(try await site.cards.events.recent("harbor").isEmpty)
            #expect(try await editor.post(path, [("target", "all"), ("all.confirmed", "on")]).status == 303)
            #expect(try await site.cards.events.recent("harbor").count == 1)
        }
    }
}
