import Foundation
import InlaySQL
@_spi(Inlay) import InlayWire
import NIOCore
import Testing

@testable import InlayHubServer
@testable import InlayServerCore
@testable import InlayServerTesting

@Suite struct HubRouteTests {
    private func manifest(_ text: String, assets: [String: Data] = [:]) throws -> String {
        let manifest = HubManifest(
            items: [
                .init(.hub, "home", HubDraft(title: "Home", channels: ["news"])),
                .init(.channel, "news", HubDraft(title: "News")),
                .init(
                    .article, "a",
                    HubDraft(
                        title: "A", image: assets.keys.sorted().first { $0.hasSuffix("svg") }, body: text,
                        channels: ["news"])),
            ], assets: assets.mapValues { HubBlob(of: $0) })
        return try HubJSON.text(manifest)
    }

    private func configure(_ configuration: inout InlayServerConfiguration) {
        configuration.contentSecretFile =
            FileManager.default.temporaryDirectory.appendingPathComponent("inlay-test-\(UUID()).secret").path
    }

    @Test(arguments: SQLEngine.allCases)
    func `a backend sends what is missing, publishes, and devices fetch it without signing in`(
        engine: SQLEngine
    ) async throws {
        try await TestApp.run(engine, configure: configure) { app in
            let tenant = try await TestTenant.make(app)
            let picture = Data("<svg><script>alert(1)</script></svg>".utf8)
            let blob = HubBlob(of: picture)
            let body = try manifest("Hello", assets: ["assets/p.svg": picture])
            let wanted = #"{"files":[{"hash":"\#(blob.hash)","size":\#(blob.size)}]}"#
            var missing = try await app.sendJSON(
                "POST", "/v1/hub/main/missing", headers: tenant.backend, wanted)
            #expect(missing.text.contains(blob.hash))
            let put = try await app.send(
                "PUT", "/v1/hub/main/files/\(blob.hash)", headers: tenant.backend,
                body: .bytes(ByteBuffer(bytes: picture)))
            #expect(put.status == 200)
            missing = try await app.sendJSON("POST", "/v1/hub/main/missing", headers: tenant.backend, wanted)
            #expect(missing.text == #"{"files":[]}"#)
            let published = try await app.sendJSON(
                "POST", "/v1/hub/main/publish", headers: tenant.backend, body)
            #expect(published.status == 200, "\(published.text)")
            let base = "/v1/hub/harbor/main"
            let timestamp = try await app.send("GET", base + "/metadata/timestamp.json")
            #expect(timestamp.status == 200 && timestamp.headers["cache-control"] == "no-cache")
            let root = try await app.send("GET", base + "/metadata/1.root.json")
            #expect(root.status == 200 && root.headers["cache-control"]?.contains("immutable") == true)
            #expect(try await app.send("GET", base + "/metadata/2.root.json").status == 404)
            // Devices get the backend's article: its page is at the path with the signed hash.
            let signed = try JSONDecoder().decode(
                JSONValue.self, from: try await app.send("GET", base + "/metadata/2.targets.json").body)
            let article = signed["signed"]?["targets"]?["articles/a/index.html"]?["hashes"]?["sha256"]
            let hash = try #require(article?.string)
            let page = try await app.send("GET", base + "/targets/articles/a/\(hash).index.html")
            #expect(page.status == 200 && page.text.contains("<p>Hello</p>"))
            let file = try await app.send("GET", base + "/targets/assets/\(blob.hash).p.svg")
            #expect(file.body == picture)
            #expect(file.headers["content-type"] == "application/octet-stream")
            #expect(file.headers["content-security-policy"] == "default-src 'none'; sandbox")
            #expect(file.headers["x-content-type-options"] == "nosniff")
            let again = try await app.send(
                "GET", base + "/targets/assets/\(blob.hash).p.svg",
                headers: ["If-None-Match": "\"\(blob.hash)\""])
            #expect(again.status == 304 && again.body.isEmpty)
        }
    }

    @Test func `a first publish that is refused creates no content source`() async throws {
        try await TestApp.run(configure: configure) { app in
            let tenant = try await TestTenant.make(app)
            let content = app.server.features.hub.content
            let unsent = try manifest("Hello", assets: ["assets/p.svg": Data("<svg/>".utf8)])
            let refused = try await app.sendJSON(
                "POST", "/v1/hub/main/publish", headers: tenant.backend, unsent)
            #expect(refused.status == 422)
            #expect(try await content.sources("harbor").isEmpty)
            let published = try await app.sendJSON(
                "POST", "/v1/hub/main/publish", headers: tenant.backend, try manifest("Hello"))
            #expect(published.status == 200, "\(published.text)")
            #expect(try await content.sources("harbor").map(\.name) == ["main"])
        }
    }

    @Test func `every user gets the same response`() async throws {
        try await TestApp.run(configure: configure) { app in
            let tenant = try await TestTenant.make(app)
            _ = try await app.sendJSON(
                "POST", "/v1/hub/main/publish", headers: tenant.backend, try manifest("x"))
            let path = "/v1/hub/harbor/main/metadata/timestamp.json"
            let alice = try await app.send("GET", path, headers: try tenant.headers(app, user: "alice"))
            let bob = try await app.send("GET", path, headers: try tenant.headers(app, user: "bob"))
            #expect(alice.body == bob.body && alice.headers["etag"] == bob.headers["etag"])
            #expect(alice.headers["set-cookie"] == nil && alice.headers["vary"] == nil)
        }
    }

    @Test func `a range request gets exactly its part of a video`() async throws {
        try await TestApp.run(configure: configure) { app in
            let tenant = try await TestTenant.make(app)
            let video = Data((0..<900_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) })
            let blob = HubBlob(of: video)
            _ = try await app.send(
                "PUT", "/v1/hub/main/files/\(blob.hash)", headers: tenant.backend,
                body: .bytes(ByteBuffer(bytes: video)))
            let body = try manifest(
                "<video src=\"assets/v.mp4\"></video> words", assets: ["assets/v.mp4": video])
            let published = try await app.sendJSON(
                "POST", "/v1/hub/main/publish", headers: tenant.backend, body)
            #expect(published.status == 200, "\(published.text)")
            let path = "/v1/hub/harbor/main/targets/assets/\(blob.hash).v.mp4"
            for (range, part) in [
                ("0-99", 0..<100), ("262100-262200", 262_100..<262_201), ("899990-", 899_990..<900_000),
                ("-5", 899_995..<900_000), ("100-9999999", 100..<900_000),
            ] {
                let answer = try await app.send("GET", path, headers: ["Range": "bytes=\(range)"])
                #expect(answer.status == 206)
                #expect(answer.body == video[part])
                #expect(
                    answer.headers["content-range"]
                        == "bytes \(part.lowerBound)-\(part.upperBound - 1)/900000")
            }
            #expect(try await app.send("GET", path, headers: ["Range": "bytes=900000-"]).status == 416)
            #expect(try await app.send("GET", path, headers: ["Range": "bytes=0-1,5-6"]).body == video)
            #expect(try await app.send("HEAD", path).headers["content-length"] == "900000")
        }
    }

    @Test(arguments: [
        "metadata/..%2f..%2fetc", "metadata/timestamp.json%00", "metadata/0.root.json", "metadata/root.json",
        "metadata/1.ROOT.json",
        "targets/index.json", "targets/../metadata/timestamp.json", "targets/%2e%2e/%2e%2e/etc/passwd",
        "targets/assets/xyz.p.svg", "targets/",
        "targets//", "targets/assets%2fp.svg", "targets/\(String(repeating: "a", count: 64)).p.svg",
        "targets/\(String(repeating: "a/", count: 500))x",
    ])
    func `no address leads out of the published files`(path: String) async throws {
        try await TestApp.run(configure: configure) { app in
            let tenant = try await TestTenant.make(app)
            _ = try await app.sendJSON(
                "POST", "/v1/hub/main/publish", headers: tenant.backend, try manifest("x"))
            let answer = try await app.send("GET", "/v1/hub/harbor/main/\(path)")
            #expect([400, 404, 405].contains(answer.status), "\(answer.status)")
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `no source of one environment opens for another`(engine: SQLEngine) async throws {
        try await TestApp.run(engine, configure: configure) { app in
            let harbor = try await TestTenant.make(app)
            let other = try await TestTenant.make(app, "other")
            let picture = Data("<svg/>".utf8)
            let blob = HubBlob(of: picture)
            _ = try await app.send(
                "PUT", "/v1/hub/main/files/\(blob.hash)", headers: harbor.backend,
                body: .bytes(ByteBuffer(bytes: picture)))
            let body = try manifest("x", assets: ["assets/p.svg": picture])
            #expect(
                try await app.sendJSON("POST", "/v1/hub/main/publish", headers: harbor.backend, body).status
                    == 200)
            // The other environment has neither the file nor the source, and cannot publish with the file's hash.
            let foreign = try await app.sendJSON("POST", "/v1/hub/main/publish", headers: other.backend, body)
            #expect(foreign.status == 422)
            #expect(try await app.send("GET", "/v1/hub/other/main/metadata/timestamp.json").status == 404)
            #expect(
                try await app.send("GET", "/v1/hub/other/main/targets/assets/\(blob.hash).p.svg").status
                    == 404)
            #expect(
                try await app.sendJSON("POST", "/v1/hub/main/publish", headers: try harbor.headers(app), body)
                    .status == 401)
            let own = try await app.sendJSON(
                "POST", "/v1/hub/main/publish", headers: other.backend, try manifest("mine"))
            #expect(own.status == 200)
            let roots = [
                try await app.send("GET", "/v1/hub/harbor/main/metadata/1.root.json").body,
                try await app.send("GET", "/v1/hub/other/main/metadata/1.root.json").body,
            ]
            #expect(roots[0] != roots[1])
        }
    }

    @Test func `bytes that do not match their hash are not stored`() async throws {
        try await TestApp.run(configure: configure) { app in
            let tenant = try await TestTenant.make(app)
            let hash = HubBlob(of: Data("right".utf8)).hash
            let put = try await app.send(
                "PUT", "/v1/hub/main/files/\(hash)", headers: tenant.backend,
                body: .bytes(ByteBuffer(string: "wrong")))
            #expect(put.status == 422)
            let pieces = try await app.services.database.read {
                try $0.rows("SELECT piece FROM hub_pieces").count
            }
            #expect(pieces == 0)
            #expect(
                try await app.send("PUT", "/v1/hub/main/files/short", headers: tenant.backend).status == 422)
        }
    }

    @Test
    func `a manifest with a picture that is none, or a name of Windows's, is refused and changes nothing`()
        async throws
    {
        try await TestApp.run(configure: configure) { app in
            let tenant = try await TestTenant.make(app)
            let text = Data("A text.".utf8)
            let blob = HubBlob(of: text)
            let put = try await app.send(
                "PUT", "/v1/hub/main/files/\(blob.hash)", headers: tenant.backend, body: .bytes(text))
            #expect(put.status == 200)
            for (id, path, words) in [
                ("one", "assets/a.png", "file assets/a.png: The bytes are not those of a picture"),
                ("con", "assets/a.json", "article con: Windows cannot name a file"),
            ] {
                let manifest = try HubJSON.text(
                    HubManifest(
                        items: [
                            .init(.hub, "home", HubDraft(title: "Home", channels: ["news"])),
                            .init(.channel, "news", HubDraft(title: "News")),
                            .init(.article, id, HubDraft(title: "One", body: "Text.", channels: ["news"])),
                        ],
                        assets: [path: blob]))
                let answer = try await app.sendJSON(
                    "POST", "/v1/hub/main/publish", headers: tenant.backend, manifest)
                #expect(answer.status == 422)
                #expect(try answer.problem.detail?.contains(words) == true)
            }
            #expect(try await app.send("GET", "/v1/hub/harbor/main/metadata/timestamp.json").status == 404)
        }
    }

    @Test func `a manifest with a template that is no text is refused with its line and changes nothing`()
        async throws
    {
        try await TestApp.run(configure: configure) { app in
            let tenant = try await TestTenant.make(app)
            let latin = Data("<html>\n{{title}} ".utf8) + Data([0xE6]) + Data("{{{body}}}</html>".utf8)
            let blob = HubBlob(of: latin)
            let put = try await app.send(
                "PUT", "/v1/hub/main/files/\(blob.hash)", headers: tenant.backend, body: .bytes(latin))
            #expect(put.status == 200)
            let manifest = try HubJSON.text(
                HubManifest(
                    items: [
                        .init(.hub, "home", HubDraft(title: "Home", channels: ["news"])),
                        .init(.channel, "news", HubDraft(title: "News")),
                        .init(.article, "one", HubDraft(title: "One", body: "Text.", channels: ["news"])),
                    ],
                    assets: ["templates/article.html": blob]))
            let answer = try await app.sendJSON(
                "POST", "/v1/hub/main/publish", headers: tenant.backend, manifest)
            #expect(answer.status == 422)
            let words = "templates/article.html:2: It holds bytes that are no UTF-8. Save it as UTF-8."
            #expect(try answer.problem.detail == words)
            #expect(try await app.send("GET", "/v1/hub/harbor/main/metadata/timestamp.json").status == 404)
        }
    }

    @Test func `a manifest with faults is answered with every one of them`() async throws {
        try await TestApp.run(configure: configure) { app in
            let tenant = try await TestTenant.make(app)
            let bad = try HubJSON.text(
                HubManifest(
                    items: [
                        .init(.hub, "home", HubDraft(title: "", channels: ["Bad Id"])),
                        .init(.article, "../x", HubDraft(title: "x")),
                        .init(
                            .article, "a", HubDraft(title: "x", body: String(repeating: "x", count: 200_000))),
                    ],
                    assets: [
                        "../../etc/passwd": HubBlob(hash: "x", size: 1),
                        "assets/huge.png": HubBlob(hash: String(repeating: "a", count: 64), size: 1 << 40),
                    ]))
            let answer = try await app.sendJSON("POST", "/v1/hub/main/publish", headers: tenant.backend, bad)
            #expect(answer.status == 422)
            let detail = try #require(try answer.problem.detail)
            for words in [
                "hub home: title", "channels[0]", "article ../x", "body: At most", "etc/passwd",
                "assets/huge.png",
            ] {
                #expect(detail.contains(words), "\(words) in \(detail)")
            }
            #expect(try await app.send("GET", "/v1/hub/harbor/main/metadata/timestamp.json").status == 404)
        }
    }
}
