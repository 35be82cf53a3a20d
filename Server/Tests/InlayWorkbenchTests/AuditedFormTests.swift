import Foundation
import InlaySQL
@_spi(Inlay) import InlayWire
import Testing

@testable import InlayBehaviorsServer
@testable import InlayCardsServer
@testable import InlayDevicesServer
@testable import InlayServerCore
@testable import InlayServerTesting

/// The changes by forms that edit no record. Each change is stored together with its line in the audit log.
@Suite(.timeLimit(.minutes(3))) struct AuditedFormTests {
    /// A form below `/workbench/e/harbor/`, and the action of its audit log line.
    private struct Form {
        let path: String
        var fields: [(String, String)] = []
        let action: String
        var isUpload = false
    }

    /// The tables that the forms change.
    private static let tables = [
        "operators", "environments", "api_keys", "secret_keys", "oauth_clients", "device_applications",
        "device_application_secrets", "device_accounts", "device_sessions", "device_devices",
        "card_templates",
        "card_containers", "contact_lists", "contact_columns", "recipients", "contact_members",
        "hub_sources", "hub_items", "hub_assets",
    ]

    private static let password = ("new", "five boats after lunch")

    /// Creates the rows that the forms change, and returns the forms in an order in which each has rows to change.
    private func forms(_ site: WorkbenchSite, by admin: WorkbenchBrowser) async throws -> [Form] {
        let features = site.server.features
        let `operator` = try await site.services.operators.create(
            login: "someone", password: WorkbenchSite.password, role: .editor)
        let operators = "settings/operators/\(`operator`.id)"
        let keys = site.services.environments
        let secretKey = try await keys.addSecretKey("harbor", name: "Backend").key
        let application = try await features.devices.applications.create("harbor", name: "App").application
        let applicationPath = "devices/applications/\(application.id)"
        let secret = try #require(
            try await features.devices.applications.secrets("harbor", application.id).first)
        let address = try #require(MailAddress("ada@example.com"))
        let account = try await site.services.database.write { connection in
            let account = try AccountStore.insert(
                address, application, nil, provenAt: nil, at: site.services.now(), in: connection)
            _ = try AccountTokenStore.open(
                "harbor", account: account.id, application: application.id, at: site.services.now(),
                in: connection)
            try connection.execute(
                """
                INSERT INTO device_devices (environment_id, id, account_id, application_id, serial, model, name,
                    state, paired_at) VALUES ('harbor', 'device', ?, ?, 's', 'm', 'Gate', 'active', 0)
                """, [.id(account.id), .id(application.id)])
            return account
        }
        let template = try await site.cards.templates.create("harbor", .sample(headline: "Plain"))
        try await site.cards.containers.save("harbor", id: "second", name: "Second")
        let contacts = features.behaviors.contacts
        let list = try await contacts.createDatabase("harbor", name: "Guests")
        let part = try await contacts.createContactList("harbor", name: "Part", of: list.id)
        let first = try await contacts.save("harbor", list.id, values: ["Email": "a@x.example"])
        _ = try await site.services.database.write {
            try $0.execute(
                "INSERT INTO contact_members (environment_id, list_id, recipient_id) VALUES ('harbor', ?, ?)",
                [.integer(part.id), .integer(first)])
        }
        let hub = "/workbench/e/harbor/hub", channels = "hub/guide/channels"
        #expect(try await admin.post("\(hub)/new", [("id", "guide"), ("name", "Guide")]).status == 303)
        let news = [("id", "news"), ("title", "News"), ("op", "release")]
        #expect(try await admin.post("\(hub)/guide/channels/new", news).status == 303)
        _ = try await site.services.database.write {
            try $0.execute(
                """
                INSERT INTO hub_assets (environment_id, source_id, path, hash, size, updated_at)
                VALUES ('harbor', 'guide', 'assets/quay.png', '00', 1, 0)
                """)
        }
        let lists = "behaviors/lists"
        return [
            Form(
                path: "settings/environments/new", fields: [("name", "Pier"), ("id", "pier")],
                action: "created environment"),
            Form(
                path: "settings/environments/rename", fields: [("newName", "Quay")],
                action: "renamed environment"),
            Form(
                path: "settings/environments/time-zone", fields: [("timeZone", "Europe/Oslo")],
                action: "set time zone"),
            Form(
                path: "settings/keys/new", fields: [("name", "App"), ("days", "7")],
                action: "created API key"),
            Form(
                path: "settings/keys/secret/new", fields: [("secretName", "More")],
                action: "created secret key"),
            Form(path: "settings/keys/\(secretKey.id)/revoke", action: "revoked secret key"),
            Form(path: "settings/oauth/new", fields: [("name", "Campaigns")], action: "created OAuth client"),
            Form(
                path: "settings/operators/new", fields: [("login", "New@x.example"), ("role", "editor")],
                action: "created operator"),
            Form(path: "\(operators)/role", fields: [("role", "analyst")], action: "changed role"),
            Form(path: "\(operators)/shut-out", action: "disabled operator"),
            Form(path: "\(operators)/let-in", action: "enabled operator"),
            Form(path: "\(operators)/password", action: "set password"),
            Form(path: "devices/applications/new", fields: [("name", "More")], action: "created application"),
            Form(path: "\(applicationPath)/secrets/new", action: "created application secret"),
            Form(
                path: "\(applicationPath)/secrets/\(secret.id)/revoke", action: "revoked application secret"),
            Form(
                path: "\(applicationPath)/logo", action: "changed logo of application", isUpload: true),
            Form(path: "\(applicationPath)/logo/remove", action: "removed logo"),
            Form(path: "devices/list/device/remove", action: "removed device"),
            Form(path: "devices/accounts/\(account.id)/log-out", action: "logged out everywhere"),
            Form(path: "devices/accounts/\(account.id)/delete", action: "deleted account"),
            Form(path: "cards/templates/\(template.id)/switch-off", action: "switched template off"),
            Form(path: "cards/templates/\(template.id)/switch-on", action: "switched template on"),
            Form(path: "cards/containers/second/default", action: "set default container"),
            Form(
                path: "\(lists)/\(list.id)/column", fields: [("name", "City"), ("type", "0")],
                action: "added column"),
            Form(path: "\(lists)/\(list.id)/contacts/\(first)/opt-out", action: "opted out contact"),
            Form(path: "\(lists)/\(list.id)/contacts/\(first)/opt-in", action: "opted in contact"),
            Form(path: "\(lists)/\(part.id)/contacts/\(first)/remove", action: "removed contact"),
            Form(path: "\(lists)/\(list.id)/contacts/\(first)/remove", action: "removed contact"),
            Form(path: "\(lists)/\(list.id)/delete", action: "deleted contact list"),
            Form(
                path: "\(channels)/new", fields: [("id", "more"), ("title", "More"), ("op", "save")],
                action: "created channel"),
            Form(
                path: "\(channels)/news", fields: [("title", "Old"), ("revision", "1"), ("op", "save")],
                action: "saved channel"),
            Form(path: "\(channels)/news/withdraw", action: "withdrew channel"),
            Form(path: "\(channels)/news/delete", action: "deleted channel"),
            Form(
                path: "hub/guide/files/delete", fields: [("path", "assets/quay.png")],
                action: "deleted file"),
            Form(
                path: "hub/guide/policy",
                fields: [("isDisabled", "on"), ("afterHours", "1")],
                action: "disabled content"),
            Form(
                path: "settings/account",
                fields: [("old", WorkbenchSite.password), Self.password, ("again", Self.password.1)],
                action: "changed own password"),
        ]
    }

    private func send(_ form: Form, as admin: WorkbenchBrowser) async throws -> WorkbenchBrowser.Response {
        let path = "/workbench/e/harbor/\(form.path)"
        if form.isUpload {
            // The first bytes of a WebP picture are ASCII.
            return try await admin.put(path, "RIFF0000WEBP", token: admin.formToken)
        }
        return try await admin.postRaw(path, [("csrf", admin.formToken)] + form.fields)
    }

    /// Returns the rows of the tables that the forms change.
    private func rows(_ site: WorkbenchSite) async throws -> [String] {
        try await site.services.database.read { connection in
            try Self.tables.flatMap { table in
                try connection.rows("SELECT * FROM \(table)").map { "\(table) \($0)" }.sorted()
            }
        }
    }

    private func lines(_ site: WorkbenchSite) async throws -> [String] {
        let entries =
            try await site.services.audit.entries("harbor") + site.services.audit.entries("pier")
            + site.services.audit.entries(nil)
        return entries.sorted { $0.id < $1.id }.map(\.action)
    }

    @Test func `every change by a form that edits no record has its audit log line`() async throws {
        try await WorkbenchSite.run { site in
            let admin = try await site.signedIn(.admin)
            for form in try await forms(site, by: admin) {
                let (before, rows) = (try await lines(site), try await rows(site))
                let answer = try await send(form, as: admin)
                #expect(answer.status < 400, "\(form.path)")
                let added = try await lines(site).dropFirst(before.count)
                let expected =
                    form.action == "deleted contact list"
                    ? ["began deleting contact list", form.action] : [form.action]
                #expect(Array(added) == expected, "\(form.path)")
                #expect(try await self.rows(site) != rows, "\(form.path)")
            }
        }
    }

    @Test func `no change by a form that edits no record is stored without its audit log line`() async throws
    {
        try await WorkbenchSite.run { site in
            let admin = try await site.signedIn(.admin)
            let forms = try await forms(site, by: admin)
            _ = try await site.services.database.write { try $0.execute("DROP TABLE audit_log") }
            for form in forms {
                let before = try await rows(site)
                let answer = try await send(form, as: admin)
                #expect(answer.status >= 400, "\(form.path)")
                #expect(try await rows(site) == before, "\(form.path)")
            }
        }
    }

    @Test func `an interrupted removal of a contact list has an audit log line`() async throws {
        try await WorkbenchSite.run { site in
            let admin = try await site.signedIn(.admin)
            let contacts = site.server.features.behaviors.contacts
            let list = try await contacts.createDatabase("harbor", name: "Guests")
            try await contacts.save("harbor", list.id, values: ["Email": "a@x.example"])
            _ = try await site.services.database.write {
                try $0.execute(
                    """
                    CREATE TRIGGER keep_lists BEFORE DELETE ON contact_lists
                    BEGIN SELECT RAISE(ABORT, 'kept'); END
                    """)
            }
            let path = "/workbench/e/harbor/behaviors/lists/\(list.id)/delete"
            let broken = try await admin.postRaw(path, [("csrf", admin.formToken)])
            #expect(broken.status >= 400)
            func lines() async throws -> [String] {
                try await site.services.audit.entries("harbor").map(\.action)
            }
            #expect(try await lines() == ["began deleting contact list"])
            #expect(try await contacts.lists("harbor").map(\.size) == [0])
            _ = try await site.services.database.write { try $0.execute("DROP TRIGGER keep_lists") }
            #expect(try await admin.post(path).status == 303)
            #expect(try await lines().first == "deleted contact list")
            #expect(try await contacts.lists("harbor").isEmpty)
        }
    }

    @Test func `a contact list or an OAuth client that does not exist is not found`() async throws {
        try await WorkbenchSite.run { site in
            let admin = try await site.signedIn(.admin)
            for (path, noun) in [
                ("behaviors/lists/77", "contact list"), ("behaviors/lists/x", "contact list"),
                ("settings/oauth/none/revoke", "OAuth client"),
            ] {
                let page = try await admin.get("/workbench/e/harbor/\(path)")
                #expect(page.status == 404 && page.body.contains("no such \(noun)"), "\(path)")
            }
        }
    }
}
