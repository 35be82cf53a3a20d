import Foundation
import InlayTesting
@_spi(Inlay) import InlayWire
import Testing

@testable import InlayBehaviorsServer
@testable import InlayCardsServer
@testable import InlayServerCore
@testable import InlayServerTesting

@Suite struct SegmentPagesTests {
    private static let root = "/workbench/e/harbor/behaviors/segments"

    /// Stores users and returns their contact list: Maya booked twice and lives in Oslo, Jo booked once and lives in
    /// Bergen, Ada did nothing and is no contact.
    private func fill(_ site: WorkbenchSite) async throws -> ContactList {
        let contacts = site.server.features.behaviors.contacts
        let list = try await contacts.createDatabase("harbor", name: "Guests")
        try await contacts.addColumn("harbor", list.id, ContactColumn("City"))
        let file = "Email,Mobile User Id,City\nm@x.example,maya,Oslo\nj@x.example,jo,Bergen\n"
        _ = try await contacts.importCSV("harbor", list.id, Array(file.utf8))
        for user in ["maya", "jo", "ada"] {
            try await site.services.users.put("harbor", UserID(user), UserProfile())
        }
        try await BehaviorPagesTests().send(
            site, [(16, "Booked", "maya"), (16, "Booked", "maya"), (16, "Booked", "jo")])
        return list
    }

    private func event(_ index: Int, name: String, times: String = "1", kind: String = "event")
        -> [(String, String)]
    {
        let path = "conditions[\(index)]"
        return [
            ("\(path).kind", kind), ("\(path).event.code", "16"), ("\(path).event.eventName", name),
            ("\(path).event.atLeast", times), ("\(path).event.days", "7"),
        ]
    }

    private func contact(_ index: Int, _ list: ContactList, _ column: String, _ value: String)
        -> [(String, String)]
    {
        let path = "conditions[\(index)]"
        return [
            ("\(path).kind", "contact"), ("\(path).contact.column", "\(list.id):\(column)"),
            ("\(path).contact.comparison", "equals"), ("\(path).contact.value", value),
        ]
    }

    @Test func `a segment is previewed, kept, changed, shows who is in it, and is deleted`() async throws {
        try await WorkbenchSite.run { site in
            let list = try await fill(site)
            let editor = try await site.signedIn(.editor)
            let form = [("name", "Oslo & booked"), ("match", "all")] + event(0, name: "Booked")
            let preview = try await editor.post("\(Self.root)/new", form + [("op", "preview")])
            #expect(preview.body.contains("2 users of 3 now"))
            #expect(try await site.server.features.behaviors.segments.segments("harbor").isEmpty)
            let both = form + contact(1, list, "City", "Oslo") + [("op", "save")]
            let made = try await editor.post("\(Self.root)/new", both)
            #expect(made.status == 303 && made.location.hasPrefix(Self.root))
            let page = try await editor.get(made.location)
            #expect(page.body.contains("1 user of 3 now") && page.body.contains(">maya</a>"))
            #expect(!page.body.contains(">jo</a>") && page.body.contains("Guests: City"))
            #expect(try await editor.get(Self.root).body.contains("Oslo &amp; booked"))
            let any = [("name", "Either"), ("match", "any")]
            let wider =
                any + event(0, name: "Booked", times: "2") + contact(1, list, "City", "Bergen")
                + [("op", "save")]
            #expect(try await editor.post(made.location, wider).status == 303)
            let changed = try await editor.get(made.location)
            #expect(changed.body.contains("2 users of 3 now") && changed.body.contains(">jo</a>"))
            #expect(try await editor.post("\(made.location)/delete").status == 303)
            #expect(try await site.server.features.behaviors.segments.segments("harbor").isEmpty)
        }
    }

    @Test func `a segment that cannot be read is shown as such beside the others`() async throws {
        try await WorkbenchSite.run { site in
            let segments = site.server.features.behaviors.segments
            try await segments.save(
                "harbor", id: "good", name: "Good", SegmentRule([.init(.init(code: 16, days: 7))]))
            _ = try await site.services.database.write {
                try $0.execute(
                    """
                    INSERT INTO segments (environment_id, id, name, definition, created_at, updated_at)
                    VALUES ('harbor', 'bad', 'Bad',
                        '{"conditions":[{"contact":{},"event":{}}],"matchesAny":false}', 0, 0)
                    """)
            }
            let editor = try await site.signedIn(.editor)
            let list = try await editor.get(Self.root)
            #expect(list.status == 200 && list.body.contains(">Good<") && list.body.contains("1 condition"))
            #expect(list.body.contains("Cannot be read; matches no users"))
            let page = try await editor.get("\(Self.root)/bad")
            #expect(page.status == 200 && page.body.contains("(cannot be read)"))
            let kind = [("name", "Bad"), ("match", "all"), ("conditions[0].kind", "unreadable")]
            let refused = try await editor.post("\(Self.root)/bad", kind + [("op", "save")])
            #expect(refused.status == 422 && refused.body.contains("No feature of this server has this"))
        }
    }

    @Test func `conditions are added and removed, and what is wrong is said beside its field`() async throws {
        try await WorkbenchSite.run { site in
            let list = try await fill(site)
            let editor = try await site.signedIn(.editor)
            let two = event(0, name: "First") + event(1, name: "Second")
            let more = try await editor.post("\(Self.root)/new", two + [("op", "add")])
            #expect(more.body.contains("conditions[2].kind") && more.body.contains("value=\"Second\""))
            let fewer = try await editor.post("\(Self.root)/new", two + [("op", "remove.0")])
            #expect(!fewer.body.contains("value=\"First\"") && fewer.body.contains("value=\"Second\""))
            let wrong =
                [("name", "")] + event(0, name: "x", times: "often") + [("op", "save")]
            let refused = try await editor.post("\(Self.root)/new", wrong)
            #expect(refused.status == 422 && refused.body.contains("value=\"often\""))
            #expect(refused.body.contains("id=\"conditions-0--event-atLeast-fault\""))
            #expect(refused.body.contains("id=\"name-fault\""))
            let gone = [("name", "Gone")] + contact(0, list, "No such column", "1") + [("op", "save")]
            let unknown = try await editor.post("\(Self.root)/new", gone)
            #expect(
                unknown.status == 422 && unknown.body.contains("id=\"conditions-0--contact-column-fault\""))
            let analyst = try await site.signedIn(.analyst)
            #expect(try await analyst.post("\(Self.root)/new", gone).status == 403)
        }
    }

    @Test func `a card that is sent to a segment reaches its users and nobody else`() async throws {
        try await WorkbenchSite.run { site in
            _ = try await fill(site)
            let template = try await site.cards.templates.create(
                "harbor",
                CardTemplateDraft(
                    name: "Thanks", eventName: "thanks", containerIDs: ["inbox"],
                    definition: CardTemplateDefinition(elements: [.headline("Thanks")])))
            try await site.cards.templates.publish("harbor", template.id)
            let send = "/workbench/e/harbor/cards/templates/\(template.id)/send"
            let editor = try await site.signedIn(.editor)
            #expect(try await !editor.get(send).body.contains("target-segment"))
            let segment = try await site.server.features.behaviors.segments.save(
                "harbor", name: "Booked", SegmentRule([.init(.init(code: 16, name: "Booked", days: 7))]))
            #expect(try await editor.get(send).body.contains(">Booked</option>"))
            let none = try await editor.post(send, [("target", "segment")])
            #expect(none.status == 422 && none.body.contains("Choose a segment."))
            let foreign = try await editor.post(send, [("target", "segment"), ("segment", "seg_none")])
            #expect(foreign.status == 422 && foreign.body.contains("There is no such segment."))
            let question = try await editor.post(
                send, [("target", "segment"), ("segment", segment.id.rawValue)])
            #expect(question.status == 200 && question.body.contains("to 2 users?"))
            let sent = try await editor.post(
                send, [("target", "segment"), ("segment", segment.id.rawValue), ("confirmed", "on")])
            #expect(sent.status == 303)
            let events = site.cards.events
            try await eventually(within: .seconds(120)) {
                try await events.recent("harbor").first?.isComplete == true
            }
            var reached: [String] = []
            for user in ["ada", "jo", "maya"] {
                if try await !site.cards.inspector.cards("harbor", UserID(user)).isEmpty {
                    reached.append(user)
                }
            }
            #expect(reached == ["jo", "maya"])
        }
    }

    /// Calls the body while queries over events fail in the database.
    private func withoutEvents(_ site: WorkbenchSite, _ body: () async throws -> Void) async throws {
        func rename(_ name: String, to other: String) async throws {
            try await site.services.database.write {
                try $0.execute("ALTER TABLE \(name) RENAME TO \(other)")
            }
        }
        try await rename("behavior_events", to: "hidden_events")
        try await body()
        try await rename("hidden_events", to: "behavior_events")
    }

    @Test func `where users cannot be counted a send asks without a number, and keeps what was typed`()
        async throws
    {
        try await WorkbenchSite.run { site in
            _ = try await fill(site)
            let template = try await site.cards.templates.create("harbor", .sample(headline: "Thanks"))
            try await site.cards.templates.publish("harbor", template.id)
            let send = "/workbench/e/harbor/cards/templates/\(template.id)/send"
            let segment = try await site.server.features.behaviors.segments.save(
                "harbor", name: "Booked", SegmentRule([.init(.init(code: 16, name: "Booked", days: 7))]))
            let editor = try await site.signedIn(.editor)
            let typed = [("target", "segment"), ("segment", segment.id.rawValue), ("lifecycle", "my-own-id")]
            try await withoutEvents(site) {
                let question = try await editor.post(send, typed)
                #expect(question.status == 200)
                #expect(question.body.contains("Send “Thanks” to the segment “Booked”?"))
                #expect(question.body.contains("could not be counted"))
                let kept = PageForm.fields(question.body)
                #expect(typed.allSatisfy { field in kept.contains { $0 == field } })
            }
            #expect(try await editor.post(send, typed + [("confirmed", "on")]).status == 303)
        }
    }

    @Test func `where users cannot be counted a segment is edited and saved all the same`() async throws {
        try await WorkbenchSite.run { site in
            _ = try await fill(site)
            let editor = try await site.signedIn(.editor)
            let form = [("name", "My own words"), ("match", "all")] + event(0, name: "Booked")
            try await withoutEvents(site) {
                let preview = try await editor.post("\(Self.root)/new", form + [("op", "preview")])
                #expect(preview.status == 200 && preview.body.contains("The users could not be counted."))
                #expect(preview.body.contains("value=\"My own words\""))
                let made = try await editor.post("\(Self.root)/new", form + [("op", "save")])
                #expect(made.status == 303)
                let page = try await editor.get(made.location)
                #expect(page.status == 200 && page.body.contains("value=\"My own words\""))
            }
        }
    }

    @Test func `a segment of one environment is not found from another`() async throws {
        try await WorkbenchSite.run { site in
            let segment = try await site.server.features.behaviors.segments.save(
                "harbor", name: "Ours", SegmentRule([.init(.init(code: 16, days: 7))]))
            let editor = try await site.signedIn(.editor)
            let path = "/workbench/e/other/behaviors/segments/\(segment.id)"
            #expect(try await editor.get(path).status == 404)
            #expect(try await editor.post("\(path)/delete").status == 404)
        }
    }
}
