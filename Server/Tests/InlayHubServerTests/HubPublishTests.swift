import Foundation
import InlaySQL
@_spi(Inlay) import InlayTrust
@_spi(Inlay) import InlayWire
import Testing

@testable import InlayHubServer
@testable import InlayServerCore
@testable import InlayServerTesting

@Suite struct HubPublishTests {
    @Test(arguments: SQLEngine.allCases)
    func `a device that was just installed gets the whole version, verified`(engine: SQLEngine) async throws {
        try await HubServerFixture.with(engine) { fixture in
            try await fixture.fill()
            try await fixture.addFile("assets/quay.svg", "<svg/>")
            try await fixture.change(.article, "a1") { $0.image = "assets/quay.svg" }
            let publication = try await fixture.publisher.publish("env", "main", by: "test")
            #expect(publication.version == 1 && publication.isNew)
            let bundle = try await fixture.device().update()
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
    func `a device that has a version follows to the next one, and sockets are notified`(engine: SQLEngine)
        async throws
    {
        try await HubServerFixture.with(engine) { fixture in
            try await fixture.fill()
            try await fixture.publisher.publish("env", "main", by: "test")
            let device = try await fixture.device()
            let first = try await device.update()
            fixture.time.advance(by: .seconds(60))
            try await fixture.change(.article, "a2") { $0.body = "Other words." }
            try await fixture.publisher.publish("env", "main", by: "test")
            let second = try await device.update()
            #expect(second.index.version == 2)
            #expect(second.text("articles/a2/index.html").contains("Other words."))
            #expect(second.files["articles/a1/index.html"] == first.files["articles/a1/index.html"])
            let article = try #require(second.index.article("a2"))
            #expect(article.revision > first.index.article("a2")?.revision ?? 0)
            let source = try #require(try await fixture.content.source("env", "main"))
            #expect(fixture.published.all.map(\.topic) == ["env/main", "env/main"])
            #expect(fixture.published.all.last?.version == source.timestampVersion)
        }
    }

    @Test func `a publish names the parts of texts that pages do not have, and the history keeps them`()
        async throws
    {
        try await HubServerFixture.with(.sqlite) { fixture in
            try await fixture.fill()
            try await fixture.change(.article, "a2") { $0.body = "<p style=\"x\">a</p>" }
            let warnings = [
                HubFaults.Item(
                    place: "article a2", message: "The attribute style of <p> was left out.", quote: "style=")
            ]
            #expect(try await fixture.publisher.check("env", "main").warnings == warnings)
            let made = try await fixture.publisher.publish("env", "main", by: "test")
            #expect(made.warnings == warnings)
            #expect(try await fixture.publisher.publish("env", "main", by: "test").warnings == warnings)
            let history = try await fixture.content.versions("env", "main")
            #expect(history.map(\.summary.warnings) == [warnings])
            let sent = try JSONEncoder().encode(made)
            #expect(try JSONDecoder().decode(HubPublication.self, from: sent) == made)
            let before = Data("{\"version\":1,\"isNew\":true,\"newFiles\":2,\"newBytes\":3}".utf8)
            #expect(try JSONDecoder().decode(HubPublication.self, from: before).warnings.isEmpty)
        }
    }

    @Test func `the warnings of a large source are bounded and counted`() async throws {
        try await HubServerFixture.with(.sqlite) { fixture in
            try await fixture.fill(articles: 6)
            let links = (0..<150).map { "<a href=\"other:\($0)\">x</a>" }.joined()
            for number in 1...6 {
                try await fixture.change(.article, "a\(number)") { $0.body = links }
            }
            let warnings = try await fixture.publisher.publish("env", "main", by: "test").warnings
            #expect(warnings.count == HubLimits.maximumWarnings + 1)
            #expect(warnings.last?.text() == "source: … and 400 more.")
            let kept = try await fixture.content.versions("env", "main").first?.summary.warnings
            #expect(kept?.count == HubVersion.Summary.maximumWarnings)
        }
    }

    @Test func `publishing what readers have already makes no version`() async throws {
        try await HubServerFixture.with(.sqlite) { fixture in
            try await fixture.fill()
            try await fixture.publisher.publish("env", "main", by: "test")
            fixture.time.advance(by: .seconds(5))
            let again = try await fixture.publisher.publish("env", "main", by: "test")
            #expect(again.isNew == false && again.version == 1)
            #expect(fixture.published.all.count == 1)
        }
    }

    @Test func `a draft that is not released stays out of versions`() async throws {
        try await HubServerFixture.with(.sqlite) { fixture in
            try await fixture.fill()
            let item = try #require(try await fixture.content.item("env", "main", .article, "a1"))
            var draft = item.draft
            draft.title = "Unfinished"
            try await fixture.content.save("env", "main", .article, "a1", draft, over: item.revision)
            try await fixture.content.create(
                "env", "main", .article, id: "later", HubDraft(title: "L", body: "x", channels: ["news"]))
            try await fixture.publisher.publish("env", "main", by: "test")
            let index = try await fixture.device().update().index
            #expect(index.article("a1")?.title == "Article 1")
            #expect(index.article("later") == nil)
        }
    }
}

@Suite struct HubVersionTests {
    @Test(arguments: SQLEngine.allCases)
    func `a disabled source and a recalled article are published in a signed policy whose version only grows`(
        engine: SQLEngine
    )
        async throws
    {
        try await HubServerFixture.with(engine) { fixture in
            try await fixture.fill()
            try await fixture.publisher.publish("env", "main", by: "test")
            let device = try await fixture.device()
            let before = try await device.update()
            var policy = before.policy
            policy.isDisabled = true
            policy.disabledReason = "Wrong prices"
            policy.recalledArticles = ["a1"]
            try await fixture.publisher.setPolicy("env", "main", policy, by: "test")
            let during = try await device.update()
            #expect(during.policy.isDisabled && during.policy.recalledArticles == ["a1"])
            #expect(during.policy.version > before.policy.version)
            #expect(during.index == before.index)
            policy = during.policy
            policy.isDisabled = false
            try await fixture.publisher.setPolicy("env", "main", policy, by: "test")
            let after = try await device.update()
            #expect(after.policy.isDisabled == false && after.policy.version > during.policy.version)
            try await fixture.change(.article, "a2") { $0.title = "New" }
            try await fixture.publisher.publish("env", "main", by: "test")
            #expect(try await device.update().index.article("a1") == nil)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `an update with one changed article transfers hardly more than that article`(engine: SQLEngine)
        async throws
    {
        try await HubServerFixture.with(engine) { fixture in
            try await fixture.fill(articles: 90)
            try await fixture.publisher.publish("env", "main", by: "test")
            let device = try await fixture.device()
            let first = try await device.update()
            #expect(first.index.articles.elements.count == 90)
            device.fetcher.reset()
            fixture.time.advance(by: .seconds(60))
            try await fixture.change(.article, "a77") {
                $0.body = String(repeating: "Other words. ", count: 3_000)
            }
            try await fixture.publisher.publish("env", "main", by: "test")
            let second = try await device.update()
            #expect(second.index.article("a77")?.revision ?? 0 > 1)
            let page = try #require(second.files["articles/a77/index.html"]).count
            let limit = Double(page) * 1.2 + 8_192
            #expect(
                Double(device.fetcher.bytes) <= limit,
                "\(device.fetcher.bytes) of \(limit): \(device.fetcher.transfers)")
        }
    }

    @Test(arguments: ["a\0", "news-2026-\0", "\0", "the-\0-th-ferry"])
    func `articles with ids that look alike are spread over the parts of an index`(pattern: String) throws {
        let articles = (1...90).map {
            HubArticle(
                id: pattern.replacing("\0", with: "\($0)"), title: "",
                publishedAt: Timestamp(microseconds: 0),
                page: "x")
        }
        let index = HubIndex(
            source: "main", version: 0, publishedAt: Timestamp(microseconds: 0), articles: articles)
        let files = try HubVersionContent(index: index, files: [:]).indexFiles(
            version: 1, at: Timestamp(microseconds: 0))
        let parts = try files.filter { $0.key != HubIndex.target }.values.map {
            try JSONDecoder().decode(HubIndexPart.self, from: $0).articles.elements.map(\.id)
        }
        #expect(Set(parts.joined()) == Set(articles.map(\.id)))
        // Sixteen parts: about six in each.
        #expect(parts.count >= 12 && parts.allSatisfy { $0.count <= 14 }, "\(parts.map(\.count))")
    }

    @Test func `the timestamp is renewed before it runs out, without a new version`() async throws {
        try await HubServerFixture.with(.sqlite) { fixture in
            try await fixture.fill(articles: 50)
            // Forty steps of half a day: snapshot, targets and delegated roles pass half of their 16 days twice.
            try await fixture.content.updateSource(
                "env", "main", name: "Main", settings: HubSettings(contentDays: 16))
            try await fixture.publisher.publish("env", "main", by: "test")
            let device = try await fixture.device()
            try await device.update()
            let jobs = fixture.sourceJobs
            for _ in 0..<40 {
                fixture.time.advance(by: .seconds(12 * 3_600 + 1))
                try await jobs.runDueJobs()
            }
            let source = try #require(try await fixture.content.source("env", "main"))
            #expect(source.version == 1)
            #expect(source.timestampVersion >= 40)
            #expect(try await device.update().index.version == 1)
            #expect(try await fixture.device().update().index.version == 1)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a due source is renewed by one of three nodes, and by another when that one stopped`(
        _ engine: SQLEngine
    ) async throws {
        let migrations = JobsSchema.migrations + AccountsSchema.migrations + HubSchema.migrations
        try await Nodes.with(3, engine, migrations: migrations) { databases in
            let fixture = HubServerFixture(databases[0])
            for id: HubSourceID in ["one", "two", "three"] {
                try await fixture.fill(id)
                try await fixture.publisher.publish("env", id, by: "test")
            }
            let nodes = databases.map { database in
                HubSourceJobs(
                    database: database, publisher: fixture.publisher, now: { fixture.time.now },
                    logger: .quiet)
            }
            fixture.time.advance(by: .seconds(12 * 3_600 + 1))
            // The first node claims a source and stops.
            let stopped = try #require(
                try await nodes[0].runner.claimDue().batches.first?.jobs.first)
            let count = fixture.published.all.count
            try await withThrowingTaskGroup(of: Void.self) { group in
                for node in nodes { group.addTask { try await node.runDueJobs() } }
                try await group.waitForAll()
            }
            let renewed = fixture.published.all.dropFirst(count).map(\.0)
            let others = ["one", "two", "three"].filter { $0 != stopped.key }.map { "env/\($0)" }
            #expect(renewed.sorted() == others.sorted())
            fixture.time.advance(by: .seconds(60))
            try await nodes[1].runDueJobs()
            #expect(fixture.published.all.dropFirst(count + 2).map(\.0) == ["env/\(stopped.key)"])
        }
    }

    @Test func `an article waits for its date and is then published by the clock`() async throws {
        try await HubServerFixture.with(.sqlite) { fixture in
            try await fixture.fill()
            let date = fixture.time.now + .seconds(3_600)
            try await fixture.add(
                .article, "later", HubDraft(title: "Later", body: "x", channels: ["news"], publishAt: date))
            try await fixture.publisher.publish("env", "main", by: "test")
            let jobs = fixture.sourceJobs
            try await jobs.runDueJobs()
            #expect(try await fixture.device().update().index.article("later") == nil)
            fixture.time.advance(by: .seconds(3_601))
            try await jobs.runDueJobs()
            let index = try await fixture.device().update().index
            #expect(index.article("later")?.publishedAt == date)
            #expect(index.channel("news")?.articles.first == "later")
        }
    }

    @Test func `a published template that is not UTF-8 does not delay an article beyond its date`()
        async throws
    {
        try await HubServerFixture.with(.sqlite) { fixture in
            try await fixture.fill()
            let latin = Data("<html>{{title}} ".utf8) + Data([0xE6]) + Data("{{{body}}}</html>".utf8)
            let blob = try await fixture.blobs.put("env", latin)
            try await fixture.content.setAsset("env", "main", path: "templates/article.html", blob)
            let date = fixture.time.now + .seconds(3_600)
            try await fixture.add(
                .article, "later", HubDraft(title: "Later", body: "x", channels: ["news"], publishAt: date))
            try await fixture.publisher.publish("env", "main", by: "test")
            fixture.time.advance(by: .seconds(3_601))
            try await fixture.sourceJobs.runDueJobs()
            let bundle = try await fixture.device().update()
            #expect(bundle.text("articles/later/index.html").contains("Later \u{FFFD}"))
            #expect(bundle.text("articles/a1/index.html").contains("Article 1 \u{FFFD}"))
        }
    }

    @Test func `a policy published just after an article's date does not keep the article back`()
        async throws
    {
        try await HubServerFixture.with(.sqlite) { fixture in
            try await fixture.fill()
            let date = fixture.time.now + .seconds(3_600)
            try await fixture.add(
                .article, "later", HubDraft(title: "Later", body: "x", channels: ["news"], publishAt: date))
            try await fixture.publisher.publish("env", "main", by: "test")
            fixture.time.advance(by: .seconds(3_601))
            try await fixture.publisher.setPolicy(
                "env", "main", HubPolicy(version: 1, recalledArticles: ["a2"]), by: "test")
            let jobs = fixture.sourceJobs
            try await jobs.runDueJobs()
            #expect(try await fixture.device().update().index.article("later") != nil)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `an article that failed on its date is tried again every minute, without signing each time`(
        engine: SQLEngine
    ) async throws {
        try await HubServerFixture.with(engine) { fixture in
            try await fixture.fill()
            // Past half of the timestamp's day, so the renewal and the article are due together.
            let date = fixture.time.now + .seconds(13 * 3_600)
            try await fixture.add(
                .article, "later", HubDraft(title: "Later", body: "x", channels: ["news"], publishAt: date))
            try await fixture.publisher.publish("env", "main", by: "test")
            try await fixture.change(.article, "a1") { $0.image = "assets/gone.svg" }
            let jobs = fixture.sourceJobs
            func signed() async throws -> Int64 {
                try #require(try await fixture.content.source("env", "main")).timestampVersion
            }
            let first = try await signed()
            fixture.time.advance(by: .seconds(13 * 3_600))
            try await jobs.runDueJobs()
            #expect(try await signed() == first + 1)
            fixture.time.advance(by: .seconds(61))
            try await jobs.runDueJobs()
            #expect(try await signed() == first + 1)
            try await fixture.change(.article, "a1") { $0.image = nil }
            fixture.time.advance(by: .seconds(61))
            try await jobs.runDueJobs()
            #expect(try await fixture.device().update().index.article("later")?.publishedAt == date)
        }
    }

    @Test func `articles stand in their order, then the newest first`() async throws {
        try await HubServerFixture.with(.sqlite) { fixture in
            try await fixture.fill(articles: 1)
            for (id, order, age) in [
                ("old", nil, 90), ("new", nil, 10), ("second", 2, 80), ("first", 1, 100),
            ] as [(String, Int?, Int)] {
                try await fixture.add(
                    .article, id,
                    HubDraft(
                        title: id, body: "x", channels: ["news"], order: order,
                        publishAt: fixture.time.now + .seconds(-age)))
            }
            try await fixture.publisher.publish("env", "main", by: "test")
            #expect(
                try await fixture.device().update().index.channel("news")?.articles == [
                    "first", "second", "a1", "new", "old",
                ])
        }
    }

    @Test func `a publisher's template is filled with the article, escaped`() async throws {
        try await HubServerFixture.with(.sqlite) { fixture in
            try await fixture.fill()
            try await fixture.addFile(
                "templates/article.html", "<html><h1 class=mine>{{title}}</h1>{{{body}}}</html>")
            try await fixture.change(.article, "a1") { $0.title = "<b>\"T\"" }
            try await fixture.publisher.publish("env", "main", by: "test")
            let page = try await fixture.device().update().text("articles/a1/index.html")
            #expect(
                page == "<html><h1 class=mine>&lt;b&gt;&quot;T&quot;</h1><p>Text <em>1</em>.</p>\n</html>")
        }
    }

    @Test func `a manifest changes the settings that it names and no others`() async throws {
        try await HubServerFixture.with(.sqlite) { fixture in
            try await fixture.fill()
            var settings = HubSettings(
                allowsScripts: true, appSchemes: ["harbor"], timestampHours: 72, contentDays: 180)
            try await fixture.content.updateSource("env", "main", name: "Main", settings: settings)
            let items = [
                HubManifest.Item(.hub, "home", HubDraft(title: "Home", channels: ["news"])),
                .init(.channel, "news", HubDraft(title: "News")),
                .init(.article, "a", HubDraft(title: "A", body: "[Quay](harbor:quay)", channels: ["news"])),
            ]
            _ = try await fixture.publisher.publish("env", "main", HubManifest(items: items), by: "test")
            #expect(try await fixture.content.source("env", "main")?.settings == settings)
            let text = #"{"settings": {"language": "de"}, "notifications": [], "items": [], "assets": {}}"#
            var manifest = try JSONDecoder().decode(HubManifest.self, from: Data(text.utf8))
            manifest.items = items
            _ = try await fixture.publisher.publish("env", "main", manifest, by: "test")
            settings.language = "de"
            #expect(try await fixture.content.source("env", "main")?.settings == settings)
        }
    }

    @Test func `a manifest with a fault leaves the source as it was`() async throws {
        try await HubServerFixture.with(.sqlite) { fixture in
            try await fixture.fill()
            try await fixture.publisher.publish("env", "main", by: "test")
            let before = try await fixture.content.items("env", "main")
            let manifest = HubManifest(items: [
                .init(.hub, "home", HubDraft(title: "Other", channels: ["gone"])),
                .init(.article, "x", HubDraft(title: "", body: "")),
            ])
            await #expect(throws: HubFaults.self) {
                try await fixture.publisher.publish("env", "main", manifest, by: "test")
            }
            #expect(try await fixture.content.items("env", "main") == before)
            #expect(try await fixture.content.source("env", "main")?.version == 1)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `readers get one whole version each time, even while versions are published`(engine: SQLEngine)
        async throws
    {
        try await HubServerFixture.with(engine) { fixture in
            try await fixture.fill(articles: 15)
            try await fixture.publisher.publish("env", "main", by: "test")
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<2 {
                    group.addTask {
                        var last: Int64 = 0
                        let device = try await fixture.device()
                        while last < 5 {
                            // Every file of the version that the update began with must still be there.
                            let version = try await device.update().index.version
                            #expect(version >= last)
                            last = version
                        }
                    }
                }
                group.addTask {
                    for number in 2...5 {
                        try await fixture.change(.article, "a\(number)") { $0.body = "Round \(number)" }
                        try await fixture.publisher.publish("env", "main", by: "test")
                    }
                }
                try await group.waitForAll()
            }
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `publishers at the same moment make one version after the other`(engine: SQLEngine) async throws {
        try await HubServerFixture.with(engine) { fixture in
            try await fixture.fill(articles: 3)
            try await fixture.publisher.publish("env", "main", by: "test")
            // A publisher conflicts with each of the two others once at most, and tries five times.
            let published = try await withThrowingTaskGroup(of: HubPublication.self) { group in
                for number in 1...3 {
                    group.addTask {
                        try await fixture.change(.article, "a\(number)") { $0.body = "Changed" }
                        return try await fixture.publisher.publish("env", "main", by: "p\(number)")
                    }
                }
                return try await group.reduce(into: [HubPublication]()) { $0.append($1) }
            }
            let new = published.filter(\.isNew).map(\.version).sorted()
            #expect(!new.isEmpty && new == (0..<new.count).map { Int64($0) + 2 })
            let versions = try await fixture.content.versions("env", "main").map(\.version)
            #expect(versions.sorted() == [1] + new)
            let newest = try await fixture.content.versions("env", "main", limit: 1).map(\.version)
            #expect(newest.count == 1 && newest.first == versions.max())
            #expect(try await !fixture.publisher.publish("env", "main", by: "test").isNew)
            let bundle = try await fixture.device().update()
            for number in 1...3 { #expect(bundle.text("articles/a\(number)/index.html").contains("Changed")) }
        }
    }
}
