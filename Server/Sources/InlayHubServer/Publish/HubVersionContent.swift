import Crypto
import Foundation
@_spi(Inlay) import InlayWire

/// The content of the next version, compiled from the released items and not yet signed.
struct HubVersionContent {
    /// A file with its bytes, or with their hash in the blob store.
    enum File {
        /// Bytes that were generated for the version.
        case generated(Data)
        /// A file in the blob store.
        case stored(HubBlob)

        var blob: HubBlob {
            switch self {
            case .generated(let data): HubBlob(of: data)
            case .stored(let blob): blob
            }
        }
    }

    /// The whole index, before it is split into parts.
    var index: HubIndex
    /// All targets except the index and the policy, by path.
    var files: [String: File]
    /// The date of the next scheduled article.
    var nextArticleAt: Timestamp?
    /// The warnings about parts of texts that pages do not show: at most ``HubLimits/maximumWarnings``, and then one
    /// with the number of the others.
    var warnings: [HubFaults.Item] = []

    /// A hash of the content without its version and date.
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

    /// The maximum number of articles in an index that is one file. A longer index is split into parts.
    static let maximumArticlesInOne = 24

    /// Returns the index as one file, or as a small one and parts. A changed article changes only its part.
    func indexFiles(version: Int64, at moment: Timestamp) throws -> [String: Data] {
        var whole = index
        whole.version = version
        whole.publishedAt = moment
        guard whole.articles.elements.count > Self.maximumArticlesInOne else {
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
        // Both halves are needed: the last letters of an id, often a number, hardly change the low bits of the upper
        // half.
        return Int((hash ^ (hash >> 32)) % UInt64(count))
    }
}
