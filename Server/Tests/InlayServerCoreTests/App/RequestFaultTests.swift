import Foundation
import InlayTesting
@_spi(Inlay) import InlayWire
import Testing

@testable import InlayServerCore
@testable import InlayServerTesting

/// Requests that fail because of the client or the server, and the headers and cookies that https adds.
@Suite(.timeLimit(.minutes(5))) struct RequestFaultTests {
    @Test func `a client's error is not logged at the default level, and a server's error is`() async throws {
        let (logger, lines) = RecordedLog.make()
        try await TestApp.run(logger: logger) { app async throws in
            lines.withLockedValue { $0 = [] }
            for path in ["/nowhere", "/test/whoami", "/test/teapot", "/metrics/x"] {
                #expect(try await app.send("GET", path).status / 100 == 4)
            }
            #expect(lines.withLockedValue { $0 }.allSatisfy { $0.level < .info })
            #expect(lines.withLockedValue { $0 }.contains { $0.level == .debug && $0.text.contains("404") })
            #expect(try await app.send("GET", "/test/broken").status == 500)
            #expect(lines.withLockedValue { $0 }.contains { $0.level == .error })
        }
    }

    @Test func `a client that hangs up inside its body is no fault of the server`() async throws {
        let (logger, lines) = RecordedLog.make()
        try await TestApp.run(logger: logger) { app async throws in
            let headers = try await TestTenant.make(app).headers(app).map { "\($0.key): \($0.value)" }
            let head = [
                "POST /test/notes HTTP/1.1", "Host: 127.0.0.1", "Content-Type: application/json",
                "Content-Length: 100",
            ]
            lines.withLockedValue { $0 = [] }
            try await RawConnection.hangUp(
                app, after: (head + headers + ["", #"{"text":"#]).joined(separator: "\r\n"))
            let counted = #"route="/test/notes",status="400"} 1"#
            try await eventually(within: .seconds(120)) {
                try await app.send("GET", "/metrics").text.contains(counted)
            }
            let faults = lines.withLockedValue { $0 }.filter { $0.level >= .info }
            #expect(faults.isEmpty, "\(faults)")
        }
    }

    @Test(arguments: [
        ([], "400"), (["a.example", "b.example"], "400"), ([""], "400"), (["a.example"], "200"),
    ])
    func `a request without Host or with two is 400`(_ hosts: [String], _ status: String) async throws {
        try await TestApp.run { app async throws in
            let line = try await RawConnection.firstLine(app, ["GET /health HTTP/1.1"], hosts: hosts)
            #expect(line.hasPrefix("HTTP/1.1 \(status) "), "\(line)")
            guard status == "400" else { return }
            let socket = [
                "GET /socket HTTP/1.1", "Upgrade: websocket", "Connection: Upgrade",
                "Sec-WebSocket-Version: 13",
                "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
            ]
            #expect(
                try await RawConnection.firstLine(app, socket, hosts: hosts).hasPrefix("HTTP/1.1 400 "))
        }
    }

    @Test func `a request with a Host that names no host is 400, for a page and for a socket`() async throws {
        try await TestApp.run { app async throws in
            func status(_ lines: [String], _ host: String) async throws -> String {
                let line = try await RawConnection.firstLine(app, lines, hosts: [host])
                return String(line.dropFirst("HTTP/1.1 ".count).prefix(3))
            }
            let headers = try await TestTenant.make(app).headers(app).map { "\($0.key): \($0.value)" }
            let page = ["GET /health HTTP/1.1"]
            let socket =
                [
                    "GET /socket HTTP/1.1", "Upgrade: websocket", "Connection: Upgrade",
                    "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
                ] + headers
            for host in [
                "a.test, b.test", "a b", "ada@a.test", "a.test:65536", "a.test:8o", "[::1", "http://a.test",
                "a\u{B}b", "a..test", "192.0.2.300",
            ] {
                #expect(try await status(page, host) == "400", "\(host)")
                #expect(try await status(socket, host) == "400", "\(host)")
            }
            for host in ["A.Test.:8080", "[2001:db8::1]:8080", "192.0.2.1", "my_service:80"] {
                #expect(try await status(page, host) == "200", "\(host)")
                #expect(try await status(socket, host) == "101", "\(host)")
            }
        }
    }

    @Test func `with an https address every answer makes browsers use nothing else, errors too`() async throws
    {
        try await TestApp.run(configure: { $0.publicURL = BaseURL("https://inlay.example") }) {
            app async throws in
            for path in ["/health", "/nowhere", "/workbench/sign-in"] {
                let answer = try await app.send("GET", path)
                #expect(answer.headers["strict-transport-security"] == "max-age=31536000", "\(path)")
            }
        }
        try await TestApp.run(configure: { $0.publicURL = BaseURL("http://inlay.example") }) {
            app async throws in
            #expect(try await app.send("GET", "/health").headers["strict-transport-security"] == nil)
        }
    }

    @Test func `with an https address every cookie belongs to this host alone, and signs in`() async throws {
        try await WorkbenchSite.run(configure: { $0.publicURL = BaseURL("https://inlay.example") }) {
            site async throws in
            let browser = site.browser()
            let gate = try await browser.get("/workbench/sign-in").setCookies
            let session = try await browser.signIn("editor", WorkbenchSite.password).setCookies
            #expect(gate.count == 1 && session.count == 1)
            for cookie in gate + session {
                #expect(cookie.hasPrefix("__Host-inlay_"), "\(cookie)")
                #expect(cookie.contains("; Path=/; ") && cookie.contains("; Secure"), "\(cookie)")
                #expect(cookie.contains("; HttpOnly; SameSite=Strict") && !cookie.contains("Domain"))
            }
            #expect(try await browser.get("/workbench/e/harbor/overview").status == 200)
            // A cookie without the prefix, which another host of the domain could have set, is ignored.
            let value = try #require(browser.cookie("__Host-inlay_session"))
            let planted = try await site.browser().get(
                "/workbench/e/harbor/overview", headers: ["Cookie": "inlay_session=\(value)"])
            #expect(planted.status == 303)
        }
    }
}
