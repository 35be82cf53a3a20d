import AsyncHTTPClient
import Foundation
@_spi(Inlay) import InlayWire
import NIOCore
import Testing

@testable import InlayBehaviorsServer
@testable import InlayHubServer
@testable import InlayServerCore
@testable import InlayServerTesting

/// The headers, limits and errors of every request; an error says what to change.
@Suite(.timeLimit(.minutes(5))) struct RequestTests {
    @Test func `every answer carries the server's time, errors too`() async throws {
        try await TestApp.run { app in
            for path in ["/health", "/nowhere", "/test/broken", "/test/whoami"] {
                let answer = try await app.send("GET", path)
                #expect(answer.headers["inlay-server-time"] == String(app.clock.now.microseconds), "\(path)")
                #expect(answer.headers["x-content-type-options"] == "nosniff")
                #expect(answer.headers["content-security-policy"]?.hasPrefix("default-src 'none'") == true)
            }
        }
    }

    @Test func `an unknown address is 404 and a known one with another method 405`() async throws {
        try await TestApp.run { app in
            let unknown = try await app.send("GET", "/v2/nothing?x=1")
            #expect(unknown.status == 404)
            #expect(try unknown.code == "not-found")
            let other = try await app.send("DELETE", "/v1/users/alice")
            #expect(other.status == 405)
            #expect(try other.code == "method-not-allowed")
            #expect(other.headers["allow"] == "GET, HEAD, PUT")
        }
    }

    @Test func `details of an internal error stay in the server`() async throws {
        try await TestApp.run { app in
            for path in ["/test/broken", "/test/sql"] {
                let answer = try await app.send("GET", path)
                #expect(answer.status == 500)
                #expect(try answer.code == "server-error")
                #expect(!answer.text.contains("SELECT") && !answer.text.contains("no_such_table"))
            }
            let teapot = try await app.send("GET", "/test/teapot")
            #expect(teapot.status == 418)
            #expect(try teapot.code == "malformed-request")
            #expect(!teapot.text.contains("internal words"))
        }
    }

    @Test func `a body of one MiB is read, one byte more is 413`() async throws {
        try await TestApp.run { app in
            let tenant = try await TestTenant.make(app)
            let headers = try tenant.headers(app)
            let frame = #"{"text":""}"#.utf8.count
            let accepted = #"{"text":"\#(String(repeating: "x", count: (1 << 20) - frame))"}"#
            #expect(try await app.sendJSON("POST", "/test/notes", headers: headers, accepted).status == 200)
            let refused = try await app.sendJSON("POST", "/test/notes", headers: headers, accepted + " ")
            #expect(refused.status == 413)
            #expect(try refused.code == "body-too-large")
        }
    }

    @Test func `a body without a stated length is cut off at one MiB too`() async throws {
        try await TestApp.run { app in
            let tenant = try await TestTenant.make(app)
            var headers = try tenant.headers(app)
            headers["Content-Type"] = "application/json"
            let piece = ByteBuffer(repeating: 0x20, count: 64 * 1024)
            let pieces = AsyncStream { continuation in
                for _ in 0..<17 { continuation.yield(piece) }
                continuation.finish()
            }
            let answer = try await app.send(
                "POST", "/test/notes", headers: headers, body: .stream(pieces, length: .unknown))
            #expect(answer.status == 413)
            #expect(try answer.code == "body-too-large")
        }
    }

    @Test(arguments: [
        "text/plain", "application/x-www-form-urlencoded", "text/json", "application/jsonp", nil,
    ])
    func `a body of another type than JSON is 415`(_ type: String?) async throws {
        try await TestApp.run { app in
            let tenant = try await TestTenant.make(app)
            var headers = try tenant.headers(app)
            headers["Content-Type"] = type
            let answer = try await app.send(
                "POST", "/test/notes", headers: headers, body: .bytes(ByteBuffer(string: #"{"text":"a"}"#)))
            #expect(answer.status == 415)
            #expect(try answer.code == "unsupported-media-type")
        }
    }

    @Test(arguments: [
        "application/json", "application/json; charset=utf-8", "Application/JSON", "application/vnd.x+json",
    ])
    func `every spelling of JSON's type is read`(_ type: String) async throws {
        try await TestApp.run { app in
            let tenant = try await TestTenant.make(app)
            let headers = try tenant.headers(app).merging(["Content-Type": type]) { $1 }
            let answer = try await app.send(
                "POST", "/test/notes", headers: headers, body: .bytes(ByteBuffer(string: #"{"text":"a"}"#)))
            #expect(answer.status == 200)
        }
    }

    @Test(arguments: [
        ("", "JSON"), ("{", "JSON"), (#"{"text":"a""#, "JSON"), ("[]", "(body)"), (#"{"count":1}"#, "text"),
        (#"{"text":null}"#, "text"), (#"{"text":1}"#, "text"), (#"{"text":"a","count":"one"}"#, "count"),
        ("\u{FF}", "JSON"),
    ])
    func `malformed JSON is 400 and names the field`(_ text: String, _ word: String) async throws {
        try await TestApp.run { app in
            let tenant = try await TestTenant.make(app)
            let answer = try await app.sendJSON("POST", "/test/notes", headers: try tenant.headers(app), text)
            #expect(answer.status == 400)
            #expect(try answer.code == "malformed-body")
            #expect(try answer.problem.detail?.contains(word) == true, "\(answer.text)")
        }
    }

    @Test func `unknown fields are ignored`() async throws {
        try await TestApp.run { app in
            let tenant = try await TestTenant.make(app)
            let answer = try await app.sendJSON(
                "POST", "/test/notes", headers: try tenant.headers(app),
                #"{"text":"a","new":{"deep":[1]},"count":2}"#)
            #expect(answer.status == 200)
            #expect(answer.text.contains(#""count":2"#))
        }
    }

    @Test func `JSON nested without end is refused and the server goes on`() async throws {
        try await TestApp.run { app in
            let tenant = try await TestTenant.make(app)
            let deep = #"{"text":"# + String(repeating: "[", count: 200_000)
            let answer = try await app.sendJSON("POST", "/test/notes", headers: try tenant.headers(app), deep)
            #expect(answer.status == 400)
            #expect(try await app.send("GET", "/health").status == 200)
        }
    }

    @Test func `a client's version longer than 128 characters is cut`() async throws {
        try await TestApp.run { app in
            let tenant = try await TestTenant.make(app)
            let headers = try tenant.headers(app).merging([
                "Inlay-Client-Version": String(repeating: "9", count: 500)
            ]) { $1 }
            let answer = try await app.send("GET", "/test/whoami", headers: headers)
            #expect(
                try JSONDecoder().decode(EchoFeature.Identity.self, from: answer.body).version.count == 128)
        }
    }

    @Test func `a client's version of one character with many combining marks is cut as well`() {
        let version = "v" + String(repeating: "\u{301}", count: 500)
        let identity = ClientIdentity(
            environmentID: "env", apiKeyID: "key", userID: "ada", clientVersion: version,
            expiresAt: Timestamp(microseconds: 0))
        #expect(version.count == 1 && identity.clientVersion.unicodeScalars.count == 128)
    }
}
