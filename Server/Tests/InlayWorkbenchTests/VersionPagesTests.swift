import Foundation
@_spi(Inlay) import InlayWire
import Testing

@testable import InlayCardsServer
@testable import InlayServerTesting

/// The restore of an older version as the draft, and the question when an unpublished draft would be lost.
@Suite(.timeLimit(.minutes(3))) struct VersionPagesTests {
    /// Creates a template with two published versions; the draft has the content of the second one.
    private static func published(_ site: WorkbenchSite) async throws -> CardTemplate {
        let templates = site.cards.templates
        let template = try await templates.create("harbor", .sample(headline: "First"))
        let first = try await templates.publish("harbor", template.id)
        try await templates.save(
            "harbor", template.id, .sample(headline: "Second"), over: first.revision)
        return try await templates.publish("harbor", template.id)
    }

    private static func draft(_ template: CardTemplate, _ site: WorkbenchSite) async throws -> String? {
        try await site.cards.templates.template("harbor", template.id)?.draft.name
    }

    private static func path(_ template: CardTemplate) -> String {
        "/workbench/e/harbor/cards/templates/\(template.id)/versions"
    }

    @Test
    func `a version becomes the draft without a question when the old draft's content is that of a version`()
        async throws
    {
        try await WorkbenchSite.run { site in
            let template = try await Self.published(site), path = Self.path(template)
            let editor = try await site.signedIn(.editor)
            #expect(try await editor.get(path).body.contains("action=\"\(path)/1/restore\""))
            let answer = try await editor.post("\(path)/1/restore")
            #expect(answer.status == 303 && !answer.location.contains("restore"))
            #expect(try await Self.draft(template, site) == "First")
            // The restored draft was not published itself, but version 1 has its content, so nothing is lost.
            #expect(try await editor.post("\(path)/2/restore").location == answer.location)
            #expect(try await Self.draft(template, site) == "Second")
        }
    }

    @Test func `an unpublished draft is replaced only after a confirmation, and only the confirmed draft`()
        async throws
    {
        try await WorkbenchSite.run { site in
            let template = try await Self.published(site), path = Self.path(template)
            let editor = try await site.signedIn(.editor)
            let mine = try await site.cards.templates.save(
                "harbor", template.id, .sample(headline: "Never published"), over: template.revision)
            let list = try await editor.get(path).body
            #expect(list.contains("href=\"\(path)/1/restore\""))
            #expect(!list.contains("action=\"\(path)/1/restore\""))
            // The form of a page that was loaded before the save.
            let hasty = try await editor.post("\(path)/1/restore")
            #expect(hasty.status == 303 && hasty.location == "\(path)/1/restore")
            #expect(try await Self.draft(template, site) == "Never published")

            let question = try await editor.get("\(path)/1/restore").body
            #expect(question.contains("It will be lost and cannot be restored"))
            let action = try #require(WorkbenchBrowser.between("action=\"\(path)/1/", "\"", question))
            try await site.cards.templates.save(
                "harbor", template.id, .sample(headline: "A colleague's"), over: mine.revision)
            let late = try await editor.post("\(path)/1/\(action)")
            #expect(late.location == "\(path)/1/restore")
            #expect(try await editor.get(late.location).body.contains("The draft was saved meanwhile."))
            #expect(try await Self.draft(template, site) == "A colleague's")

            let again = try await editor.get("\(path)/1/restore").body
            let newer = try #require(WorkbenchBrowser.between("action=\"\(path)/1/", "\"", again))
            #expect(try await editor.post("\(path)/1/\(newer)").status == 303)
            #expect(try await Self.draft(template, site) == "First")
        }
    }
}
