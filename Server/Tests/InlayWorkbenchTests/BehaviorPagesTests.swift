import Foundation
import InlayServerCore
@_spi(Inlay) import InlayWire
import Testing

@testable import InlayBehaviorsServer
@testable import InlayServerTesting

@Suite struct BehaviorPagesTests {
    private static let root = "/workbench/e/harbor/behaviors"

    /// Sends events over HTTP with the token of an OAuth client, as an app would.
    func send(_ site: WorkbenchSite, _ events: [(code: Int, name: String, user: String)]) async throws {
        let (_, credentials) = try await site.server.features.behaviors.oauth.addClient("harbor", name: "App")
        let app = site.browser()
        let token = try await app.postRaw(
            "/oauth/token",
            [
                ("client_id", credentials.clientID.rawValue), ("client_secret", credentials.clientSecret),
                ("refresh_token", credentials.refreshToken), ("grant_type", "refresh_token"),
            ])
        let key = WorkbenchBrowser.between("\"access_token\":\"", "\"", token.body) ?? ""
        let stamp = Date(timeIntervalSince1970: site.services.now().seconds - 60).ISO8601Format()
        let submission = events.map { event -> String in
            let named = event.code == 17 ? "Event Name" : "Goal Name"
            return """
                {"eventTypeCode":"\(event.code)","eventTimestamp":"\(stamp)","attributes":[
                {"name":"\(named)","value":"\(event.name)"},{"name":"Primary User Id","value":"\(event.user)"},
                {"name":"Pier","value":"<b>North</b>"},{"name":"Campaign Name","value":"Autumn"}]}
                """
        }.joined(separator: ",")
        let answer = try await app.send(
            "POST", "/rest/events/submission",
            headers: ["Content-Type": "application/json", "Authorization": "Bearer \(key)"],
            body: "{\"events\":[\(submission)]}")
        #expect(answer.status == 200, "\(answer.body)")
    }

    @Test func `the live page shows recent events, and its script receives only newer ones`() async throws {
        try await WorkbenchSite.run { site in
            try await send(site, [(17, "Ticket viewed", "maya")])
            let analyst = try await site.signedIn(.analyst)
            let page = try await analyst.get("\(Self.root)/events")
            #expect(page.body.contains("Ticket viewed") && page.body.contains("&lt;b&gt;North&lt;/b&gt;"))
            let cursor = try #require(WorkbenchBrowser.between("data-cursor=\"", "\"", page.body))
            try await send(site, [(16, "Ticket bought", "maya")])
            let newer = try await analyst.get(
                "\(Self.root)/events?since=\(cursor)", headers: ["Inlay-Fragment": "stream"])
            #expect(newer.body.contains("Ticket bought") && !newer.body.contains("Ticket viewed"))
        }
    }

    @Test func `the explorer counts the matching events by name, kind and attribute`() async throws {
        try await WorkbenchSite.run { site in
            try await send(
                site,
                [(17, "Viewed", "maya"), (17, "Viewed", "jo"), (16, "Bought", "jo"), (17, "Shared", "jo")])
            let analyst = try await site.signedIn(.analyst)
            let all = try await analyst.get("\(Self.root)/explorer?days=7&by=name")
            #expect(all.body.contains("4 events in the last 7 days."))
            #expect(all.body.contains("<th scope=\"row\">Viewed</th><td class=\"num\">2</td>"))
            // An event's own name comes first, its kind below.
            #expect(
                all.body.contains(
                    "<span class=\"cell-title\">Viewed</span><span class=\"cell-sub\">Event</span>"))
            let narrow = try await analyst.get("\(Self.root)/explorer?code=17&user=jo&by=Pier")
            #expect(narrow.body.contains("2 events in the last 7 days."))
            #expect(narrow.body.contains("&lt;b&gt;North&lt;/b&gt;</th><td class=\"num\">2</td>"))
            let other = try await analyst.get("/workbench/e/other/behaviors/explorer")
            #expect(other.body.contains("No matching events"))
        }
    }

    @Test func `the explorer groups by an attribute with the longest name that one can have`() {
        let name = String(repeating: "n", count: 256)
        for typed in [name, name + "n"] {
            let query = ExplorerQuery(
                FormFields([("by", typed)]), now: Timestamp(seconds: 1_800_000_000), in: .utc)
            #expect(query.grouping == .attribute(name))
        }
    }

    private func steps(_ typed: [(event: String, attribute: String, value: String)]) -> [(String, String)] {
        typed.enumerated().flatMap { index, step in
            [
                ("steps[\(index)].event", step.event), ("steps[\(index)].attribute", step.attribute),
                ("steps[\(index)].value", step.value),
            ]
        }
    }

    @Test func `a funnel is made of the names of events, counted, changed and deleted`() async throws {
        try await WorkbenchSite.run { site in
            try await send(site, [(17, "Viewed", "maya"), (17, "Viewed", "jo"), (16, "Bought", "jo")])
            let editor = try await site.signedIn(.editor)
            let blank = try await editor.get("\(Self.root)/funnels/new").body
            #expect(blank.contains("<option value=\"Viewed\">2 times</option>"))
            #expect(blank.contains("<option value=\"Goal completed: Bought\">1 time</option>"))
            #expect(blank.contains("<option value=\"Pier\">"))
            let head = [("name", "Buying"), ("windowSeconds", "24"), ("windowUnit", "3600")]
            // The event in another letter case, with an attribute and its value, and the goal by its name alone.
            let typed = steps([("viewed", "Pier", "<b>North</b>"), ("Bought", "", "")])
            #expect(try await editor.post("\(Self.root)/funnels/new", head + typed).status == 303)
            let events = site.server.features.behaviors.events
            let saved = try #require(try await events.funnels("harbor").first)
            #expect(
                saved.funnel
                    == Funnel(
                        steps: [
                            .init(17, "Viewed", attribute: "Pier", value: "<b>North</b>"),
                            .init(16, "Bought"),
                        ],
                        window: .seconds(86_400)))
            let page = try await editor.get("\(Self.root)/goals").body
            #expect(page.contains("50 %") && page.contains("−50 % (1 user)"))
            #expect(page.contains("Within 1 day"))

            let path = "\(Self.root)/funnels/\(saved.id)"
            #expect(try await editor.get(path).body.contains("value=\"Goal completed: Bought\""))
            let other = steps([("Viewed", "Pier", "South"), ("Goal completed: Bought", "", "")])
            #expect(
                try await editor.post(path, [("name", "Southern")] + head.dropFirst() + other).status == 303)
            #expect(try await events.funnels("harbor").map(\.name) == ["Southern"])
            #expect(
                try await editor.get("\(Self.root)/goals").body.contains(
                    "data-label=\"Users\" class=\"num\">0<"))
            #expect(try await editor.get("\(path)/delete").body.contains("Delete “Southern”?"))
            #expect(try await editor.post("\(path)/delete").status == 303)
            #expect(try await events.funnels("harbor").isEmpty)
            #expect(try await editor.get(path).status == 404)
            #expect(try await editor.get("\(Self.root)/campaigns").body.contains("Autumn"))
        }
    }

    @Test func `a funnel's form adds, moves and removes steps without a script, and names what is wrong`()
        async throws
    {
        try await WorkbenchSite.run { site in
            let editor = try await site.signedIn(.editor)
            let path = "\(Self.root)/funnels/new"
            let typed = steps([("First", "", ""), ("Second", "", "")])
            func events(_ op: String) async throws -> [String] {
                let page = try await editor.post(path, [("op", op)] + typed).body
                return page.components(separatedBy: ".event\" type=\"text\" value=\"").dropFirst().map {
                    String($0.prefix { $0 != "\"" })
                }
            }
            #expect(try await events("add") == ["First", "Second", ""])
            #expect(try await events("up.1") == ["Second", "First"])
            #expect(try await events("remove.0") == ["Second"])
            #expect(try await events("remove.99") == ["First", "Second"])
            let wrong = try await editor.post(
                path, [("name", ""), ("windowSeconds", "0"), ("windowUnit", "60")] + steps([("", "", "x")]))
            #expect(wrong.status == 422)
            for fault in [
                "1 to 128 characters.", "A whole number of 1 or more, or empty.",
                "Choose an event, or type its name.",
                "Enter the attribute of this value.",
            ] {
                #expect(wrong.body.contains(fault), "\(fault)")
            }
            #expect(
                try await editor.post(path, [("op", "add")] + typed).body.contains(
                    "No event with this name has arrived yet."))
            let analyst = try await site.signedIn(.analyst)
            #expect(try await analyst.get(path).status == 403)
        }
    }

    @Test func `a goal is an event with an attribute; it is made, counted, changed and deleted`() async throws
    {
        try await WorkbenchSite.run { site in
            try await send(
                site,
                [(17, "Viewed", "maya"), (17, "Viewed", "jo"), (17, "Viewed", "jo"), (16, "Bought", "jo")])
            let editor = try await site.signedIn(.editor)
            func typed(_ value: String) -> [(String, String)] {
                [
                    ("name", "Looked"), ("step.event", "Viewed"), ("step.attribute", "Pier"),
                    ("step.value", value),
                ]
            }
            #expect(try await editor.post("\(Self.root)/goals/new", typed("<b>North</b>")).status == 303)
            let page = try await editor.get("\(Self.root)/goals").body
            let row = try #require(WorkbenchBrowser.between(">Looked</a>", "</tr>", page))
            #expect(row.contains("Viewed, Pier is “&lt;b&gt;North&lt;/b&gt;”"))
            #expect(row.contains("data-label=\"Completed\" class=\"num\">3<"))
            #expect(row.contains("data-label=\"Users\" class=\"num\">2<"))
            // Goals that apps name themselves are still listed, without a form of their own.
            let named = try #require(WorkbenchBrowser.between(">Bought</a>", "</tr>", page))
            #expect(named.contains("100 %") && !named.contains("Edit"))
            let events = site.server.features.behaviors.events
            let goal = try #require(try await events.savedGoals("harbor").first)
            let path = "\(Self.root)/goals/\(goal.id)"
            #expect(try await editor.post(path, typed("South")).status == 303)
            #expect(try await events.savedGoals("harbor").map(\.step.value) == ["South"])
            let bad = try await editor.post(path, [("name", " "), ("step.event", "")])
            #expect(bad.status == 422 && bad.body.contains("Choose an event, or type its name."))
            #expect(try await editor.post("\(path)/delete").status == 303)
            #expect(try await events.savedGoals("harbor").isEmpty)
            #expect(try await editor.get("/workbench/e/other/behaviors/goals/\(goal.id)").status == 404)
        }
    }

    @Test func `a file of contacts is imported, its broken lines are named, and contacts opt out`()
        async throws
    {
        try await WorkbenchSite.run { site in
            let editor = try await site.signedIn(.editor)
            let made = try await editor.post("\(Self.root)/lists/new", [("name", "Passengers")])
            #expect(made.status == 303)
            let column = [("name", "City"), ("type", "0")]
            #expect(try await editor.post("\(made.location)/column", column).status == 303)
            let file =
                "Email,City\nmaya@harbor.example,\"Oslo, <i>east</i>\"\nbroken\njo@harbor.example,Bergen\n"
            let result = try await editor.put("\(made.location)/import", file, token: editor.formToken)
            #expect(result.body.contains("2 contacts added") && result.body.contains("Line 3:"))
            let page = try await editor.get(made.location)
            #expect(page.body.contains("Oslo, &lt;i&gt;east&lt;/i&gt;"))
            let found = try await editor.get("\(made.location)?q=bergen")
            #expect(found.body.contains("jo@harbor.example") && !found.body.contains("maya@harbor.example"))
            let contactID = try #require(
                WorkbenchBrowser.between("action=\"\(made.location)/contacts/", "/opt-out\"", found.body))
            // A second press of the button on the outdated page changes nothing.
            let optOut = "\(made.location)/contacts/\(contactID)/opt-out"
            for _ in 0..<2 { #expect(try await editor.post(optOut).status == 303) }
            #expect(try await editor.get("\(made.location)?q=bergen").body.contains("Opted out"))
            let foreign = made.location.replacingOccurrences(of: "/e/harbor/", with: "/e/other/")
            #expect(try await editor.get(foreign).status == 404)
        }
    }

    @Test func `an interrupted import is in the audit log, because its first contacts stay`() async throws {
        try await WorkbenchSite.run { site in
            let contacts = site.server.features.behaviors.contacts
            let list = try await contacts.createDatabase("harbor", name: "Passengers")
            try await site.services.database.write {
                try $0.execute(
                    """
                    CREATE TRIGGER full BEFORE INSERT ON recipient_values WHEN NEW.value = 'n300@x.example'
                    BEGIN SELECT RAISE(ABORT, 'full'); END
                    """)
            }
            let editor = try await site.signedIn(.editor)
            let file = "Email\n" + (0..<400).map { "n\($0)@x.example\n" }.joined()
            let path = "\(Self.root)/lists/\(list.id)/import"
            #expect(try await editor.put(path, file, token: editor.formToken).status == 500)
            #expect(try await contacts.lists("harbor").map(\.size) == [200])
            let line = try #require(try await site.services.audit.entries("harbor", limit: 1).first)
            #expect(line.action == "imported contacts" && line.subject == "Passengers")
            #expect(line.detail == "not completed")
        }
    }

    @Test func `a contact list is deleted with its contacts and parts, after a question with their numbers`()
        async throws
    {
        try await WorkbenchSite.run { site in
            let contacts = site.server.features.behaviors.contacts
            let (list, part, id) = try await Self.listWithPart(contacts)
            let editor = try await site.signedIn(.editor)
            let root = "\(Self.root)/lists"
            let ofPart = try await editor.get("\(root)/\(part.id)/delete")
            #expect(ofPart.body.contains("Its contacts (1) stay in the list"))
            let question = try await editor.get("\(root)/\(list.id)/delete")
            #expect(question.body.contains("Delete “Passengers”?"))
            #expect(question.body.contains("Its contacts (1) and parts (1) go with it"))
            #expect(try await contacts.lists("harbor").count == 2)
            let foreign = "/workbench/e/other/behaviors/lists/\(list.id)/delete"
            #expect(try await editor.post(foreign).status == 404)
            #expect(try await editor.post("\(root)/\(list.id)/delete").status == 303)
            #expect(try await contacts.lists("harbor").isEmpty)
            #expect(try await contacts.recipient("harbor", id) == nil)
        }
    }

    @Test func `a contact that is removed from a part of a list stays in the list`() async throws {
        try await WorkbenchSite.run { site in
            let contacts = site.server.features.behaviors.contacts
            let (_, part, id) = try await Self.listWithPart(contacts)
            let editor = try await site.signedIn(.editor)
            let path = "\(Self.root)/lists/\(part.id)/contacts/\(id)/remove"
            #expect(try await editor.post(path).status == 303)
            #expect(try await contacts.recipients("harbor", part.id).recipients.isEmpty)
            #expect(try await contacts.recipient("harbor", id) != nil)
            #expect(try await editor.post(path).status == 404)
        }
    }

    /// Creates a list and a part of it, with one contact in both.
    private static func listWithPart(_ contacts: ContactStore) async throws -> (
        list: ContactList, part: ContactList, contact: Int64
    ) {
        let list = try await contacts.createDatabase("harbor", name: "Passengers")
        let part = try await contacts.createContactList("harbor", name: "VIP", of: list.id)
        let id = try await contacts.save("harbor", list.id, values: ["Email": "maya@harbor.example"])
        try await contacts.write("harbor") { try $0.addMember(id, to: part.id) }
        return (list, part, id)
    }
}
