import Foundation
@_spi(Inlay) import InlayWire
import Testing

@testable import InlayDevicesServer
@testable import InlayServerCore
@testable import InlayServerTesting
@testable import InlayWorkbench

/// The Workbench's pages of Devices: the roles that they need, and the secrets that they never contain.
@Suite(.timeLimit(.minutes(3))) struct DevicePagesTests {
    private static let root = "/workbench/e/harbor/devices"
    private static let password = "four words in a row, please"

    /// An application that was created by form, and the requests of its app.
    private struct App {
        let site: WorkbenchSite
        let id: String
        var secret: String

        /// Sends a request with the application's headers, and with an account's token when there is one.
        func send(_ path: String, token: String? = nil, _ body: [String: String]) async throws
            -> WorkbenchBrowser.Response
        {
            var headers = [
                "Inlay-Application": id, "Inlay-Application-Secret": secret,
                "Content-Type": "application/json",
            ]
            headers["Authorization"] = token.map { "Bearer \($0)" }
            let text = String(decoding: try JSONEncoder().encode(body), as: UTF8.self)
            return try await site.browser().send(
                "POST", "/v1/devices/\(path)", headers: headers, body: text)
        }

        func sent<Value: Decodable>(
            _ path: String, token: String? = nil, _ body: [String: String], as type: Value.Type = Value.self
        ) async throws -> Value {
            let answer = try await send(path, token: token, body)
            return try JSONDecoder().decode(Value.self, from: Data(answer.body.utf8))
        }
    }

    private func createApp(
        _ site: WorkbenchSite, _ admin: WorkbenchBrowser, name: String = "Harbor app"
    ) async throws -> App {
        let page = try await admin.post("\(Self.root)/applications/new", [("name", name)])
        #expect(page.status == 200, "\(page.body.prefix(2_000))")
        let id = try #require(WorkbenchBrowser.between("<code>app_", "</code>", page.body))
        let app = App(site: site, id: "app_\(id)", secret: try shownSecret(page))
        let application = try #require(
            try await site.server.features.devices.applications.application("harbor", ApplicationID(app.id)))
        var settings = application
        settings.opensAtOnce = true
        settings.pairsUnproven = true
        try await site.server.features.devices.applications.save(settings)
        return app
    }

    private func shownSecret(_ page: WorkbenchBrowser.Response) throws -> String {
        try #require(WorkbenchBrowser.between("id=\"secret\">", "</code>", page.body))
    }

    /// Creates an account with a device, and returns their ids with every secret that was issued.
    private func prepare(
        _ app: App, email: String = "ada@example.com", device: String = "Gate 7"
    ) async throws -> (account: String, device: String, secrets: [String]) {
        let opening = try await app.sent(
            "accounts", ["email": email, "password": Self.password], as: AccountOpening.self)
        let token = opening.session.accessToken
        let pairing = try await app.sent("pairings", token: token, ["name": device], as: Pairing.self)
        let credential = try await app.sent(
            "claim", ["pairingToken": pairing.token, "serial": device, "model": device],
            as: DeviceCredential.self)
        return (
            opening.account.id, credential.deviceID,
            [
                Self.password, token, opening.session.refreshToken, pairing.token, credential.credential,
                "argon2",
            ]
        )
    }

    private func pages(_ app: App, _ account: String) -> [String] {
        [
            "applications", "applications/\(app.id)", "accounts", "accounts/\(account)", "list", "setup",
            "mails",
        ].map { "\(Self.root)/\($0)" }
    }

    // MARK: Secrets

    @Test func `a secret is shown once, two can be valid at a time, and a revoked one is refused`()
        async throws
    {
        try await WorkbenchSite.run { site in
            let admin = try await site.signedIn(.admin)
            var app = try await createApp(site, admin)
            let first = app.secret, page = "\(Self.root)/applications/\(app.id)"
            func logIn() async throws -> String {
                let body = try await app.send("sessions", ["email": "a@example.com", "password": "x"]).body
                return WorkbenchBrowser.between("\"code\":\"", "\"", body) ?? body
            }
            #expect(try await logIn() == "account.log-in-refused")
            let second = try shownSecret(try await admin.post("\(page)/secrets/new"))
            let third = try await admin.post("\(page)/secrets/new")
            #expect(third.status >= 400 && !third.body.contains("ias_") && second != first)
            for path in ["\(Self.root)/applications", page, "/workbench/e/harbor/settings/audit"] {
                let body = try await admin.get(path).body
                #expect(!body.contains(first) && !body.contains(second), "\(path)")
            }
            let name = try #require(
                WorkbenchBrowser.between("Revoke ias_", "\"", try await admin.get(page).body))
            let secret = "ias_\(name)"
            #expect(first.hasPrefix(secret) || second.hasPrefix(secret))
            #expect(try await admin.get("\(page)/secrets/\(secret)/revoke").body.contains(secret))
            #expect(try await admin.post("\(page)/secrets/\(secret)/revoke").status == 303)
            let (revoked, valid) = first.hasPrefix(secret) ? (first, second) : (second, first)
            app.secret = revoked
            #expect(try await logIn() == "application.refused")
            app.secret = valid
            #expect(try await logIn() == "account.log-in-refused")
            #expect(try await admin.post("\(page)/revoke").status == 303)
            #expect(try await logIn() == "application.refused")
            let ended = try await admin.get(page).body
            #expect(ended.contains("Revoked") && !ended.contains("Save the settings"))
        }
    }

    @Test func `no page ever holds a password, a token, a credential or a hash`() async throws {
        try await WorkbenchSite.run { site in
            let admin = try await site.signedIn(.admin)
            let app = try await createApp(site, admin)
            let owner = try await prepare(app)
            let mail = try #require(
                try await site.server.features.devices.mails.mails("harbor").first)
            let code = try #require(mail.code)
            let others = ["overview", "settings/audit"].map { "/workbench/e/harbor/\($0)" }
            for path in pages(app, owner.account) + others {
                let page = try await admin.get(path)
                #expect(page.status == 200, "\(path)")
                for secret in owner.secrets + [app.secret, code] {
                    #expect(!page.body.contains(secret), "\(path) holds \(secret.prefix(6))")
                }
            }
            // The page of one mail shows its code, and each reading has a line in the audit log.
            #expect(try await admin.get("\(Self.root)/mails/\(mail.id)").body.contains(code))
            let audit = try await admin.get("/workbench/e/harbor/settings/audit").body
            #expect(audit.contains("read mail") && audit.contains(mail.id))
            for role in [OperatorRole.analyst, .editor] {
                let browser = try await site.signedIn(role)
                #expect(try await browser.get("\(Self.root)/mails/\(mail.id)").status == 403)
            }
        }
    }

    @Test func `an account's page links to its user once the user exists`() async throws {
        try await WorkbenchSite.run { site in
            let admin = try await site.signedIn(.admin)
            let owner = try await prepare(try await createApp(site, admin))
            let page = "\(Self.root)/accounts/\(owner.account)", userID = "account:\(owner.account)"
            #expect(try await !admin.get(page).body.contains("As a user"))
            try await site.services.users.put("harbor", UserID(userID), UserProfile(["city": .text("Kiel")]))
            let body = try await admin.get(page).body
            let before = try #require(body.range(of: "\">As a user")).lowerBound
            let path = try #require(body[..<before].components(separatedBy: "href=\"").last)
            let user = try await admin.get(path)
            #expect(user.status == 200 && user.body.contains(userID) && user.body.contains("Kiel"))
            // The user is deleted with the account, and cannot be erased alone.
            #expect(user.body.contains("href=\"\(page)/delete\"") && !user.body.contains("Erase…"))
            #expect(try await admin.post("\(path)/erase").status == 409)
        }
    }

    // MARK: Roles

    @Test func `an operator who is no admin sees every page, without forms that change anything`()
        async throws
    {
        try await WorkbenchSite.run { site in
            let app = try await createApp(site, try await site.signedIn(.admin))
            let owner = try await prepare(app)
            for role in [OperatorRole.analyst, .editor] {
                let browser = try await site.signedIn(role)
                for path in pages(app, owner.account) {
                    let page = try await browser.get(path)
                    let content = try #require(WorkbenchBrowser.between("<main", "</main>", page.body))
                    #expect(page.status == 200, "\(path) as \(role)")
                    #expect(!content.contains("<button class=\"button primary\""), "\(path) as \(role)")
                    #expect(!content.contains("name=\"csrf\""), "\(path) as \(role)")
                    #expect(!content.contains("button small danger"), "\(path) as \(role)")
                }
                let forms = [
                    "applications/new", "applications/\(app.id)", "applications/\(app.id)/secrets/new",
                    "applications/\(app.id)/revoke", "accounts/\(owner.account)/log-out",
                    "accounts/\(owner.account)/delete", "list/\(owner.device)/remove",
                ]
                for form in forms {
                    let answer = try await browser.post("\(Self.root)/\(form)", [("name", "Mine")])
                    #expect(answer.status == 403, "\(form) as \(role)")
                }
            }
            let devices = site.server.features.devices
            #expect(try await devices.applications.applications("harbor").map(\.name) == ["Harbor app"])
            #expect(try await devices.applications.secrets("harbor", ApplicationID(app.id)).count == 1)
            #expect(try await devices.accounts.account("harbor", AccountID(owner.account)) != nil)
            #expect(try await devices.devices.device("harbor", DeviceID(owner.device)) != nil)
        }
    }

    @Test func `an admin without the form's token changes nothing`() async throws {
        try await WorkbenchSite.run { site in
            let admin = try await site.signedIn(.admin)
            let app = try await createApp(site, admin)
            let owner = try await prepare(app)
            for form in [
                "applications/\(app.id)/revoke", "accounts/\(owner.account)/delete",
                "list/\(owner.device)/remove",
            ] {
                #expect(try await admin.postRaw("\(Self.root)/\(form)", [("csrf", "x")]).status == 403)
            }
            let logo = "\(Self.root)/applications/\(app.id)/logo"
            #expect(try await admin.put(logo, "x", token: nil).status == 403)
            let devices = site.server.features.devices
            #expect(
                try await devices.applications.application("harbor", ApplicationID(app.id))?.revokedAt == nil)
            #expect(try await devices.devices.device("harbor", DeviceID(owner.device)) != nil)
        }
    }

    // MARK: Text and tenants

    @Test func `every page shows hostile text as text, and nothing of another environment`() async throws {
        try await WorkbenchSite.run { site in
            let admin = try await site.signedIn(.admin), attack = "\"\u{301}><script>alert(2)</script>"
            let app = try await createApp(site, admin, name: attack)
            let owner = try await prepare(app, device: "\"><script>alert(2)</script>")
            let query = FormFields.escaped(attack)
            var paths = pages(app, owner.account)
            paths += [
                "applications/\(app.id)/revoke", "accounts?q=\(query)", "accounts?after=\(query)",
                "list?q=\(query)", "list/\(owner.device)/remove", "accounts/\(owner.account)/delete",
                "setup?application=\(app.id)&days=\(query)",
            ].map { "\(Self.root)/\($0)" }
            for path in paths {
                let page = try await admin.get(path)
                #expect(page.status == 200, "\(path)")
                EscapingTests.expectHarmless(page.body, path)
                guard path.contains(app.id) || path.contains(owner.account) || path.contains(owner.device)
                else { continue }
                let foreign = try await admin.get(path.replacing("/e/harbor/", with: "/e/other/"))
                #expect(foreign.status == (path.contains("setup?") ? 200 : 404), "\(path)")
                #expect(!foreign.body.contains(app.id), "\(path)")
            }
            let other = Self.root.replacing("/e/harbor/", with: "/e/other/")
            for form in [
                "applications/\(app.id)", "applications/\(app.id)/revoke",
                "applications/\(app.id)/secrets/new", "accounts/\(owner.account)/log-out",
                "accounts/\(owner.account)/delete", "list/\(owner.device)/remove",
            ] {
                #expect(try await admin.post("\(other)/\(form)", [("name", "Mine")]).status == 404, "\(form)")
            }
            #expect(
                try await site.server.features.devices.devices.device("harbor", DeviceID(owner.device)) != nil
            )
        }
    }

    @Test func `a settings form with errors shows them at its fields, and keeps what was typed`() async throws
    {
        try await WorkbenchSite.run { site in
            let admin = try await site.signedIn(.admin)
            let app = try await createApp(site, admin), path = "\(Self.root)/applications/\(app.id)"
            for (fields, words) in [
                ([("name", ""), ("minimumPasswordLength", "12")], "1 to 128 characters."),
                ([("name", "Typed \"so\""), ("minimumPasswordLength", "3")], "From 8 to 64."),
                ([("name", "Typed \"so\""), ("minimumPasswordLength", "twelve")], "A whole number."),
            ] {
                let page = try await admin.post(path, fields)
                #expect(page.status == 422 && page.body.contains(words), "\(fields)")
                #expect(page.body.contains("value=\"\(HTMLText.escaped(fields[0].1))\""), "\(fields)")
                #expect(page.body.contains("value=\"\(fields[1].1)\""), "\(fields)")
            }
            let kept = try await site.server.features.devices.applications.application(
                "harbor", ApplicationID(app.id))
            #expect(kept?.name == "Harbor app")
        }
    }

    @Test func `each entry of a long list is on exactly one of its pages`() async throws {
        try await WorkbenchSite.run { site in
            let admin = try await site.signedIn(.admin)
            let app = try await createApp(site, admin)
            let devices = site.server.features.devices
            let application = try #require(
                try await devices.applications.application("harbor", ApplicationID(app.id)))
            for index in 0..<120 {
                _ = try await devices.accounts.create(
                    AccountRequest(email: "p\(1_000 + index)@example.com", password: nil), for: application)
            }
            var path: String? = "\(Self.root)/accounts?q=p1"
            var seen: [String] = [], count = 0
            while let next = path, count < 5 {
                let page = try await admin.get(next).body
                seen += page.matches(of: /p1\d\d\d@example\.com/).map { String($0.output) }
                #expect(page.contains("First page") == (count > 0))
                count += 1
                path = page.firstMatch(of: /href="([^"]+)">Next page/).map {
                    String($0.1).replacing("&amp;", with: "&")
                }
            }
            #expect(count == 3 && seen.count == 120 && Set(seen).count == 120 && seen == seen.sorted())
            #expect(try await admin.get("\(Self.root)/accounts?q=nobody").body.contains("No accounts found"))
        }
    }
}
