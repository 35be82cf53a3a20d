import Foundation
import Testing

@testable import InlayServerCore
@testable import InlayBehaviorsServer
@testable import InlayServerTesting

@Suite struct SettingsPagesTests {
    @Test func `a secret is shown once, works, and is in no later page`() async throws {
        try await WorkbenchSite.run { site in
            let admin = try await site.signedIn(.admin)
            let path = "/workbench/e/harbor/settings/keys"
            let shown = try await admin.post("\(path)/secret/new", [("secretName", "Backend")])
            let secret = try #require(WorkbenchBrowser.between("id=\"secret\">", "<", shown.body))
            #expect(try await site.services.environments.backend("harbor", secret: secret) != nil)
            #expect(try await site.services.environments.backend("other", secret: secret) == nil)
            #expect(shown.header("cache-control") == "no-store")
            #expect(try await !admin.get(path).body.contains(secret))
            let key = try #require(try await site.services.environments.secretKeys("harbor").first)
            #expect(try await admin.post("\(path)/\(key.id)/revoke").status == 303)
            #expect(try await site.services.environments.backend("harbor", secret: secret) == nil)
        }
    }

    @Test func `an OAuth client's secrets are shown once and get a token until it is revoked`() async throws {
        try await WorkbenchSite.run { site in
            let admin = try await site.signedIn(.admin)
            let path = "/workbench/e/harbor/settings/oauth"
            #expect(try await admin.post("\(path)/new", [("name", "")]).status == 422)
            let shown = try await admin.post("\(path)/new", [("name", "Campaign <tool>")])
            let secret = try #require(WorkbenchBrowser.between("id=\"secret\">", "<", shown.body))
            let refresh = try #require(WorkbenchBrowser.between("id=\"second-secret\">", "<", shown.body))
            #expect(shown.header("cache-control") == "no-store")
            let oauth = site.server.features.behaviors.oauth
            let client = try #require(try await oauth.clients("harbor").first)
            let credentials = OAuthCredentials(
                clientID: client.id, clientSecret: secret, refreshToken: refresh)
            let token = try await oauth.grant(credentials).accessToken
            #expect(try await oauth.identity(of: token)?.environmentID == "harbor")
            let page = try await admin.get(path)
            #expect(page.body.contains("Campaign &lt;tool&gt;"))
            #expect(!page.body.contains(secret) && !page.body.contains(refresh))
            let foreign = "/workbench/e/other/settings/oauth/\(client.id)/revoke"
            #expect(try await admin.post(foreign).status == 404)
            #expect(try await admin.get("\(path)/\(client.id)/revoke").body.contains("cannot be used again"))
            #expect(try await admin.post("\(path)/\(client.id)/revoke").status == 303)
            #expect(try await oauth.identity(of: token) == nil)
            await #expect(throws: OAuthError.self) { try await oauth.grant(credentials) }
            #expect(try await site.signedIn(.editor).get(path).status == 403)
        }
    }

    @Test func `a key pair is made for who has none, and a public key that is none is refused as typed`()
        async throws
    {
        try await WorkbenchSite.run { site in
            let admin = try await site.signedIn(.admin)
            let path = "/workbench/e/harbor/settings/keys"
            let made = try await admin.post(
                "\(path)/new", [("name", "App"), ("source", "pair"), ("days", "7")])
            #expect(made.body.contains("-----BEGIN PRIVATE KEY-----"))
            let key = try #require(try await site.services.environments.apiKeys("harbor").first)
            #expect(key.rules.publicKey.contains("BEGIN PUBLIC KEY") && key.rules.userClaim == "sub")
            let wrong = try await admin.post(
                "\(path)/new",
                [("name", "Mine"), ("source", "paste"), ("publicKey", "not a key"), ("days", "7")])
            #expect(wrong.status == 422)
            #expect(wrong.body.contains("not a key") && wrong.body.contains("value=\"Mine\""))
        }
    }

    @Test func `shutting an operator out ends their sign-in at once, and can be undone`() async throws {
        try await WorkbenchSite.run { site in
            let admin = try await site.signedIn(.admin), editor = try await site.signedIn(.editor)
            let id = try #require(
                try await site.services.operators.operators().first { $0.login == "editor" }?.id)
            let path = "/workbench/e/harbor/settings/operators/\(id)"
            #expect(try await admin.post("\(path)/shut-out").status == 303)
            #expect(try await editor.get("/workbench/e/harbor/overview").status == 303)
            let toast = try await admin.get("/workbench/e/harbor/settings/operators")
            #expect(toast.body.contains("action=\"\(path)/let-in\""))
            #expect(try await admin.post("\(path)/let-in").status == 303)
            #expect(try await site.browser().signIn("editor", WorkbenchSite.password).status == 303)
        }
    }

    @Test func `nobody changes or shuts out their own account by the list of operators`() async throws {
        try await WorkbenchSite.run { site in
            let admin = try await site.signedIn(.admin)
            let id = try #require(
                try await site.services.operators.operators().first { $0.login == "admin" }?.id)
            for step in ["shut-out", "role", "password"] {
                let path = "/workbench/e/harbor/settings/operators/\(id)/\(step)"
                #expect(try await admin.post(path, [("role", "analyst")]).status == 409)
            }
            #expect(try await admin.get("/workbench/e/harbor/settings/operators").status == 200)
        }
    }

    @Test func `a new password needs the old one and ends every sign-in`() async throws {
        try await WorkbenchSite.run { site in
            let browser = try await site.signedIn(.analyst), path = "/workbench/e/harbor/settings/account"
            let new = [("new", "a better password"), ("again", "a better password")]
            #expect(try await browser.post(path, [("old", "wrong")] + new).status == 403)
            #expect(try await browser.post(path, [("old", WorkbenchSite.password)] + new).status == 303)
            #expect(try await browser.get(path).status == 303)
            #expect(try await site.browser().signIn("analyst", "a better password").status == 303)
        }
    }
}
