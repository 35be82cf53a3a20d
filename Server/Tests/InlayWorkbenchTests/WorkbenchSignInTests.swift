import Foundation
import Testing

@testable import InlayServerTesting
@testable import InlayWorkbench

@Suite struct WorkbenchSignInTests {
    @Test func `a right password signs in, with a cookie that scripts and other sites cannot use`()
        async throws
    {
        try await WorkbenchSite.run { site in
            let browser = site.browser()
            let answer = try await browser.signIn("editor", WorkbenchSite.password)
            #expect(answer.status == 303)
            #expect(answer.location == "/workbench")
            let cookie = try #require(answer.setCookies.first { $0.hasPrefix("inlay_session=") })
            #expect(cookie.contains("HttpOnly"))
            #expect(cookie.contains("SameSite=Strict"))
            let page = try await browser.get("/workbench/e/harbor/overview")
            #expect(page.status == 200)
            #expect(page.body.contains("The harbor environment"))
        }
    }

    @Test func `a wrong password and an unknown login are answered with the same words`() async throws {
        try await WorkbenchSite.run { site in
            let wrong = try await site.browser().signIn("editor", "not the password")
            let unknown = try await site.browser().signIn("nobody", "not the password")
            #expect(wrong.status == 403)
            #expect(unknown.status == 403)
            #expect(wrong.body.contains("The login or the password is wrong."))
            let plain = { (answer: WorkbenchBrowser.Response, login: String) in
                answer.body.replacingOccurrences(of: answer.csrf, with: "").replacingOccurrences(
                    of: login, with: "")
            }
            #expect(plain(wrong, "editor") == plain(unknown, "nobody"))
            #expect(!wrong.body.contains("not the password"))
        }
    }

    @Test func `after five wrong passwords the right one waits too, and the page says for how long`()
        async throws
    {
        try await WorkbenchSite.run { site in
            for _ in 1...5 { _ = try await site.browser().signIn("editor", "not the password") }
            let answer = try await site.browser().signIn("editor", WorkbenchSite.password)
            #expect(answer.status == 429)
            #expect(answer.body.contains("Too many wrong passwords."))
            #expect(answer.body.contains(/Wait 1 minute and/))
            #expect(Int(answer.header("retry-after") ?? "") != nil)
        }
    }

    @Test func `a sign-in form without its token is refused`() async throws {
        try await WorkbenchSite.run { site in
            let fields = [("login", "editor"), ("password", WorkbenchSite.password)]
            let answer = try await site.browser().postRaw("/workbench/sign-in", fields)
            #expect(answer.status == 403)
            #expect(answer.setCookies.allSatisfy { !$0.hasPrefix("inlay_session") })
        }
    }

    @Test func `signing out ends the sign-in, not just the cookie`() async throws {
        try await WorkbenchSite.run { site in
            let browser = try await site.signedIn(.analyst)
            let old = try await browser.get("/workbench/e/harbor/overview")
            #expect(old.status == 200)
            let stolen = browser.sessionCookie
            #expect(try await browser.post("/workbench/sign-out").status == 303)
            let page = try await site.browser().get(
                "/workbench/e/harbor/overview", headers: ["Cookie": stolen])
            #expect(page.status == 303)
            #expect(page.location.hasPrefix("/workbench/sign-in"))
        }
    }

    @Test(arguments: [
        "https://evil.example", "//evil.example", "/workbench//evil.example", "/workbench\\evil",
        "javascript:alert(1)",
        "/elsewhere", "/workbench/sign-out", "/workbench\r\nX: y",
    ])
    func `a sign-in leads only to the Workbench`(next: String) {
        #expect(SignInPages.safePath(next) == "/workbench")
    }
}

extension WorkbenchBrowser {
    /// The sign-in cookie as a header's value.
    var sessionCookie: String { "inlay_session=" + (cookie("inlay_session") ?? "") }
}
