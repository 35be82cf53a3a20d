import Foundation
@_spi(Inlay) import InlayWire
import NIOCore
import Testing

@testable import InlayServerCore
@testable import InlayServerTesting

/// The web pages for people who forgot something.
@Suite(.timeLimit(.minutes(3))) struct RecoveryTests {
    /// A browser: it keeps the cookie and sends forms.
    private struct Reader {
        let site: DeviceSite
        var cookie: String?
        var csrf = ""

        mutating func get(_ page: String) async throws -> TestAppResponse {
            let answer = try await site.app.send(
                "GET", "/recover/\(site.application.id)/\(page)",
                headers: cookie.map { ["Cookie": $0] } ?? [:])
            if let set = answer.headers["set-cookie"] { cookie = String(set.prefix { $0 != ";" }) }
            csrf = Visitor.between("name=\"csrf\" value=\"", "\"", answer.text) ?? ""
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

    @Test func `a password is set anew on the web, without a script`() async throws {
        try await DeviceSite.run { site in
            let session = try await site.proven("ada@example.com").session
            var reader = Reader(site: site)
            let page = try await reader.get("password")
            #expect(page.status == 200 && !page.text.contains("<script"))
            #expect(page.headers["content-security-policy"]?.contains("default-src 'none'") == true)
            #expect(page.headers["content-security-policy"]?.contains("unsafe") == false)
            site.app.clock.advance(by: .seconds(1))
            let asked = try await reader.post("password", [("email", "Ada@example.com")])
            #expect(asked.status == 200 && asked.text.contains("Code from the mail"))
            let code = try await site.code("ada@example.com")
            let request = try #require(Visitor.between("name=\"request\" value=\"", "\"", asked.text))
            let short = try await reader.post(
                "password/code",
                [("email", "ada@example.com"), ("code", code), ("password", "short"), ("request", request)])
            #expect(short.status == 422 && short.text.contains("at least 15") && short.text.contains(code))
            #expect(request.count == 22 && short.text.contains("value=\"\(request)\""))
            #expect(!short.text.contains("value=\"short\""))
            let wrong = try await reader.post(
                "password/code",
                [("email", "ada@example.com"), ("code", "AAAA-AAAA"), ("password", "another good long one")])
            #expect(wrong.status == 401 && wrong.text.contains("wrong or has ended"))
            // A stranger uses up the tries of those who did not ask; the page brings its own request.
            for _ in 0..<5 {
                _ = try await site.send(
                    "POST", "/v1/devices/password",
                    ["email": "ada@example.com", "code": "AAAA-AAAA", "newPassword": "another good long one"])
            }
            let done = try await reader.post(
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
            var reader = Reader(site: site)
            _ = try await reader.get("username")
            let known = try await reader.post("username", [("email", "ada@example.com")])
            let unknown = try await reader.post("username", [("email", "nobody@example.com")])
            #expect(known.status == 200 && known.body == unknown.body)
            let mails = try await site.feature.mails.mails(DeviceSite.environmentID)
            #expect(mails.first?.recipient == "ada@example.com" && mails.first?.code == nil)
            #expect(!mails.contains { $0.recipient == "nobody@example.com" })
            let first = try await reader.post("password", [("email", "ada@example.com")])
            let second = try await reader.post("password", [("email", "nobo@example.com")])
            // Each page names its own request, which is random.
            func words(_ page: TestAppResponse, _ name: String) throws -> String {
                let request = try #require(Visitor.between("name=\"request\" value=\"", "\"", page.text))
                return page.text.replacing(name, with: "").replacing(request, with: "")
            }
            #expect(try words(first, "ada@") == words(second, "nobo@"))
            #expect(first.body.count == second.body.count - 1)
        }
    }

    @Test func `a form of another site is refused`() async throws {
        try await DeviceSite.run { site in
            var reader = Reader(site: site), other = Reader(site: site)
            _ = try await reader.get("password")
            _ = try await other.get("password")
            reader.csrf = other.csrf
            #expect(try await reader.post("password", [("email", "ada@example.com")]).status == 403)
            reader.csrf = ""
            #expect(try await reader.post("username", [("email", "ada@example.com")]).status == 403)
            reader.cookie = nil
            #expect(try await reader.post("password/code", []).status == 403)
        }
    }

    @Test func `what is typed and what an application calls itself are escaped`() async throws {
        try await DeviceSite.run(settings: { $0.name = "<script>alert(1)</script>" }) { site in
            var reader = Reader(site: site)
            let page = try await reader.get("password")
            #expect(page.text.contains("&lt;script&gt;") && !page.text.contains("<script>"))
            let typed = try await reader.post("password", [("email", "\"><script>x</script>")])
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
            var reader = Reader(site: site)
            _ = try await reader.get("password")
            var answers: [Int] = []
            for _ in 0..<21 { answers.append(try await guess(reader, "ada@example.com")) }
            #expect(answers == Array(repeating: 401, count: 20) + [429])
            #expect(try await guess(reader, "eve@example.com") == 401)
        }
    }

    @Test func `asking again and again is slowed down`() async throws {
        try await DeviceSite.run { site in
            var reader = Reader(site: site)
            _ = try await reader.get("username")
            var last = 0
            for _ in 0..<61 { last = try await reader.post("username", [("email", "a@example.com")]).status }
            #expect(last == 429)
            site.app.clock.advance(by: .seconds(901))
            #expect(try await reader.post("username", [("email", "a@example.com")]).status == 200)
        }
    }

    private func guess(_ reader: Reader, _ email: String) async throws -> Int {
        try await reader.post(
            "password/code",
            [("email", email), ("code", "AAAA-AAAA"), ("password", "another good long one")]
        ).status
    }
}
