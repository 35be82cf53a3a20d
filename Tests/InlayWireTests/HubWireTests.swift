import Foundation
@_spi(Inlay) import InlayWire
import Testing

@Suite struct HubWireTests {
    private let index = HubIndex(
        source: "main", version: 7, publishedAt: Timestamp(seconds: 10),
        hubs: [
            HubPage(id: "b", title: "B", tags: ["x"], channels: ["two", "gone", "one"]),
            HubPage(id: "a", title: "A", tags: ["y", "z"]),
        ],
        channels: [
            HubChannel(id: "one", title: "One", tags: ["c"], articles: ["t"]),
            HubChannel(id: "two", title: "Two", articles: ["s", "t"]),
        ],
        articles: [
            HubArticle(
                id: "s", title: "S", tags: ["d"], publishedAt: Timestamp(seconds: 5),
                page: "articles/s/index.html", image: "assets/s.svg", allowsScripts: true,
                files: ["assets/s.svg"], revision: 3),
            HubArticle(
                id: "t", title: "T", publishedAt: Timestamp(seconds: 6), page: "articles/t/index.html"),
        ],
        notifications: [
            HubNotification(
                id: "n", fireAt: Timestamp(seconds: 99), message: "Hello", action: "hub:article/s")
        ])

    @Test func `an index comes back from the wire as it was sent`() throws {
        let read = try JSONDecoder().decode(HubIndex.self, from: JSONEncoder().encode(index))
        #expect(read == index)
    }

    @Test func `hubs, channels and articles keep the publisher's order and their own tags`() throws {
        let read = try JSONDecoder().decode(HubIndex.self, from: JSONEncoder().encode(index))
        #expect(read.hubs.elements.map(\.id) == ["b", "a"])
        let hub = try #require(read.hub("b"))
        #expect(read.channels(of: hub).map(\.id) == ["two", "one"])
        let channel = try #require(read.channel("two"))
        #expect(read.articles(of: channel).map(\.id) == ["s", "t"])
        #expect(hub.tags == ["x"])
        #expect(read.hub("a")?.tags == ["y", "z"])
        #expect(read.channel("one")?.tags == ["c"])
        #expect(read.article("s")?.tags == ["d"])
    }

    @Test func `an index is complete once its parts are joined, and lists all targets`() throws {
        var first = index
        first.articles = LossyArray([])
        first.parts = ["index/0.json", "index/1.json"]
        first.files = ["assets/article.css"]
        let parts = index.articles.elements.map { HubIndexPart(articles: [$0]) }
        #expect(first.targets == ["index/0.json", "index/1.json", "assets/article.css"])
        let whole = first.joined(parts)
        #expect(whole.article("t")?.title == "T")
        #expect(
            whole.targets == [
                "assets/article.css", "articles/s/index.html", "assets/s.svg", "articles/t/index.html",
            ])
    }

    @Test func `an unreadable item is skipped alone`() throws {
        let text = """
            {"version": 1, "more": {"a": 1}, "hubs": [{"id": "h", "title": "H", "new": true}, {"id": 4}],
             "channels": [{"title": "no id"}, {"id": "c", "title": "C", "tags": ["x", 4, "y"]}],
             "articles": [{"id": "a", "title": "A", "page": "p"}, 12, null]}
            """
        let read = try JSONDecoder().decode(HubIndex.self, from: Data(text.utf8))
        #expect(read.hubs.elements.map(\.id) == ["h"])
        #expect(read.hubs.skipped.count == 1)
        #expect(read.channels.elements.map(\.tags) == [["x", "y"]])
        #expect(read.articles.elements.map(\.id) == ["a"])
        #expect(read.articles.skipped.count == 2)
        #expect(read.notifications.elements.isEmpty)
    }

    @Test func `a policy is decoded unchanged, and an unreadable disable or recall is refused`() throws {
        let policy = HubPolicy(
            version: 4, isDisabled: true, disabledReason: "Wrong prices", recalledArticles: ["s"],
            staleness: HubStaleness(action: .block, afterSeconds: 60),
            allowedURLs: ["https://example.org/a?b#c"], allowedDomains: ["example.org"])
        #expect(try JSONDecoder().decode(HubPolicy.self, from: JSONEncoder().encode(policy)) == policy)
        for text in [
            #"{"version": 1, "isDisabled": "yes"}"#, #"{"version": 1, "recalledArticles": [4]}"#, "{}",
        ] {
            #expect(throws: DecodingError.self) {
                try JSONDecoder().decode(HubPolicy.self, from: Data(text.utf8))
            }
        }
    }

    @Test func `unknown values in a policy of a newer server are ignored`() throws {
        let text =
            #"{"version": 2, "staleness": {"action": "dance"}, "allowedURLs": [1, "https://a/"], "x": 1}"#
        let policy = try JSONDecoder().decode(HubPolicy.self, from: Data(text.utf8))
        #expect(policy.staleness == HubStaleness(action: .warn, afterSeconds: 86_400))
        #expect(policy.allowedURLs == ["https://a/"])
    }

    @Test(arguments: [
        ("hub:article/first-ferry", HubReference(.article, "first-ferry")),
        ("hub:hub/a", HubReference(.hub, "a")),
        ("hub:channel/9", HubReference(.channel, "9")),
    ]) func `a reference is read and written`(uri: String, reference: HubReference) {
        #expect(HubReference(uri: uri) == reference)
        #expect(reference.uri == uri)
    }

    @Test(arguments: [
        "", "hub:", "hub:article", "hub:article/", "hub:page/a", "hub:article/a/b", "hub:article/../x",
        "hub:article/A", "hub:article/a b", "https://x/hub:article/a", "hub:article/-a",
    ]) func `text that is no reference is refused`(uri: String) {
        #expect(HubReference(uri: uri) == nil)
    }

    @Test func `paths and topic of a source are the documented ones`() {
        #expect(InlayPath.hubMetadata(environment: "a b", source: "s") == "/v1/hub/a%20b/s/metadata/")
        #expect(InlayPath.hubTargets(environment: "e", source: "s") == "/v1/hub/e/s/targets/")
        #expect(LiveMessage.hubTopic(source: "s") == "hub/s")
    }
}
