import Foundation
import InlayBrowser
@_spi(Inlay) import InlayCore
@_spi(Inlay) import InlaySurface
import InlayWebHost
import Testing

/// Tests of the files of a surface's content: which requests get them, their headers, and a document's permissions.
@Suite(.timeLimit(.minutes(5))) struct ContentTests {
    /// A surface that draws nothing; its content is a document, a picture and a video.
    struct MediaSurface: Surface {
        let name = "hub/main"
        let assets = SurfaceAssets.engine
        let prefixes: AsyncStream<String>
        private let continuation: AsyncStream<String>.Continuation

        init() { (prefixes, continuation) = AsyncStream.makeStream() }

        func run(_ link: SurfaceLink) async {
            continuation.yield(link.content)
            for await _ in link.events {}
        }

        func resource(_ path: String) async throws -> SurfaceContent {
            switch path {
            case "articles/a/index.html":
                SurfaceContent(
                    mediaType: "text/html; charset=utf-8", data: Data("<link rel=preconnect><p>Words".utf8),
                    rules: FrameRules())
            case "assets/clip one.mp4":
                SurfaceContent(mediaType: "video/mp4", data: Data((0..<100).map { UInt8($0) }))
            case "assets/a.svg": SurfaceContent(mediaType: "image/svg+xml", data: Data("<svg/>".utf8))
            default: throw SurfaceContentMissing()
            }
        }

        func allowsRequest(to address: String) async -> Bool { address == "https://e.example/a?x=1#s" }
    }

    private let surface = MediaSurface()

    private func with(_ body: (RunningHost, _ content: String) async throws -> Void) async throws {
        try await RunningHost.with(
            [surface], media: { _ in WebContent(mediaType: "image/png", data: Data([1])) }
        ) {
            host in
            let view = try await host.view("hub/main")
            let prefix = try #require(await surface.prefixes.first { _ in true })
            try await body(host, prefix)
            await view.close()
        }
    }

    private func get(
        _ host: RunningHost, _ path: String, method: String = "GET", headers: [String: String] = [:]
    ) async throws -> TransportResponse {
        let url = try #require(URL(string: "http://127.0.0.1:\(host.host.port)\(path)"))
        return try await host.transport.send(TransportRequest(method: method, url: url, headers: headers))
    }

    @Test func `a document is served in a sandbox, with a policy that allows only its own content`()
        async throws
    {
        try await with { host, content in
            let answer = try await get(host, content + "articles/a/index.html")
            #expect(answer.status == 200)
            #expect(answer.headers["content-type"] == "text/html; charset=utf-8")
            let text = String(decoding: answer.body, as: UTF8.self)
            #expect(text.contains("src=\"\(content)~/frame-apis.js\""))
            #expect(text.contains("src=\"\(content)~/frame.js\""))
            #expect(text.hasSuffix("<inlay-link rel=preconnect><p>Words"))
            let policy = try #require(answer.headers["content-security-policy"])
            let base = "http://127.0.0.1:\(host.host.port)\(content)"
            #expect(policy.contains("img-src \(base) data:;"))
            #expect(policy.contains("script-src \(base)~/frame-apis.js \(base)~/frame.js;"))
            #expect(policy.contains("sandbox allow-scripts"))
            let ownOriginRules = policy.split(separator: "; ").filter { $0.contains("'self'") }
            #expect(ownOriginRules == ["frame-ancestors 'self'"])
            #expect(answer.headers["x-content-type-options"] == "nosniff")
            #expect(answer.headers["referrer-policy"] == "no-referrer")
            #expect(answer.headers["x-dns-prefetch-control"] == "off")
            #expect(answer.headers["connection-allowlist"] == "(response-origin)")
            #expect(answer.headers["permissions-policy"]?.contains("camera=()") == true)
        }
    }

    @Test func `the page may frame and play its own content and nothing else`() async throws {
        try await with { host, content in
            let page = try await host.get("hub/main/")
            let base = "http://127.0.0.1:\(host.host.port)\(content)"
            let policy = try #require(page.headers["content-security-policy"])
            let rules = policy.split(separator: "; ").map(String.init)
            #expect(rules.contains("default-src 'none'"))
            #expect(rules.filter { $0.hasPrefix("frame-src") } == ["frame-src \(base)"])
            #expect(rules.filter { $0.hasPrefix("media-src") } == ["media-src \(base)"])
        }
    }

    @Test func `the secret of content opens no page, no socket and no picture from outside`() async throws {
        try await with { host, content in
            let secret = content.split(separator: "/").first.map(String.init) ?? ""
            for path in [
                "hub/main/", "hub/main/socket", "media?u=https%3A%2F%2Fe.example%2F", "surface.js", "",
            ] {
                let answer = try await get(host, "/\(secret)/\(path)")
                #expect(answer.status == 404, "\(path)")
            }
            let own = host.host.address.path(percentEncoded: true)
            for path in [
                content + "media?u=https%3A%2F%2Fe.example%2F", content + "..%2f..%2fmedia",
                own + "hub/main/articles/a/index.html",
            ] {
                let answer = try await get(host, path)
                #expect(answer.status == 404, "\(path)")
            }
        }
    }

    @Test func `an outside URL is fetched for a document only if the surface allows exactly this URL`()
        async throws
    {
        try await with { host, content in
            func asked(_ address: String, headers: [String: String] = [:]) async throws -> TransportResponse {
                try await get(host, content + "~/outside?u=" + address, headers: headers)
            }
            let listed = "https%3A%2F%2Fe.example%2Fa%3Fx%3D1%23s"
            let answer = try await asked(listed)
            #expect(answer.status == 200 && answer.body == Data([1]))
            #expect(answer.headers["content-type"] == "image/png")
            #expect(answer.headers["access-control-allow-origin"] == "*")
            #expect(answer.headers["content-security-policy"]?.contains("sandbox") == true)
            for other in [
                "https%3A%2F%2Fe.example%2Fa", "https%3A%2F%2Fe.example%2Fa%3Fx%3D2%23s",
                "https%3A%2F%2Fe.example%2Fa%3Fx%3D1", "https%3A%2F%2Fe.example%2Fa%3Fx%3D1%26y%3D2%23s", "",
            ] { #expect(try await asked(other).status == 403, "\(other)") }
            for place in ["document", "iframe", "object"] {
                #expect(try await asked(listed, headers: ["Sec-Fetch-Dest": place]).status == 403)
            }
            #expect(try await get(host, content + "~/outside").status == 404)
            let own = host.host.address.path(percentEncoded: true)
            #expect(try await get(host, own + "hub/main/~/outside?u=" + listed).status == 404)
        }
    }

    @Test func `a file that is no document is never opened as one`() async throws {
        try await with { host, content in
            for destination in ["document", "iframe", "frame", "object", "embed"] {
                let answer = try await get(
                    host, content + "assets/a.svg", headers: ["Sec-Fetch-Dest": destination])
                #expect(answer.status == 403, "\(destination)")
            }
            let picture = try await get(host, content + "assets/a.svg", headers: ["Sec-Fetch-Dest": "image"])
            #expect(picture.status == 200)
            #expect(picture.headers["content-security-policy"]?.contains("script-src http") == true)
            #expect(picture.headers["cross-origin-resource-policy"] == "cross-origin")
        }
    }

    @Test(
        arguments: [
            ("bytes=0-9", 206, 0..<10, "bytes 0-9/100"), ("bytes=90-", 206, 90..<100, "bytes 90-99/100"),
            ("bytes=-5", 206, 95..<100, "bytes 95-99/100"),
            ("bytes=50-900", 206, 50..<100, "bytes 50-99/100"),
            ("bytes=0-", 206, 0..<100, "bytes 0-99/100"), ("bytes=100-", 416, 0..<0, "bytes */100"),
            ("bytes=5-4", 416, 0..<0, "bytes */100"), ("bytes=-0", 416, 0..<0, "bytes */100"),
            ("bytes=0-1,3-4", 200, 0..<100, nil), ("lines=0-1", 200, 0..<100, nil),
            ("bytes=x-", 200, 0..<100, nil),
            ("bytes=99999999999999999999-", 200, 0..<100, nil),
        ] as [(String, Int, Range<UInt8>, String?)])
    func `a range request returns the requested bytes of a video`(
        range: String, status: Int, bytes: Range<UInt8>, contentRange: String?
    ) async throws {
        try await with { host, content in
            let answer = try await get(host, content + "assets/clip%20one.mp4", headers: ["Range": range])
            #expect(answer.status == status)
            #expect(answer.body == Data(bytes))
            #expect(answer.headers["content-range"] == contentRange)
            #expect(answer.headers["accept-ranges"] == "bytes")
            #expect(answer.headers["content-type"] == "video/mp4")
        }
    }

    @Test func `the frame's own script and style come with every content`() async throws {
        try await with { host, content in
            for name in SurfaceAssets.engine.frameNames {
                let answer = try await get(host, content + "~/" + name)
                #expect(answer.body == SurfaceAssets.engine.data(named: name))
                #expect(answer.headers["access-control-allow-origin"] == "*")
            }
            let answer = try await get(host, content + "~/surface.js")
            #expect(answer.status == 404)
        }
    }
}
