import Foundation
@_spi(Inlay) import InlayCore
@_spi(Inlay) import InlayTesting
@_spi(Inlay) @testable import InlayTrust
@_spi(Inlay) import InlayWire
import Testing

/// Responses over the limits: the client reads at most one buffer more than the limit.
@Suite struct EndlessDataTests {
    private static let chunk = 1_000

    @Test(arguments: [
        ("2.root.json", 512_000), ("timestamp.json", 16_384), ("1.snapshot.json", 2_000_000),
        ("1.targets.json", 8_000_000),
    ])
    func `endless metadata is cut off at its limit plus one buffer`(file: String, cap: Int) async throws {
        let fixture = try TrustFixture()
        // A timestamp and a snapshot without lengths, so that only the caps apply.
        let timestamp = try fixture.timestamp(version: 2, snapshot: MetadataEntry(version: 2))
        try fixture.serveSnapshot(version: 2, timestampVersion: 2, ["targets": MetadataEntry(version: 1)])
        fixture.server.serve(["timestamp.json": timestamp.bytes])
        let name = file == "1.snapshot.json" ? "2.snapshot.json" : file
        let before = file.hasSuffix("root.json") ? 0 : 3_000
        fixture.server.answer(name, .endless(chunk: Self.chunk))
        #expect(await fixture.threat { try await fixture.client().refresh() } == .endlessData)
        #expect(fixture.server.sentBytes <= cap + Self.chunk + before)
    }

    @Test func `metadata is read only up to its declared length`() async throws {
        let fixture = try TrustFixture()
        fixture.server.answer("1.snapshot.json", .endless(chunk: Self.chunk))
        #expect(await fixture.threat { try await fixture.client().refresh() } == .endlessData)
        #expect(fixture.server.sentBytes <= 5 * Self.chunk)
    }

    @Test func `an endless file is cut off at its length plus one buffer, and no part of it stays`()
        async throws
    {
        var fixture = try TrustFixture()
        try fixture.publish(["a": "short"])
        let client = try fixture.client()
        let target = try await client.target("a")
        fixture.server.answerTarget(target.publishedPath(consistent: true), .endless(chunk: 65_536))
        let folder = try TemporaryFolder()
        let before = fixture.server.sentBytes
        #expect(
            await fixture.threat {
                try await client.download(target, to: folder.url.appendingPathComponent("a"))
            }
                == .endlessData)
        #expect(fixture.server.sentBytes - before <= 5 + 65_536)
        #expect(folder.names == [])
    }

    @Test func `a file whose length is over the limit is not requested`() async throws {
        var fixture = try TrustFixture()
        var entry = MetadataEntry(version: 7)
        entry.length = 50_000_000
        let timestamp = try fixture.timestamp(version: 2, snapshot: entry)
        fixture.server.serve(["timestamp.json": timestamp.bytes])
        #expect(await fixture.threat { try await fixture.client().refresh() } == .endlessData)
        #expect(fixture.server.requests.last == "timestamp.json")

        fixture = try TrustFixture()
        fixture.limits.targetBytes = 3
        try fixture.publish(["a": "four"])
        let client = try fixture.client()
        let target = try await client.target("a")
        fixture.server.forgetRequests()
        #expect(await fixture.threat { try await client.data(of: target) } == .endlessData)
        #expect(fixture.server.requests.isEmpty)
    }

    @Test func `a chain of roots longer than the limit is refused`() async throws {
        var fixture = try TrustFixture()
        fixture.limits.rootRotations = 3
        for _ in 0..<3 { try fixture.repository.rotate(from: fixture.keys, to: fixture.keys, now: .start) }
        fixture.server.serve(fixture.repository)
        #expect(try await fixture.client().refresh().root.content.version == 4)
        for _ in 0..<4 { try fixture.repository.rotate(from: fixture.keys, to: fixture.keys, now: .start) }
        fixture.server.serve(fixture.repository)
        #expect(await fixture.threat { try await fixture.client().refresh() } == .endlessData)
        #expect(fixture.server.requests.last == "8.root.json")
    }

    @Test func `a search visits a limited number of delegated roles`() async throws {
        var fixture = try TrustFixture()
        fixture.limits.delegations = 3
        for index in 0..<3 { try fixture.delegate("role\(index)", scope: .patterns(["*"])) }
        #expect(await fixture.threat { try await fixture.client().target("missing") } == .notFound)
        try fixture.delegate("role3", scope: .patterns(["*"]))
        #expect(await fixture.threat { try await fixture.client().target("missing") } == .endlessData)
    }

    @Test func `a file with more than 1,024 signatures is refused`() throws {
        let fixture = try TrustFixture()
        let many = (0..<1_025).map { "{\"keyid\":\"\($0)\",\"sig\":\"00\"}" }.joined(separator: ",")
        let text = fixture.repository.timestamp.bytes.utf8Text
        let start = try #require(text.range(of: "["))
        let bytes = Data((text[..<start.upperBound] + many + "," + text[start.upperBound...]).utf8)
        let error = #expect(throws: TrustError.self) { try Signed<TimestampRole>(bytes: bytes) }
        #expect(error?.threat == .endlessData)
    }

    // Fails by the time limit if the work grows with the square of the number.
    @Test(.timeLimit(.minutes(10)))
    func `20,000 roles are read and compared in linear time`() async throws {
        let fixture = try TrustFixture()
        let entry = MetadataEntry(version: 1).json
        let names = ["targets.json"] + (0..<20_000).map { "bin-\($0).json" }
        let json = TrustJSON.members(names.map { .init($0, entry) })
        for version in 2...3 {
            let empty = SnapshotRole(version: version, expires: .start + .days(9)).json
            let members = try empty.members("the snapshot")
            let full = members.filter { $0.name != "meta" } + [.init("meta", json)]
            let snapshot = try Signed(
                SnapshotRole(json: .members(full)), signers: fixture.keys[.snapshot].signers)
            let timestamp = try fixture.timestamp(
                version: version, snapshot: MetadataEntry(version: version, bytes: snapshot.bytes))
            fixture.server.serve([
                "\(version).snapshot.json": snapshot.bytes, "timestamp.json": timestamp.bytes,
            ])
            #expect(try await fixture.client().refresh().snapshot.content.files.count == 20_001)
        }
    }

    @Test func `bytes that a fetcher delivers after a refusal are refused too`() async throws {
        let fixture = try TrustFixture()
        let fetcher = ErrorIgnoringFetcher()
        #expect(
            await fixture.threat { try await fixture.client(mirrors: [fetcher]).refresh() } == .endlessData)
        #expect(fetcher.refusals.withLock { $0 } == 10)
    }
}

/// A fetcher that ignores the errors of `receive` and continues.
private final class ErrorIgnoringFetcher: TrustFetcher {
    let refusals = Locked(0)

    func fetch(_ request: TrustRequest, receive: @escaping @Sendable (Data) throws -> Void) async throws {
        try receive(Data(count: request.maximumBytes))
        for _ in 0..<10 {
            do { try receive(Data(count: 1)) } catch { refusals.withLock { $0 += 1 } }
        }
    }
}
