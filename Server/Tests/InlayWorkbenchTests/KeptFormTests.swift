import Foundation
@_spi(Inlay) import InlayWire
import Testing

@testable import InlayBehaviorsServer
@testable import InlayServer
@testable import InlayServerCore
@testable import InlayServerTesting
@testable import InlayWorkbench

/// Forms that are sent after the operator's session has ended.
@Suite struct KeptFormTests {
    private static let segments = "/workbench/e/harbor/behaviors/segments"
    private static let ownPage = ["Sec-Fetch-Site": "same-origin"]
    private static let name = "\"Oslo\" <b>&amp;"
    private static let segment = [
        ("name", name), ("match", "all"), ("op", "save"), ("conditions[0].kind", "event"),
        ("conditions[0].event.code", "16"), ("conditions[0].event.eventName", "Booked"),
        ("conditions[0].event.atLeast", "1"), ("conditions[0].event.days", "7"),
    ]

    /// Ends a browser's session on the server only, as its expiry or another operator does.
    private func end(_ browser: WorkbenchBrowser) async throws {
        try await browser.site.services.sessions.signOut(token: browser.cookie("inlay_session") ?? "")
    }

    private func saved(_ site: WorkbenchSite) async throws -> [String] {
        try await site.server.features.behaviors.segments.segments("harbor").map(\.name)
    }

    /// Returns the fields of a page that a browser sends without any input.
    private func hidden(_ answer: WorkbenchBrowser.Response) -> [(String, String)] {
        PageForm.fields(answer.body).filter { !["login", "password", "new", "again"].contains($0.0) }
    }

    /// Returns the path and the fields of the form that sends the operator's input again.
    private func form(_ answer: WorkbenchBrowser.Response) throws -> (
        path: String, fields: [(String, String)]
    ) {
        let start = try #require(answer.body.range(of: "<div class=\"empty\">"))
        let part = String(answer.body[start.lowerBound...])
        #expect(part.contains("Send again"))
        return (try #require(WorkbenchBrowser.between("action=\"", "\"", part)), PageForm.fields(part))
    }

    @Test func `what was typed survives a sign-in in the same tab, and is saved when it is sent again`()
        async throws
    {
        try await WorkbenchSite.run { site in
            let browser = try await site.signedIn(.editor)
            let fields = [("csrf", browser.formToken)] + Self.segment
            try await end(browser)
            let refused = try await browser.postRaw("\(Self.segments)/new", fields)
            #expect(refused.status == 401 && refused.header("cache-control") == "no-store")
            #expect(refused.body.contains("What you typed is kept on this page."))
            func signIn(_ page: WorkbenchBrowser.Response, _ password: String) async throws
                -> WorkbenchBrowser.Response
            {
                let typed = [("login", "editor"), ("password", password)]
                return try await browser.postRaw("/workbench/sign-in", hidden(page) + typed)
            }
            let wrong = try await signIn(refused, "not the password")
            #expect(wrong.status == 403 && !wrong.body.contains("not the password"))
            let entered = try await signIn(wrong, WorkbenchSite.password)
            #expect(entered.status == 200 && entered.body.contains("What you typed is not saved yet."))
            #expect(try await saved(site).isEmpty)
            let (path, again) = try form(entered)
            #expect(try await browser.postRaw(path, again).status == 303)
            #expect(try await saved(site) == [Self.name])
        }
    }

    @Test func `what was typed survives a sign-in in another tab, and needs the new token`() async throws {
        try await WorkbenchSite.run { site in
            let browser = try await site.signedIn(.editor)
            let old = browser.formToken
            try await end(browser)
            #expect(try await browser.signIn("editor", WorkbenchSite.password).status == 303)
            let fields = [("csrf", old)] + Self.segment
            let refused = try await browser.postRaw("\(Self.segments)/new", fields, headers: Self.ownPage)
            #expect(refused.status == 403 && refused.body.contains("Send what you typed again."))
            #expect(try await saved(site).isEmpty)
            let (path, again) = try form(refused)
            #expect(try await browser.postRaw(path, again).status == 303)
            #expect(try await saved(site) == [Self.name])
        }
    }

    @Test func `every form is kept, with its address and its fields, and a script's request is not`()
        async throws
    {
        try await WorkbenchSite.run { site in
            for route in site.routes where route.method == .post {
                let parts = route.path.split(separator: "/").map {
                    $0 == ":environment" ? "harbor" : $0.hasPrefix(":") ? "nothing" : String($0)
                }
                let path = "/workbench/" + parts.joined(separator: "/")
                let fields = [("csrf", "old"), ("title", Self.name), ("text", "two\nlines")]
                let kept = hidden(try await site.browser().postRaw(path, fields, headers: Self.ownPage))
                #expect(kept.contains { $0 == ("kept", path) }, "\(path)")
                #expect(kept.contains { $0 == ("kept.title", Self.name) }, "\(path)")
                #expect(kept.contains { $0 == ("kept.text", "two\nlines") }, "\(path)")
                let script = Self.ownPage.merging(["Inlay-Fragment": "preview"]) { $1 }
                let refused = try await site.browser().postRaw(path, fields, headers: script)
                #expect(refused.status == 401 && !refused.body.contains("kept.title"), "\(path)")
            }
        }
    }

    @Test(arguments: [nil, "cross-site", "same-site", "none"])
    func `a form that another site may have sent is not kept`(_ origin: String?) async throws {
        try await WorkbenchSite.run { site in
            let headers = origin.map { ["Sec-Fetch-Site": $0] } ?? [:]
            let fields = [("csrf", "guess")] + Self.segment
            let editor = try await site.signedIn(.editor)
            let carried = [("csrf", "guess"), ("kept", "\(Self.segments)/new"), ("kept.name", "Oslo")]
            for (browser, path, fields, status) in [
                (site.browser(), "\(Self.segments)/new", fields, 401),
                (editor, "\(Self.segments)/new", fields, 403),
                (site.browser(), "/workbench/sign-in", carried, 403),
            ] {
                let answer = try await browser.postRaw(path, fields, headers: headers)
                #expect(answer.status == status && !answer.body.contains("Oslo"), "\(path)")
            }
        }
    }

    @Test func `a sign-in page keeps forms for paths of the Workbench only`() async throws {
        try await WorkbenchSite.run { site in
            for path in ["https://evil.example/", "//evil.example", "/workbench/sign-out", "/elsewhere"] {
                let browser = site.browser()
                let page = try await browser.get("/workbench/sign-in")
                let fields = [
                    ("csrf", page.csrf), ("login", "editor"), ("password", WorkbenchSite.password),
                    ("kept", path),
                ]
                let answer = try await browser.postRaw("/workbench/sign-in", fields)
                #expect(answer.status == 303 && answer.location == "/workbench", "\(path)")
            }
        }
    }

    @Test func `no response to a form contains a password, and every password field is declared`()
        async throws
    {
        try await WorkbenchSite.run { site in
            let admin = try await site.signedIn(.admin)
            let words = "seven lighthouses at dusk"
            var forms: [WorkbenchRoute] = []
            for route in site.routes where route.method == .get {
                let parts = route.path.split(separator: "/")
                guard parts.allSatisfy({ !$0.hasPrefix(":") || $0 == ":environment" }) else { continue }
                let path = "/workbench/" + route.path.replacing(":environment", with: "harbor")
                let page = try await admin.get(path).body
                let names = page.matches(of: /name="([^"]*)" type="password"/).map { String($0.output.1) }
                guard !names.isEmpty else { continue }
                let form = try #require(site.routes.first { $0.method == .post && $0.path == route.path })
                #expect(form.secrets == Set(names), "\(path)")
                forms.append(form)
            }
            #expect(!forms.isEmpty)
            for form in forms {
                let path = "/workbench/" + form.path.replacing(":environment", with: "harbor")
                let fields = form.secrets.map { ($0, words) } + [("more", "kept words")]
                let answer = try await site.browser().postRaw(path, fields, headers: Self.ownPage)
                #expect(answer.body.contains("kept words") && !answer.body.contains(words), "\(path)")
            }
        }
    }

    @Test func `a form is kept while its operator chooses a new password`() async throws {
        try await WorkbenchSite.run { site in
            let given = "a whole harbour of seals", own = "seven lighthouses at dusk"
            _ = try await site.services.operators.create(
                login: "grace", password: given, role: .editor, isTemporary: true)
            let browser = site.browser()
            #expect(try await browser.signIn("grace", given).status == 303)
            let refused = try await browser.post("\(Self.segments)/new", Self.segment)
            #expect(refused.status == 403 && refused.body.contains("action=\"/workbench/new-password\""))
            let chosen = try await browser.postRaw(
                "/workbench/new-password", hidden(refused) + [("new", own), ("again", own)])
            let (path, again) = try form(chosen)
            #expect(try await browser.postRaw(path, again).status == 303)
            #expect(try await saved(site) == [Self.name])
        }
    }

    @Test func `a form for a record that does not exist shows what was typed, and cannot be sent again`()
        async throws
    {
        try await WorkbenchSite.run { site in
            let editor = try await site.signedIn(.editor)
            let answer = try await editor.post("\(Self.segments)/nothing", Self.segment)
            #expect(answer.status == 404 && answer.body.contains("What you typed"))
            #expect(answer.body.contains("<dd>Booked</dd>") && !answer.body.contains("Send again"))
        }
    }

    @Test func `what was typed is shown with words in place of the fields' names`() async throws {
        try await WorkbenchSite.run { site in
            let editor = try await site.signedIn(.editor)
            let answer = try await editor.post(
                "\(Self.segments)/nothing",
                Self.segment + [
                    ("elements[0].buttonName", "sent"), ("channel.late-news", "on"), ("op", "save"),
                    ("revision", "4"), ("<b>[1]", "bold"),
                ])
            for label in ["Elements 1 button name", "Channel late news", "&lt;b&gt; 2"] {
                #expect(answer.body.contains("<dt>\(label)</dt>"), "\(answer.body)")
            }
            #expect(!answer.body.contains("<dt>Op</dt>") && !answer.body.contains("<dt>Revision</dt>"))
        }
    }
}
