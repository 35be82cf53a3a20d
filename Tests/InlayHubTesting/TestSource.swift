package import Foundation
@_spi(Inlay) package import InlayWire

/// The content of one version of a test publisher.
package struct TestSource {
    package var index: HubIndex
    package var policy: HubPolicy
    /// All targets except the index and the policy.
    package var files: [String: Data] = [:]

    /// Creates a source with these hubs, without channels and articles.
    package init(version: Int64 = 1, source: String = "harbor", hubs: [HubPage] = [], policy: Int64 = 1) {
        index = HubIndex(
            source: source, version: version, publishedAt: Timestamp(seconds: 1_999_990_000), hubs: hubs)
        self.policy = HubPolicy(version: policy)
    }

    /// Returns two hubs, `sea` and `land`, with three channels and six articles; each page contains its version.
    package static func harbor(_ version: Int64, policy: Int64 = 1) -> TestSource {
        var source = TestSource(
            version: version,
            hubs: [
                HubPage(id: "sea", title: "The Sea", tags: ["sea", "boats"], channels: ["ferries", "fish"]),
                HubPage(id: "land", title: "The Land", tags: ["land", "bikes"], channels: ["paths"]),
            ], policy: policy)
        source.add(
            HubChannel(id: "ferries", title: "Ferries", tags: ["boats"]),
            articles: [
                ("first-ferry", ["boats"]), ("night-ferry", ["boats", "night"]), ("old-ferry", ["old"]),
            ])
        source.add(HubChannel(id: "fish", title: "Fish", tags: ["fish"]), articles: [("herring", ["fish"])])
        source.add(
            HubChannel(id: "paths", title: "Paths", tags: ["bikes"]),
            articles: [("long-path", ["bikes"]), ("short-path", ["walks"])])
        return source
    }

    /// Adds a channel with articles; each article's page contains the version.
    package mutating func add(_ channel: HubChannel, articles: [(id: String, tags: [String])]) {
        var channel = channel
        channel.articles = articles.map(\.id)
        index.channels.elements.append(channel)
        for article in articles {
            let page = "articles/\(article.id)/index.html"
            index.articles.elements.append(
                HubArticle(
                    id: article.id, title: "About \(article.id)", tags: article.tags,
                    publishedAt: Timestamp(seconds: 1_999_000_000), page: page))
            files[page] = Data("<!doctype html><title>\(article.id)</title>v\(index.version)".utf8)
        }
    }

    /// Returns the contents of all targets by path.
    package func targets() throws -> [String: Data] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        var all = files
        all[HubIndex.target] = try encoder.encode(index)
        all[HubPolicy.target] = try encoder.encode(policy)
        return all
    }
}
