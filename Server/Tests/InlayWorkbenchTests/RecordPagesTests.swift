import InlaySQL
@_spi(Inlay) import InlayWire
import Testing

@testable import InlayAdsServer
@testable import InlayBehaviorsServer
@testable import InlayCardsServer
@testable import InlayDevicesServer
@testable import InlayHubServer
@testable import InlayServerCore
@testable import InlayServerTesting

/// The behavior that the pages of all kinds of records share.
@Suite(.timeLimit(.minutes(3))) struct RecordPagesTests {
    private static let root = "/workbench/e/harbor"
    private static let isOn = ("isEnabled", "on")

    /// Forms that make a record, by their path below the environment.
    private static let made: [(path: String, fields: [(String, String)], noun: String)] = [
        ("ads/publishers/new", [("name", "Ferries"), isOn], "publisher"),
        ("behaviors/lists/new", [("name", "Ferries")], "contact list"),
        ("behaviors/goals/new", [("name", "Ferries"), ("step.event", "viewed")], "goal"),
        ("cards/themes/new", [("name", "Ferries")], "theme"),
        ("cards/containers/new", [("name", "Ferries"), ("id", "ferries")], "container"),
        ("cards/templates/new", [("name", "Ferries"), ("eventName", "delayed")], "template"),
        ("hub/new", [("name", "Ferries"), ("id", "ferries")], "content source"),
    ]

    private func counts(_ site: WorkbenchSite) async throws -> [Int] {
        let id = EnvironmentID(verified: "harbor"), features = site.server.features
        return [
            try await features.ads.records.list(id, as: AdPublisher.self).count,
            try await features.behaviors.contacts.lists(id).count,
            try await features.behaviors.events.savedGoals(id).count,
            try await site.cards.themes.list(id).count, try await site.cards.containers.list(id).count,
            try await site.cards.templates.list(id).count, try await features.hub.content.sources(id).count,
        ]
    }

    @Test func `each record that is made has one line in the audit log`() async throws {
        try await WorkbenchSite.run { site in
            let editor = try await site.signedIn(.editor)
            for (path, fields, noun) in Self.made {
                let before = try await site.services.audit.entries("harbor").count
                #expect(try await editor.post("\(Self.root)/\(path)", fields).status == 303, "\(path)")
                let lines = try await site.services.audit.entries("harbor")
                #expect(lines.count == before + 1, "\(path)")
                #expect(lines.first?.action == "created \(noun)", "\(path)")
                #expect(lines.first?.subject == "Ferries" && lines.first?.who == "editor", "\(path)")
            }
        }
    }

    @Test func `nothing is stored when its audit log line cannot be stored`() async throws {
        try await WorkbenchSite.run { site in
            let editor = try await site.signedIn(.editor), admin = try await site.signedIn(.admin)
            let before = try await counts(site)
            let goals = site.server.features.behaviors.events
            let goal = try await goals.saveGoal("harbor", name: "Boarded", Funnel.Step(16, "Boarded"))
            let devices = site.server.features.devices.applications
            let application = try await devices.create("harbor", name: "Pier").application
            _ = try await site.services.database.write { try $0.execute("DROP TABLE audit_log") }

            for (path, fields, _) in Self.made {
                let answer = try await editor.postRaw(
                    "\(Self.root)/\(path)", [("csrf", editor.formToken)] + fields)
                #expect(answer.status >= 500, "\(path)")
            }
            let removal = try await editor.postRaw(
                "\(Self.root)/behaviors/goals/\(goal.id)/delete", [("csrf", editor.formToken)])
            #expect(removal.status >= 500)
            let change = try await admin.postRaw(
                "\(Self.root)/devices/applications/\(application.id)",
                [("csrf", admin.formToken), ("name", "Quay"), ("minimumPasswordLength", "10")])
            #expect(change.status >= 500)
            #expect(try await goals.savedGoals("harbor").map(\.name) == ["Boarded"])
            #expect(try await devices.application("harbor", application.id)?.name == "Pier")
            var after = try await counts(site)
            after[2] -= 1
            #expect(after == before)
        }
    }

    @Test func `a record that is removed twice has one line`() async throws {
        try await WorkbenchSite.run { site in
            let editor = try await site.signedIn(.editor)
            let goal = try await site.server.features.behaviors.events.saveGoal(
                "harbor", name: "Boarded", Funnel.Step(16, "Boarded"))
            let path = "\(Self.root)/behaviors/goals/\(goal.id)/delete"
            #expect(try await editor.post(path).status == 303)
            #expect(try await editor.post(path).status == 404)
            let lines = try await site.services.audit.entries("harbor").filter { $0.action == "deleted goal" }
            #expect(lines.map(\.subject) == ["Boarded"])
        }
    }
}
