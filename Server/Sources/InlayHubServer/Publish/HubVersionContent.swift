import Crypto
import Foundation
@_spi(Inlay) import InlayWire

/// The content of the next version, made from the released items, not yet signed.
struct HubVersionContent {
    /// The place of a file's bytes.
    enum File {
        /// Made here.
        case made(Data)
        /// In the blob store.
        case stored(HubBlob)

        var blob: HubBlob {
            switch self {
            case .made(let data): HubBlob(of: data)
            case .stored(let blob): blob
            }
        }
    }

    /// The whole index, before it is cut into parts.
    var index: HubIndex
    /// Every target but the index and the policy.
    var files: [String: File]
    /// The time at which the next scheduled article appears.
    var nextArticleAt: Timestamp?
    /// The parts of texts that are not on their pages, at most ``HubLimits/warnings`` of them.
    var warnings: [HubFaults.Item] = []

    /// Names what readers get, whatever version it is published as.
    var fingerprint: String {
        get throws {
            var index = index
            index.version = 0
            index.publishedAt = Timestamp(microseconds: 0)
            var hash = SHA256()
            hash.update(data: try HubJSON.data(index))
            for (path, file) in files.sorted(by: { $0.key < $1.key }) {
                hash.update(data: Data("\n\(path) \(file.blob.hash)".utf8))
            }
            return HubBlobStore.hex(hash.finalize())
        }
    }

    /// The number of articles in one index; more are cut into parts.
    static let articlesInOne = 24

    /// The index as targets: one, or a small one and parts that each change with few articles.
    func indexFiles(version: Int64, at moment: Timestamp) throws -> [String: Data] {
        var whole = index
        whole.version = version
        whole.publishedAt = moment
        guard whole.articles.elements.count > Self.articlesInOne else {
            return [HubIndex.target: try HubJSON.data(whole)]
        }
        var count = 2
        while count * 6 < whole.articles.elements.count, count < 1024 { count *= 2 }
        var parts: [Int: [HubArticle]] = [:]
        for article in whole.articles.elements {
            parts[Self.bin(article.id, of: count), default: []].append(article)
        }
        var files: [String: Data] = [:]
        for (bin, articles) in parts {
            files["index/\(bin).json"] = try HubJSON.data(HubIndexPart(articles: articles))
        }
        whole.articles = LossyArray([])
        whole.parts = files.keys.sorted()
        files[HubIndex.target] = try HubJSON.data(whole)
        return files
    }

    private static func bin(_ id: String, of count: Int) -> Int {
        let hash = id.utf8.reduce(UInt64(0xcbf2_9ce4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        // Both halves: the last letters of an id, often its number, hardly reach the upper one's low bits.
        return Int((hash ^ (hash >> 32)) % UInt64(count))
    }
}
