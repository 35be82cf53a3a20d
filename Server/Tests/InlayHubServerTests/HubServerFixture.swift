import Crypto
import Foundation
import InlaySQL
import InlaySQLTesting
@_spi(Inlay) import InlayTrust
@_spi(Inlay) import InlayWire
import Logging
import Metrics
import NIOConcurrencyHelpers
import Testing

@testable import InlayHubServer
@testable import InlayServerCore
@testable import InlayServerTesting

/// The Hub feature of a server on an empty database, with a clock that stands still until a test moves it.
struct HubServerFixture: Sendable {
    let database: any SQLDatabase
    let time: TestClock
    let content: HubContentStore
    let blobs: HubBlobStore
    let keys: HubKeyStore
    let publisher: HubPublisher
    let repository: HubRepository
    let published: PublishedTopics

    /// Runs the body on a new database of the engine.
    static func with<R>(_ engine: SQLEngine, _ body: (HubServerFixture) async throws -> R) async throws -> R {
        try await TestDatabase.with(
            engine, migrations: JobsSchema.migrations + AccountsSchema.migrations + HubSchema.migrations
        ) {
            try await body(HubServerFixture($0))
        }
    }

    init(_ database: any SQLDatabase, time: TestClock = TestClock(CardsServerFixture.start)) {
        let now: @Sendable () -> Timestamp = { time.now }
        let changes = PublishedTopics()
        self.database = database
        self.time = time
        self.published = changes
        content = HubContentStore(database: database, now: now)
        blobs = HubBlobStore(database: database, now: now)
        keys = HubKeyStore(
            database: database, box: SecretBox(secret: SymmetricKey(size: .bits256)), now: now)
        publisher = HubPublisher(
            database: database, content: content, blobs: blobs, keys: keys, now: now
        ) { changes.add("\($0)/\($1)", $2) }
        repository = HubRepository(database: database, blobs: blobs)
    }

    /// The jobs that renew and publish the sources that are due.
    var sourceJobs: HubSourceJobs {
        HubSourceJobs(database: database, publisher: publisher, now: { time.now }, logger: .quiet)
    }

    /// Makes a source with one hub, one channel and some articles, all released.
    func fill(_ sourceID: HubSourceID = "main", in environment: EnvironmentID = "env", articles: Int = 2)
        async throws
    {
        try await content.createSource(environment, id: sourceID, name: "Main")
        try await add(
            .hub, "home", HubDraft(title: "Home", channels: ["news"]), to: sourceID, in: environment)
        try await add(.channel, "news", HubDraft(title: "News"), to: sourceID, in: environment)
        for number in 1...articles {
            try await add(
                .article, "a\(number)",
                HubDraft(title: "Article \(number)", body: "Text *\(number)*.", channels: ["news"]),
                to: sourceID,
                in: environment)
        }
    }

    func add(
        _ kind: HubKind, _ id: String, _ draft: HubDraft, to sourceID: HubSourceID = "main",
        in environment: EnvironmentID = "env"
    ) async throws {
        try await content.create(environment, sourceID, kind, id: id, draft)
        try await content.release(environment, sourceID, kind, id)
    }

    /// Saves a changed draft and releases it.
    func change(_ kind: HubKind, _ id: String, _ edit: (inout HubDraft) -> Void) async throws {
        let item = try #require(try await content.item("env", "main", kind, id))
        var draft = item.draft
        edit(&draft)
        try await content.save("env", "main", kind, id, draft, over: item.revision)
        try await content.release("env", "main", kind, id)
    }

    /// Stores a file as an asset of the source.
    func addFile(_ path: String, _ text: String, to sourceID: HubSourceID = "main") async throws {
        let blob = try await blobs.put("env", Data(text.utf8))
        try await content.setAsset("env", sourceID, path: path, blob)
    }

    /// Returns a new device that trusts the first root of the source.
    func device(_ sourceID: HubSourceID = "main", in environment: EnvironmentID = "env") async throws
        -> HubDevice
    {
        let root = try #require(try await repository.metadata(environment, sourceID, "1.root.json"))
        return try HubDevice(self, environment, sourceID, root: root)
    }
}

/// A device that refreshes the metadata, reads the index, and fetches and verifies every file.
struct HubDevice {
    let client: TrustClient
    let fetcher: HubFetcher

    init(_ fixture: HubServerFixture, _ environment: EnvironmentID, _ sourceID: HubSourceID, root: Data)
        throws
    {
        fetcher = HubFetcher(fixture: fixture, environmentID: environment, sourceID: sourceID)
        let time = fixture.time
        client = try TrustClient(
            anchor: root, store: MemoryMetadataStore(), mirrors: [fetcher], clock: HubTestClock { time.now })
    }

    /// Refreshes, and returns the index and the bytes of every target, all verified.
    @discardableResult
    func update() async throws -> HubBundle {
        _ = try await client.refresh()
        return try await bundle()
    }

    /// Returns the same as ``update()``, without a refresh.
    func bundle() async throws -> HubBundle {
        var index = try JSONDecoder().decode(HubIndex.self, from: try await file(HubIndex.target))
        var parts: [HubIndexPart] = []
        for part in index.parts {
            parts.append(try JSONDecoder().decode(HubIndexPart.self, from: try await file(part)))
        }
        index = index.joined(parts)
        var files: [String: Data] = [:]
        for path in index.targets { files[path] = try await file(path) }
        let policy = try JSONDecoder().decode(HubPolicy.self, from: try await file(HubPolicy.target))
        return HubBundle(index: index, policy: policy, files: files)
    }

    /// Returns the verified bytes of a target. Like devices, it fetches the bytes of a hash only once.
    private func file(_ path: String) async throws -> Data {
        let target = try await client.target(path)
        let hash = target.hashes.values["sha256"] ?? ""
        if let kept = fetcher.kept(hash) { return kept }
        let data = try await client.data(of: target)
        try target.verify(data)
        fetcher.keep(hash, data)
        return data
    }
}

struct HubBundle {
    let index: HubIndex
    let policy: HubPolicy
    let files: [String: Data]

    func text(_ path: String) -> String { String(decoding: files[path] ?? Data(), as: UTF8.self) }
}

/// A fetcher that reads from the server's repository and counts the transferred bytes.
final class HubFetcher: TrustFetcher {
    private let fixture: HubServerFixture
    private let environmentID: EnvironmentID
    private let sourceID: HubSourceID
    private let state = NIOLockedValueBox((transfers: [(path: String, bytes: Int)](), kept: [String: Data]()))

    init(fixture: HubServerFixture, environmentID: EnvironmentID, sourceID: HubSourceID) {
        self.fixture = fixture
        self.environmentID = environmentID
        self.sourceID = sourceID
    }

    /// The transfers since the last reset.
    var transfers: [(path: String, bytes: Int)] { state.withLockedValue { $0.transfers } }
    var bytes: Int { transfers.reduce(0) { $0 + $1.bytes } }
    func reset() { state.withLockedValue { $0.transfers = [] } }
    func kept(_ hash: String) -> Data? { state.withLockedValue { $0.kept[hash] } }
    func keep(_ hash: String, _ data: Data) { state.withLockedValue { $0.kept[hash] = data } }

    func fetch(_ request: TrustRequest, receive: @escaping @Sendable (Data) throws -> Void) async throws {
        let data: Data?
        switch request.tree {
        case .metadata: data = try await fixture.repository.metadata(environmentID, sourceID, request.urlPath)
        case .targets:
            let found = try await fixture.repository.file(environmentID, sourceID, request.urlPath)
            data =
                try await found?.blob.hash.asyncMap { try await fixture.blobs.data(environmentID, $0) } ?? nil
        }
        guard let data else { throw TrustFetchError.notFound }
        state.withLockedValue { $0.transfers.append((request.urlPath, data.count)) }
        try receive(data)
    }
}

extension String {
    fileprivate func asyncMap<R>(_ body: (String) async throws -> R) async rethrows -> R {
        try await body(self)
    }
}

struct HubTestClock: TrustClock {
    let moment: @Sendable () -> Timestamp

    init(_ moment: @escaping @Sendable () -> Timestamp) { self.moment = moment }

    func now() -> Timestamp { moment() }
    // Only the time limit of a download waits, and it is cancelled once the bytes have arrived.
    func sleep(for duration: Duration) async throws { try await SystemTrustClock().sleep(for: duration) }
}

/// The changes that sockets would have received.
final class PublishedTopics: Sendable {
    private let changes = NIOLockedValueBox<[(String, Int64)]>([])

    var all: [(topic: String, version: Int64)] { changes.withLockedValue { $0 } }
    func add(_ topic: String, _ version: Int64) { changes.withLockedValue { $0.append((topic, version)) } }
}
