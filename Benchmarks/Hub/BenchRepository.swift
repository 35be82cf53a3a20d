import Foundation
@_spi(Inlay) import InlayTrust
@_spi(Inlay) import InlayWire

/// A signed content version: 20 articles with pages of 50 kB, and files of 5 MB for the rest.
final class BenchRepository {
    private(set) var contents: [Data] = []
    private(set) var pages: [String] = []
    private var targets: [String: Data] = [:]
    private var index: HubIndex
    private var repository: TrustRepository
    private let keys: TrustKeyring
    private let now = Timestamp(seconds: Date().timeIntervalSince1970)

    init(megabytes: Int) throws {
        func role() -> TrustKeyring.Role { .init([TrustKeyPair.generate()]) }
        keys = TrustKeyring(root: role(), targets: role(), snapshot: role(), timestamp: role())
        repository = try TrustRepository(keys: keys, now: now)
        index = HubIndex(
            source: "bench", version: 1, publishedAt: now,
            hubs: [HubPage(id: "hub", title: "Hub", channels: ["all"])])
        var articles: [HubArticle] = []
        for number in 0..<20 {
            let page = "articles/a\(number)/index.html"
            targets[page] = Self.noise(50_000)
            articles.append(HubArticle(id: "a\(number)", title: "Article", publishedAt: now, page: page))
        }
        pages = articles.map(\.page)
        index.articles = LossyArray(articles)
        index.channels = LossyArray([HubChannel(id: "all", title: "All", articles: articles.map(\.id))])
        index.files = (0..<max(1, (megabytes - 1) / 5)).map { "assets/\($0).bin" }
        for file in index.files { targets[file] = Self.noise(5_000_000) }
        contents = Array(targets.values)
        try publish()
    }

    /// The bytes of the first version of the root metadata.
    var root: Data { repository.roots[0].bytes }

    /// All files by their path below `/v1/hub/bench/bench/`.
    var files: [String: Data] {
        var files: [String: Data] = [:]
        for (name, data) in repository.files { files["metadata/" + name] = data }
        for target in repository.targets.content.targets {
            files["targets/" + target.publishedPath(consistent: true)] = targets[target.path]
        }
        return files
    }

    /// Publishes a version with one changed article and returns the number of changed bytes.
    func change() throws -> Int {
        index.version += 1
        targets[pages[0]] = Self.noise(50_000)
        try publish()
        return 50_000
    }

    private func publish() throws {
        targets[HubIndex.target] = try JSONEncoder().encode(index)
        targets[HubPolicy.target] = try JSONEncoder().encode(HubPolicy(version: 1))
        try repository.publish(
            targets.map { TargetFile(path: $0.key, contents: $0.value) }, keys: keys, now: now)
    }

    private static func noise(_ count: Int) -> Data {
        var random = SystemRandomNumberGenerator()
        var data = Data(capacity: count + 8)
        while data.count < count { withUnsafeBytes(of: random.next()) { data.append(contentsOf: $0) } }
        return data.prefix(count)
    }
}
