import Foundation
import InlaySQL
import InlayTrust
import InlayWire
import Testing

@testable import InlayServer

@Suite struct HubPublishTests {
    @Test(arguments: SQLEngine.allCases)
    func `a device that was just installed gets the whole version, verified`(engine: SQLEngine) async throws {
        try await HubWorld.with(engine) { world in
            try await world.fill()
            try await world.addFile("assets/quay.svg", "<svg/>")
            try await world.change(.article, "a1") { $0.image = "assets/quay.svg" }
            let publication = try await world.publisher.publish("env", "main", by: "test")
            #expect(publication.version == 1 && publication.isNew)
            let bundle = try await world.device().update()
            #expect(bundle.index.version == 1)
            #expect(bundle.index.source == "main")
            #expect(bundle.index.hubs.elements.map(\.channels) == [["news"]])
            #expect(Set(bundle.index.channel("news")?.articles ?? []) == ["a1", "a2"])
            #expect(bundle.text("articles/a1/index.html").contains("<p>Text <em>1</em>.</p>"))
            #expect(bundle.text("assets/quay.svg") == "<svg/>")
            #expect(bundle.files["assets/inlay-page.css"] != nil)
            #expect(bundle.policy.isDisabled == false)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a device that has a version follows to the next one, and sockets are told`(engine: SQLEngine)
        async throws
    {
        try await HubWorld.with(engine) { world in
            try await world.fill()
            try await world.publisher.publish("env", "main", by: "test")
            let device = try await world.device()
            let first = try await device.update()
            world.time.advance(.seconds(60))
            try await world.change(.article, "a2") { $0.body = "Other words." }
            try await world.publisher.publish("env", "main", by: "test")
            let second = try await device.update()
            #expect(second.index.version == 2)
            #expect(second.text("articles/a2/index.html").contains("Other words."))
            #expect(second.files["articles/a1/index.html"] == first.files["articles/a1/index.html"])
            let article = try #require(second.index.article("a2"))
            #expect(article.revision > first.index.article("a2")?.revision ?? 0)
            let source = try #require(try await world.content.source("env", "main"))
            #expect(world.told.all.map(\.topic) == ["env/main", "env/main"])
            #expect(world.told.all.last?.version == source.timestampVersion)
        }
    }

    @Test func `publishing what readers have already makes no version`() async throws {
        try await HubWorld.with(.sqlite) { world in
            try await world.fill()
            try await world.publisher.publish("env", "main", by: "test")
            world.time.advance(.seconds(5))
            let again = try await world.publisher.publish("env", "main", by: "test")
            #expect(again.isNew == false && again.version == 1)
            #expect(world.told.all.count == 1)
        }
    }

    @Test func `a draft that is not released stays out of versions`() async throws {
        try await HubWorld.with(.sqlite) { world in
            try await world.fill()
            let item = try #require(try await world.content.item("env", "main", .article, "a1"))
            var draft = item.draft
            draft.title = "Unfinished"
            try await world.content.save("env", "main", .article, "a1", draft, over: item.revision)
            try await world.content.create(
                "env", "main", .article, id: "later", HubDraft(title: "L", body: "x", channels: ["news"]))
            try await world.publisher.publish("env", "main", by: "test")
            let index = try await world.device().update().index
            #expect(index.article("a1")?.title == "Article 1")
            #expect(index.article("later") == nil)
        }
    }
}
