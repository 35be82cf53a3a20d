import Foundation
@_spi(Inlay) import InlayWire
import NIOCore
import Testing

@testable import InlayServerCore
@testable import InlayServerTesting

/// The web pages for users who forgot their password or user name.
@Suite(.timeLimit(.minutes(3))) struct RecoveryTests {
    /// A browser that keeps the cookie and sends forms.
    private struct Browser {
        let site: DeviceSite
        var cookie: String?
        var csrf = ""

        mutating func get(_ page: String) async throws -> TestAppResponse {
            let answer = try await site.app.send(
                "GET", "/recover/\(site.application.id)/\(page)",
                headers: cookie.map { ["Cookie": $0] } ?? [:])
            if let set = answer.headers["set-cookie"] { cookie = String(set.prefix { $0 != ";" }) }
            csrf = WorkbenchBrowser.between("name=\"csrf\" value=\"", "\"", answer.text) ?? ""
            return answer
        }

        func post(_ page: String, _ fields: [(String, String)]) async throws -> TestAppResponse {
            let text = ([("csrf", csrf)] + fields)
                .map { "\(FormFields.escaped($0.0))=\(FormFields.escaped($0.1))" }.joined(separator: "&")
            var headers = ["Content-Type": "application/x-www-form-urlencoded"]
            headers["Cookie"] = cookie
            return try await site.app.send(
                "POST", "/recover/\(site.application.id)/\(page)", headers: headers,
                body: .bytes(ByteBuffer(string: text)))
        }
    }

    @Test func `a user sets a new password on the web, without scripts`() async throws {
        try await DeviceSite.run { site in
            let session = try await site.proven("ada@example.com").session
            var browser = Browser(site: site)
            let page = try await browser.get("password")
            #expect(page.status == 200 && !page.text.contains("<script"))
            #expect(page.headers["content-security-policy"]?.contains("default-src 'none'") == true)
            #expect(page.headers["content-security-policy"]?.contains("unsafe") == false)
            site.app.clock.advance(by: .seconds(1))
            let asked = try await browser.post("password", [("email", "Ada@example.com")])
            #expect(asked.status == 200 && asked.text.contains("Code from the mail"))
            let code = try await site.code("ada@example.com")
            let request = try #require(
                WorkbenchBrowser.between("name=\"request\" value=\"", "\"", asked.text))
            let short = try await browser.post(
                "password/code",
                [("email", "ada@example.com"), ("code", code), ("password", "short"), ("request", request)])
            #expect(short.status == 422 && short.text.contains("at least 15") && short.text.contains(code))
            #expect(request.count == 22 && short.text.contains("value=\"\(request)\""))
            #expect(!short.text.contains("value=\"short\""))
            let wrong = try await browser.post(
                "password/code",
                [("email", "ada@example.com"), ("code", "AAAA-AAAA"), ("password", "another good long one")])
            #expect(wrong.status == 401 && wrong.text.contains("wrong or has ended"))
            // A stranger uses up the tries of callers without a request; the page sends its own request.
            for _ in 0..<5 {
                _ = try await site.send(
                    "POST", "/v1/devices/password",
                    ["email": "ada@example.com", "code": "AAAA-AAAA", "newPassword": "another good long one"])
            }
            let done = try await browser.post(
                "password/code",
                [
                    ("email", "ada@example.com"), ("code", code), ("password", "another good long one"),
                    ("request", request),
                ])
            #expect(done.status == 200 && done.text.contains("Your password is set"))
            #expect(try await site.logIn("ada@example.com", "another good long one").status == 200)
            #expect(try await site.refresh(session.refreshToken).status == 401)
        }
    }

    @Test func `a forgotten address is sent by mail only, and the page says the same for every address`()
        async throws
    {
        try await DeviceSite.run { site in
            _ = try await site.proven("ada@example.com")
            site.app.clock.advance(by: .seconds(1))
            var browser = Browser(site: site)
            _ = try await browser.get("username")
            let known = try await browser.post("username", [("email", "ada@example.com")])
            let unknown = try await browser.post("username", [("email", "nobody@example.com")])
            #expect(known.status == 200 && known.body == unknown.body)
            let mails = try await site.feature.mails.mails(DeviceSite.environmentID)
            #expect(mails.first?.recipient == "ada@example.com" && mails.first?.code == nil)
            #expect(!mails.contains { $0.recipient == "nobody@example.com" })
            let first = try await browser.post("password", [("email", "ada@example.com")])
            let second = try await browser.post("password", [("email", "nobo@example.com")])
            // Each page names its own request, which is random.
            func words(_ page: TestAppResponse, _ name: String) throws -> String {
                let request = try #require(
                    WorkbenchBrowser.between("name=\"request\" value=\"", "\"", page.text))
                return page.text.replacing(name, with: "").replacing(request, with: "")
            }
            #expect(try words(first, "ada@") == words(second, "nobo@"))
            #expect(first.body.count == second.body.count - 1)
        }
    }

    @Test func `a form of another site is refused`() async throws {
        try await DeviceSite.run { site in
            var browser = Browser(site: site), other = Browser(site: site)
            _ = try await browser.get("password")
            _ = try await other.get("password")
            browser.csrf = other.csrf
            #expect(try await browser.post("password", [("email", "ada@example.com")]).status == 403)
            browser.csrf = ""
            #expect(try await browser.post("username", [("email", "ada@example.com")]).status == 403)
            browser.cookie = nil
            #expect(try await browser.post("password/code", []).status == 403)
        }
    }

    @Test func `typed text and application names are escaped`() async throws {
        try await DeviceSite.run(settings: { $0.name = "<script>alert(1)</script>" }) { site in
            var browser = Browser(site: site)
            let page = try await browser.get("password")
            #expect(page.text.contains("&lt;script&gt;") && !page.text.contains("<script>"))
            let typed = try await browser.post("password", [("email", "\"><script>x</script>")])
            #expect(typed.status == 422 && !typed.text.contains("<script>"))
        }
    }

    @Test func `an unknown or revoked application has no pages`() async throws {
        try await DeviceSite.run { site in
            #expect(try await site.app.send("GET", "/recover/app_nobody/password").status == 404)
            try await site.feature.applications.revoke(DeviceSite.environmentID, site.application.id)
            #expect(try await site.app.send("GET", "/recover/\(site.application.id)/username").status == 404)
        }
    }

    @Test func `the page takes twenty codes for an address from one network, and no more`() async throws {
        try await DeviceSite.run { site in
            var browser = Browser(site: site)
            _ = try await browser.get("password")
            var answers: [Int] = []
            for _ in 0..<21 { answers.append(try await guess(browser, "ada@example.com")) }
            #expect(answers == Array(repeating: 401, count: 20) + [429])
            #expect(try await guess(browser, "eve@example.com") == 401)
        }
    }

    @Test func `asking again and again is slowed down`() async throws {
        try await DeviceSite.run { site in
            var browser = Browser(site: site)
            _ = try await browser.get("username")
            var last = 0
            for _ in 0..<61 { last = try await browser.post("username", [("email", "a@example.com")]).status }
            #expect(last == 429)
            site.app.clock.advance(by: .seconds(901))
            #expect(try await browser.post("username", [("email", "a@example.com")]).status == 200)
        }
    }

    private func guess(_ browser: Browser, _ email: String) async throws -> Int {
        try await browser.post(
            "password/code",
            [("email", email), ("code", "AAAA-AAAA"), ("password", "another good long one")]
        ).status
    }
}
