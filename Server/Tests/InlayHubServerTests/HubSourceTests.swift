import Foundation
import InlaySQL
@_spi(Inlay) import InlayTrust
@_spi(Inlay) import InlayWire
import Testing

@testable import InlayHubServer
@testable import InlayServerCore

@Suite struct HubSourceTests {
    @Test(arguments: [1, 3])
    func `every hub, channel and article of a source can be addressed, be it one or three`(count: Int)
        async throws
    {
        try await HubServerFixture.with(.sqlite) { fixture in
            try await fixture.content.createSource("env", id: "main", name: "Main")
            let channels = (1...count).map { "c\($0)" }
            for number in 1...count {
                try await fixture.add(
                    .hub, "h\(number)",
                    HubDraft(title: "H\(number)", body: "Hub", channels: channels, order: number))
                try await fixture.add(.channel, "c\(number)", HubDraft(title: "C\(number)", body: "Channel"))
                try await fixture.add(
                    .article, "a\(number)", HubDraft(title: "A\(number)", body: "Text", channels: channels))
            }
            try await fixture.publisher.publish("env", "main", by: "test")
            let bundle = try await fixture.device().update()
            #expect(bundle.index.hubs.elements.map(\.id) == (1...count).map { "h\($0)" })
            for number in 1...count {
                let hub = try #require(bundle.index.hub("h\(number)"))
                #expect(bundle.index.channels(of: hub).map(\.id) == channels)
                let channel = try #require(bundle.index.channel("c\(number)"))
                #expect(
                    Set(bundle.index.articles(of: channel).map(\.id)) == Set((1...count).map { "a\($0)" }))
                for page in [hub.page, channel.page, bundle.index.article("a\(number)")?.page] {
                    #expect(bundle.text(try #require(page)).contains("<!doctype html>"))
                }
            }
        }
    }

    @Test func `two sources of one environment give their own content and are signed with their own keys`()
        async throws
    {
        try await HubServerFixture.with(.sqlite) { fixture in
            try await fixture.fill("main", articles: 1)
            try await fixture.fill("other", articles: 2)
            try await fixture.publisher.publish("env", "main", by: "test")
            try await fixture.publisher.publish("env", "other", by: "test")
            #expect(try await fixture.device("main").update().index.articles.elements.count == 1)
            #expect(try await fixture.device("other").update().index.articles.elements.count == 2)
            let anchors = [
                try await fixture.publisher.anchor("env", "main"),
                try await fixture.publisher.anchor("env", "other"),
            ]
            #expect(anchors[0].publicDER != anchors[1].publicDER)
        }
    }

    @Test func `content signed with another app's keys is refused`() async throws {
        try await HubServerFixture.with(.sqlite) { fixture in
            try await fixture.fill("main")
            try await fixture.fill("other")
            try await fixture.publisher.publish("env", "main", by: "test")
            try await fixture.publisher.publish("env", "other", by: "test")
            let own = try await fixture.publisher.anchor("env", "main").root
            let device = try HubDevice(fixture, "env", "other", root: own)
            await #expect(throws: TrustError.self) { try await device.update() }
        }
    }

    @Test func `a video and a picture are files of the version, and one that is missing is a fault`()
        async throws
    {
        try await HubServerFixture.with(.sqlite) { fixture in
            try await fixture.fill()
            try await fixture.addFile("assets/film.mp4", "film")
            try await fixture.addFile("assets/unused.png", "x")
            try await fixture.change(.article, "a1") { $0.body = "<video src=\"assets/film.mp4\"></video>" }
            try await fixture.publisher.publish("env", "main", by: "test")
            let bundle = try await fixture.device().update()
            #expect(bundle.index.article("a1")?.files.contains("assets/film.mp4") == true)
            #expect(bundle.text("assets/film.mp4") == "film")
            #expect(bundle.files["assets/unused.png"] == nil)
            try await fixture.change(.article, "a2") { $0.body = "![x](assets/gone.png)" }
            await #expect(throws: HubFaults.self) {
                try await fixture.publisher.publish("env", "main", by: "test")
            }
            #expect(try await fixture.device().update().index.version == 1)
        }
    }

    @Test func `scripts run only where source and article both say so`() async throws {
        try await HubServerFixture.with(.sqlite) { fixture in
            try await fixture.fill()
            let text = "<p>x</p><script src=\"../../assets/a.js\"></script>"
            try await fixture.addFile("assets/a.js", "1")
            try await fixture.change(.article, "a2") { ($0.body, $0.format) = (text, .html) }
            try await fixture.publisher.publish("env", "main", by: "test")
            var bundle = try await fixture.device().update()
            #expect(!bundle.text("articles/a2/index.html").contains("<script"))
            #expect(bundle.index.article("a2")?.allowsScripts == false)
            try await fixture.change(.article, "a2") { $0.allowsScripts = true }
            await #expect(throws: HubFaults.self) {
                try await fixture.publisher.publish("env", "main", by: "test")
            }
            try await fixture.content.updateSource(
                "env", "main", name: "Main", settings: HubSettings(allowsScripts: true))
            try await fixture.publisher.publish("env", "main", by: "test")
            bundle = try await fixture.device().update()
            #expect(bundle.text("articles/a2/index.html").contains("<script src=\"../../assets/a.js\">"))
            #expect(bundle.index.article("a2")?.allowsScripts == true)
            #expect(bundle.index.article("a1")?.allowsScripts == false)
        }
    }

    @Test func `a save over a revision that another user replaced is refused`() async throws {
        try await HubServerFixture.with(.sqlite) { fixture in
            try await fixture.fill()
            let item = try #require(try await fixture.content.item("env", "main", .article, "a1"))
            try await fixture.content.save("env", "main", .article, "a1", item.draft, over: item.revision)
            await #expect(throws: Problem.self) {
                try await fixture.content.save("env", "main", .article, "a1", item.draft, over: item.revision)
            }
            await #expect(throws: FieldErrors.self) {
                try await fixture.content.create("env", "main", .article, id: "../x", item.draft)
            }
            await #expect(throws: Problem.self) {
                try await fixture.content.create("env", "main", .article, id: "a1", item.draft)
            }
            #expect(try await fixture.content.item("other", "main", .article, "a1") == nil)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a full source takes no other item and no other file, but a file in place of one that it has`(
        _ engine: SQLEngine
    ) async throws {
        try await HubServerFixture.with(engine) { fixture in
            try await fixture.content.createSource("env", id: "main", name: "Main")
            func numbers(_ count: Int) -> String {
                "WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < \(count))"
            }
            let items = """
                INSERT INTO hub_items (environment_id, source_id, kind, id, draft, revision, released_revision,
                    created_at, updated_at)
                \(numbers(HubLimits.maximumItems)) SELECT 'env', 'main', 'article', 'a' || x, '{}', 1, 0, 0, 0 FROM n
                """
            let assets = """
                INSERT INTO hub_assets (environment_id, source_id, path, hash, size, updated_at)
                \(numbers(HubLimits.maximumAssets)) SELECT 'env', 'main', 'assets/' || x || '.svg', 'h', 0, 0 FROM n
                """
            try await fixture.database.write { connection in
                for sql in [items, assets] { try connection.execute(sql) }
            }
            let full = await #expect(throws: FieldErrors.self) {
                try await fixture.content.create(
                    "env", "main", .article, id: "more", HubDraft(title: "More", body: "Text"))
            }
            #expect(full?.items.map(\.field) == ["id"])
            let blob = try await fixture.blobs.put("env", Data("<svg/>".utf8))
            await #expect(throws: FieldErrors.self) {
                try await fixture.content.setAsset("env", "main", path: "assets/more.svg", blob)
            }
            try await fixture.content.setAsset("env", "main", path: "assets/1.svg", blob)
            let files = try await fixture.content.assets("env", "main")
            #expect(files.count == HubLimits.maximumAssets && files.contains { $0.blob == blob })
        }
    }
}
