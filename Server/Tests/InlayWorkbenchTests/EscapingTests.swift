import Foundation
import InlaySQL
@_spi(Inlay) import InlayWire
import Testing

@testable import InlayCardsServer
@testable import InlayServerCore
@testable import InlayServerTesting
@testable import InlayWorkbench

@Suite struct EscapingTests {
    /// A text that ends an attribute, a text area and a title. The combining mark makes quote and mark one `Character`.
    private static let attack =
        "\"\u{301} onmouseover=alert(1) x='\u{301}></textarea></title><script>alert(2)</script>"

    @Test func `a quote with a combining mark is escaped like any other`() throws {
        #expect(HTMLText.escaped("\"\u{301}<\u{338}'\u{301}&") == "&quot;\u{301}&lt;\u{338}&#39;\u{301}&amp;")
        let html = try PageLibrary.load([WorkbenchFeature.folder]).render(
            "field",
            FieldView.line(Self.attack, Self.attack, Self.attack, hint: Self.attack).with(fault: Self.attack))
        Self.expectHarmless(html, "field")
    }

    @Test func `script in every text of every object is shown as text on every page`() async throws {
        try await WorkbenchSite.run { site in
            let paths = try await Self.fill(site)
            let admin = try await site.signedIn(.admin)
            for path in paths {
                let page = try await admin.get(path)
                #expect(page.status == 200, "\(path)")
                Self.expectHarmless(page.body, path)
            }
            let list = try await admin.get("/workbench/e/harbor/cards/templates")
            #expect(list.body.contains("&lt;script&gt;alert(2)&lt;/script&gt;"))
        }
    }

    @Test func `input that a form shows again after an error is escaped`() async throws {
        try await WorkbenchSite.run { site in
            let editor = try await site.signedIn(.editor)
            let root = "/workbench/e/harbor/cards"
            let template = try await site.cards.templates.create("harbor", .sample(headline: "Plain"))
            let attack = Self.attack
            let forms: [(String, [(String, String)])] = [
                ("\(root)/templates/new", [("name", attack), ("eventName", "")]),
                ("\(root)/containers/new", [("name", attack), ("id", attack)]),
                (
                    "\(root)/themes/new",
                    [("name", attack), ("light.colors.paper", attack), ("light.lengths.card-gap", attack)]
                ),
                (
                    "\(root)/templates/\(template.id)",
                    [
                        ("name", attack), ("eventName", ""), ("priority", attack), ("embargoSeconds", attack),
                        ("elements[0].type", "submitButton"), ("elements[0].text", attack),
                        ("elements[0].values", attack),
                        ("variables[0].name", attack), ("variables[0].kind", "number"),
                        ("variables[0].defaultValue", attack),
                        ("subviews[0].id", attack), ("subviews[0].title", attack),
                    ]
                ),
            ]
            for (path, fields) in forms {
                let page = try await editor.post(path, fields)
                #expect(page.status == 422, "\(path)")
                Self.expectHarmless(page.body, path)
            }
        }
    }

    @Test func `a preview shows script as text and allows none`() async throws {
        try await WorkbenchSite.run { site in
            let editor = try await site.signedIn(.editor)
            let template = try await site.cards.templates.create("harbor", .sample(headline: "Plain"))
            let answer = try await editor.post(
                "/workbench/e/harbor/cards/templates/\(template.id)/preview",
                [
                    ("elements[0].type", "headline"), ("elements[0].text", Self.attack),
                    ("elements[1].type", "text"),
                    ("elements[1].text", "[x](javascript:alert(3)) <img src=x onerror=alert(4)>"),
                    ("elements[2].type", "linkButton"), ("elements[2].text", "Go"),
                    ("elements[2].action.kind", "url"),
                    ("elements[2].action.value", "javascript:alert(5)"),
                ])
            #expect(answer.status == 200)
            Self.expectHarmless(answer.body, "preview")
            #expect(!answer.body.contains("href=\"javascript:"))
            let policy = try #require(answer.header("content-security-policy"))
            #expect(policy.contains("default-src 'none'") && !policy.contains("script-src"))
        }
    }

    /// Expects that a page shows an attack with a script, and a combining mark after each quote, as text.
    static func expectHarmless(_ html: String, _ path: String) {
        #expect(!html.contains("<script>alert"), "\(path)")
        // Compares scalars, as a browser does: no quote of the attack may be left unescaped.
        let scalars = Array(html.unicodeScalars)
        for (index, scalar) in scalars.enumerated() where scalar == "\u{301}" && index > 0 {
            #expect(scalars[index - 1] != "\"" && scalars[index - 1] != "'", "\(path)")
        }
    }

    /// Stores objects of every kind with the attack in each text that allows it, and returns the paths of their pages.
    private static func fill(_ site: WorkbenchSite) async throws -> [String] {
        let draft = CardTemplateDraft(
            name: attack, eventName: attack,
            definition: .init(
                elements: [
                    .category(attack), .headline(attack), .text(attack),
                    .list(style: .ordered, items: [attack]),
                    .image(.init(url: "https://example.com/\"'<", alternateText: attack)),
                    .form([
                        .textInput(
                            .init(name: "a", label: attack, placeholder: attack, defaultValue: attack)),
                        .submitButton(
                            .init(text: attack, buttonName: attack, values: ["n": .string(attack)])),
                    ]),
                    .linkButton(.init(text: attack, action: .payload(["k": .string(attack)]))),
                ],
                subviews: [.init(id: "more", title: attack, elements: [.text(attack)])],
                variables: [.init(name: "v", defaultValue: .string(attack))]))
        let template = try await site.cards.templates.create("harbor", draft)
        try await site.cards.templates.publish("harbor", template.id)
        try await site.cards.containers.save("harbor", id: "inbox", name: attack)
        let theme = try await site.cards.themes.save("harbor", name: attack, light: .init())
        try await site.services.environments.rename("harbor", to: attack)
        _ = try await site.services.environments.addSecretKey("harbor", name: attack)
        try await site.services.users.put(
            "harbor", "ada",
            UserProfile(["name": .text(attack), "city": .text(attack), "own": .text(attack)]))
        _ = try await site.cards.events.send(
            "harbor",
            CardEventRequest(
                name: attack, target: .users(["ada"]), lifecycleID: CardLifecycleID(attack),
                variables: ["v": .string(attack)])
        )
        try await site.services.audit.record(
            attack, subject: attack, by: attack, environmentID: "harbor", detail: attack)
        let moment = site.services.now()
        // A job of a kind that this server runs, which has a button, and one of an unknown kind.
        _ = try await site.services.database.write { connection in
            for kind in ["ads.notice", attack] {
                try connection.execute(
                    """
                    INSERT INTO given_up_jobs (environment_id, kind, key, lane, payload, attempts, error, given_up_at)
                    VALUES ('harbor', ?, ?, 'lane', '', 1, ?, ?)
                    """, [.text(kind), .text(attack), .text(attack), .moment(moment)])
            }
        }
        let root = "/workbench/e/harbor/", own = "cards/templates/\(template.id)"
        let query = FormFields.escaped(attack)
        return [
            "overview", "cards/templates", "cards/templates?q=\(query)&state=\(query)&sort=\(query)", own,
            "\(own)/preview",
            "\(own)/send", "\(own)/versions", "\(own)/versions/1/restore", "\(own)/analytics",
            "\(own)/archive", "cards/containers",
            "cards/containers/inbox", "cards/themes", "cards/themes/\(theme.id)",
            "cards/themes/\(theme.id)/delete",
            "cards/analytics", "cards/inspector?user=ada", "cards/inspector?user=\(query)", "users",
            "users?q=\(query)",
            "users/ada", "users/ada/erase", "settings/environments", "settings/keys", "settings/operators",
            "settings/audit", "settings/jobs", "settings/account",
        ].map { root + $0 }
    }
}
