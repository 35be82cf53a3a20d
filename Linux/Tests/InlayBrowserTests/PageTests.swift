import Foundation
import InlayBrowser
@_spi(Inlay) import InlayCore
@_spi(Inlay) import InlaySurface
import InlayTesting
import InlayWebHost
import Testing

/// Tests of the host's responses to a browser that has the secret, and to other clients.
@Suite(.timeLimit(.minutes(5))) struct PageTests {
    let surface = ProbeSurface()

    @Test func `the page and its files come with a strict policy and stay out of caches and frames`()
        async throws
    {
        try await RunningHost.with([surface]) { host in
            let page = try await host.get("cards/home/")
            #expect(page.status == 200)
            #expect(page.headers["content-type"] == "text/html; charset=utf-8")
            #expect(String(decoding: page.body, as: UTF8.self).contains("data-surface=\"cards/home\""))
            for name in SurfaceAssets.engine.names {
                let file = try await host.get("cards/home/\(name)")
                #expect(file.status == 200)
                #expect(SurfaceAssets.engine.data(named: name) == file.body)
                #expect(file.headers["content-type"] == SurfaceAssets.mediaType(of: name))
                #expect(file.headers["x-content-type-options"] == "nosniff")
            }
            let policy = try #require(page.headers["content-security-policy"])
            for rule in [
                "default-src 'none'", "script-src 'self'", "form-action 'none'", "frame-ancestors 'self'",
            ] {
                #expect(policy.contains(rule))
            }
            #expect(!policy.contains("unsafe"))
            #expect(page.headers["referrer-policy"] == "no-referrer")
            #expect(page.headers["cache-control"] == "no-store")
            #expect(page.headers["cross-origin-resource-policy"] == "same-origin")
        }
    }

    @Test func `without the secret every path is the same 404`() async throws {
        try await RunningHost.with(
            [surface], media: { _ in WebContent(mediaType: "image/png", data: Data([1])) }
        ) {
            host in
            let secret = host.host.address.path(percentEncoded: true).dropFirst().dropLast()
            let other = try await BrowserHost.start(surfaces: [surface])
            let foreign = other.address.path(percentEncoded: true).dropFirst().dropLast()
            await other.stop()
            #expect(foreign != secret)
            let missing = try await host.get("no-such-page")
            #expect(missing.status == 404)
            for guess in ["", "cards", String(secret.dropLast()), String(secret) + "0", String(foreign)] {
                for path in ["cards/home/", "cards/home/surface.js", "media?u=http%3A%2F%2Fa.example%2F"] {
                    let answer = try await host.transport.send(
                        TransportRequest(
                            url: try #require(
                                URL(string: "http://127.0.0.1:\(host.host.port)/\(guess)/\(path)"))))
                    #expect(answer.status == 404)
                    #expect(answer.body == missing.body)
                }
            }
        }
    }

    @Test func `a foreign host name is refused even with the right secret`() async throws {
        try await RunningHost.with([surface]) { host in
            let path = try host.url("cards/home/").path(percentEncoded: true)
            for name in ["evil.example", "evil.example:\(host.host.port)", "127.0.0.1", "127.0.0.1:1", ""] {
                let line = try await host.raw("GET \(path) HTTP/1.1\r\nHost: \(name)\r\n\r\n")
                #expect(line.contains(" 421 "), "\(name): \(line)")
            }
            #expect(try await host.raw("GET \(path) HTTP/1.0\r\n\r\n").contains(" 421 "))
            #expect(try await host.get("cards/home/", host: "localhost").status == 200)
        }
    }

    @Test func `nothing but reading is allowed, and nonsense is answered or cut but never hangs`()
        async throws
    {
        try await RunningHost.with([surface]) { host in
            #expect(try await host.get("cards/home/", method: "DELETE").status == 405)
            #expect(try await host.get("cards/home/", method: "HEAD").body.isEmpty)
            #expect(try await host.raw("GARBAGE\r\n\r\n").contains(" 400 "))
            let path = try host.url("cards/home/").path(percentEncoded: true)
            let body =
                "POST \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(host.host.port)\r\nContent-Length: 9\r\n\r\nnine byte"
            #expect(try await host.raw(body).isEmpty)
            let upgrade =
                "GET \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(host.host.port)\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n"
            #expect(try await host.raw(upgrade).contains(" 200 "))
        }
    }

    @Test func `random bytes on the port do not affect other clients`() async throws {
        try await RunningHost.with([surface]) { host in
            var random = SeededRandom(seed: 42)
            for length in 1...100 {
                let noise = (0..<length * 17).map { _ in UInt8.random(in: 0...255, using: &random) }
                let head = Array("GET \(try host.url("cards/home/socket").path()) HTTP/1.1\r\n".utf8)
                try await host.sendAndClose(length.isMultiple(of: 2) ? noise : head + noise)
            }
            #expect(try await host.get("cards/home/").status == 200)
        }
    }

    @Test func `the address leads to the first surface when there is no shell`() async throws {
        try await RunningHost.with([surface]) { host in
            let answer = try await host.get("")
            #expect(answer.status == 303)
            #expect(answer.headers["location"] == "cards/home/")
            #expect(host.host.address(of: "cards/home").absoluteString.hasSuffix("/cards/home/"))
        }
    }

    @Test func `a shell adds pages around the surfaces and is never asked for a path out of its folder`()
        async throws
    {
        var configuration = BrowserHost.Configuration()
        configuration.shell = { path in
            path.contains("..") || path.contains("missing")
                ? nil
                : WebContent(mediaType: "text/html; charset=utf-8", data: Data("shell:\(path)".utf8))
        }
        try await RunningHost.with([surface], configuration: configuration) { host in
            let start = try await host.get("")
            #expect(start.body == Data("shell:".utf8))
            #expect(start.headers["content-security-policy"]?.contains("frame-src 'self'") == true)
            #expect(try await host.get("css/frame.css").body == Data("shell:css/frame.css".utf8))
            #expect(try await host.get("missing").status == 404)
            #expect(try await host.get("cards/home/").body.starts(with: Data("<!DOCTYPE html>".utf8)))
            for path in ["%2e%2e/etc/passwd", "a/%2e%2e%2f%2e%2e/x", "a%5cb", "a%00b"] {
                let base = try host.url("").path(percentEncoded: true)
                let line = try await host.raw(
                    "GET \(base)\(path) HTTP/1.1\r\nHost: 127.0.0.1:\(host.host.port)\r\n\r\n")
                #expect(line.contains(" 404 "), "\(path)")
            }
        }
    }

    @Test func `pictures and fonts pass, everything else a server may send does not`() async throws {
        let media: WebContent.Loader = { url in
            switch url.lastPathComponent {
            case "a.png": WebContent(mediaType: "image/png; name=a", data: Data([1, 2]))
            case "a.svg": WebContent(mediaType: "IMAGE/SVG+XML", data: Data("<svg/>".utf8))
            case "a.woff2": WebContent(mediaType: "font/woff2", data: Data([3]))
            case "a.html": WebContent(mediaType: "text/html", data: Data("<script>".utf8))
            case "a.bad": WebContent(mediaType: "image/png\r\nX-Evil: 1", data: Data([1]))
            default: throw URLError(.notConnectedToInternet)
            }
        }
        try await RunningHost.with([surface], media: media) { host in
            func picture(_ name: String) async throws -> TransportResponse {
                try await host.get("cards/home/media?u=https%3A%2F%2Fcdn.example%2F\(name)")
            }
            let png = try await picture("a.png")
            #expect(png.status == 200)
            #expect(png.body == Data([1, 2]))
            #expect(png.headers["content-type"] == "image/png")
            #expect(png.headers["x-content-type-options"] == "nosniff")
            let svg = try await picture("a.svg")
            #expect(svg.headers["content-type"] == "image/svg+xml")
            #expect(svg.headers["content-security-policy"]?.contains("sandbox") == true)
            #expect(svg.headers["content-security-policy"]?.contains("script-src") == false)
            #expect(try await picture("a.woff2").status == 200)
            #expect(try await picture("a.html").status == 415)
            #expect(try await picture("a.bad").headers["x-evil"] == nil)
            #expect(try await picture("offline.png").status == 502)
            for address in ["file%3A%2F%2F%2Fetc%2Fpasswd", "javascript%3A1", "", "%zz", "https%3A%2F%2F"] {
                #expect(try await host.get("media?u=\(address)").status == 404, "\(address)")
            }
        }
    }

    @Test func `two surfaces of one name are refused at the start`() async throws {
        await #expect(throws: BrowserHost.Failure.sameName("cards/home")) {
            try await BrowserHost.start(surfaces: [surface, ProbeSurface()])
        }
    }
}
