import InlaySQL
@_spi(Inlay) import InlayWire
import Testing

@testable import InlayServerTesting
@testable import InlayWorkbench
@testable import InlayBehaviorsServer
@testable import InlayServerCore

/// The database connections on which the Workbench's pages read. Two long queries on those for apps delay every app.
@Suite struct PageConnectionTests {
    /// Tables that grow with the data of apps and campaigns, and that reports scan.
    private static let large = ["behavior_events", "card_numbers", "ad_days", "recipients"]

    @Test func `no page scans events, contacts or all users on the connections for apps`() async throws {
        try await WorkbenchSite.run(watching: { RecordingDatabase($0) }) { site in
            let audited = try #require(site.services.database as? AuditedDatabase)
            let recording = try #require(audited.base as? RecordingDatabase)
            let pages = try await Self.fill(site)
            let admin = try await site.signedIn(.admin)
            recording.clearStatements()
            for path in pages {
                let before = recording.statements.count
                let page = try await admin.get(path)
                // Some of the pages without an id redirect, or need a record that does not exist.
                #expect([200, 303, 404].contains(page.status), "\(path)")
                for statement in recording.statements.dropFirst(before) where statement.access == .read {
                    #expect(!Self.isLong(statement.sql), "\(path): \(statement.sql)")
                }
            }
            let reports = recording.statements.filter { $0.access == .analytics }
            for table in Self.large {
                #expect(reports.contains { Self.reads(table, in: $0.sql) }, "No page shows \(table).")
            }
            #expect(reports.contains { Self.isCountOfUsers($0.sql) })
        }
    }

    private static func isLong(_ sql: String) -> Bool {
        isCountOfUsers(sql) || large.contains { reads($0, in: sql) }
    }

    private static func reads(_ table: String, in sql: String) -> Bool {
        ["FROM", "JOIN"].contains { sql.contains("\($0) \(table)") }
    }

    private static func isCountOfUsers(_ sql: String) -> Bool {
        sql.contains("COUNT(*)") && sql.contains("FROM users")
    }

    /// Creates a record of each kind with reports; returns the paths of these and of all pages without an id.
    private static func fill(_ site: WorkbenchSite) async throws -> [String] {
        let behaviors = site.server.features.behaviors
        let step = Funnel.Step(EventCode.namedEvent.rawValue, "boarded")
        let goal = try await behaviors.events.saveGoal("harbor", name: "Boarded", step)
        let funnel = try await behaviors.events.saveFunnel(
            "harbor", name: "Check-in", Funnel(steps: [step, step], window: .seconds(3_600)))
        let segment = try await behaviors.segments.save(
            "harbor", name: "Sailors", SegmentRule([.init(.init(code: 17, name: "boarded", days: 7))]))
        let list = try await behaviors.contacts.createDatabase("harbor", name: "Passengers")
        try await behaviors.contacts.save("harbor", list.id, values: ["Email": "ada@example.com"])
        let template = try await site.cards.templates.create("harbor", .sample(headline: "Plain"))
        try await site.services.users.put("harbor", "ada", UserProfile())
        let whole = site.routes.filter { $0.method == .get }.map { $0.path }
        let plain = whole.map { $0.replacing(":environment", with: "harbor") }.filter { !$0.contains(":") }
        let root = "e/harbor/"
        let own = [
            "behaviors/goals/\(goal.id)", "behaviors/funnels/\(funnel.id)",
            "behaviors/segments/\(segment.id)",
            "behaviors/lists/\(list.id)", "behaviors/lists/\(list.id)?q=ada",
            "cards/templates/\(template.id)/analytics", "cards/inspector?user=ada", "users/ada",
            "behaviors/explorer?days=90&by=name", "behaviors/explorer?by=Pier",
        ]
        return (plain + own.map { root + $0 }).map { "/workbench/" + $0 }
    }
}
