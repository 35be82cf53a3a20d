import Foundation
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayTrust
@_spi(Inlay) import InlayWire
import Testing

/// The publisher's repository.
@Suite struct RepositoryTests {
    @Test func `a published version passes the device's verification`() async throws {
        var fixture = try TrustFixture(threshold: 3)
        try fixture.publish(["a": "1", "b/c": "2"])
        try await fixture.repository.check(
            now: .start, contents: ["a": Data("1".utf8), "b/c": Data("2".utf8)])
    }

    @Test func `the check refuses what a device would refuse`() async throws {
        var fixture = try TrustFixture()
        try fixture.publish(["a": "1"])
        let repository = fixture.repository
        #expect(
            await fixture.threat { try await repository.check(now: .start, contents: ["a": Data("2".utf8)]) }
                == .signature)
        #expect(await fixture.threat { try await repository.check(now: .start + .days(7)) } == .freeze)
        // Signed by mistake with the keys of another environment.
        var wrong = repository
        try wrong.publish([], keys: try TrustFixture().keys, now: .start)
        #expect(await fixture.threat { try await wrong.check(now: .start) } == .signature)
        // A rotation that is not signed with the old root's keys.
        var alone = repository
        let next = try TrustFixture().keys
        try alone.rotate(from: next, to: next, now: .start)
        #expect(await fixture.threat { try await alone.check(now: .start) } == .signature)
    }

    @Test func `a repository that is opened from its files continues its versions`() async throws {
        var fixture = try TrustFixture()
        try fixture.publish(["a": "1"])
        try fixture.delegate("news/ü", scope: .patterns(["news/*"]), texts: ["news/1": "n"])
        try fixture.repository.rotate(from: fixture.keys, to: fixture.keys, now: .start)
        var reopened = try TrustRepository(files: fixture.repository.files)
        #expect(reopened.files == fixture.repository.files)
        try reopened.publish(
            [TargetFile(path: "a", contents: Data("22".utf8))], keys: fixture.keys, now: .start)
        try await reopened.check(now: .start)
        #expect(reopened.targets.content.version == fixture.repository.targets.content.version + 1)
        #expect(reopened.delegated["news/ü"] != nil)
    }

    @Test func `files that lack a role cannot be opened`() throws {
        let files = try TrustFixture().repository.files
        for name in files.keys {
            var rest = files
            rest[name] = nil
            #expect(throws: TrustError.self) { try TrustRepository(files: rest) }
        }
    }

    @Test func `every publish counts versions up and nothing else changes`() throws {
        var fixture = try TrustFixture()
        let before = fixture.repository
        try fixture.publish(["a": "1"])
        #expect(fixture.repository.targets.content.version == 2)
        #expect(fixture.repository.snapshot.content.version == 2)
        #expect(fixture.repository.timestamp.content.version == 2)
        #expect(fixture.repository.root.bytes == before.root.bytes)
        try fixture.repository.renew(keys: fixture.keys, now: .start + .days(1))
        #expect(fixture.repository.targets.content.version == 2)
        #expect(fixture.repository.snapshot.content.version == 2)
        #expect(fixture.repository.timestamp.content.version == 3)
    }

    @Test func `readers during a publish never see a mix`() async throws {
        var fixture = try TrustFixture()
        try fixture.publish(["a": "1"])
        let client = try fixture.client()
        try await client.refresh()
        // The publisher writes the files one by one, the timestamp last.
        for text in ["2", "33", "444"] {
            let before = try await client.refresh().targets.content["a"]
            let file = TargetFile(path: "a", contents: Data(text.utf8))
            try fixture.repository.publish([file], keys: fixture.keys, now: .start)
            let files = fixture.repository.files
            for name in files.keys.sorted() where name != "timestamp.json" {
                fixture.server.serve([name: files[name] ?? Data()])
                #expect(try await client.refresh().targets.content["a"] == before)
            }
            fixture.server.serve(["timestamp.json": files["timestamp.json"] ?? Data()])
            #expect(try await client.refresh().targets.content["a"] == file)
        }
    }

    @Test func `a threshold that its keys cannot reach is refused`() throws {
        var keys = try TrustFixture().keys
        let pair = TrustKeyPair.generate()
        keys[.targets] = .init([pair, pair], threshold: 2)
        #expect(throws: TrustError.self) { try TrustRepository(keys: keys, now: .start) }
        keys[.targets] = .init([], threshold: 0)
        #expect(throws: TrustError.self) { try TrustRepository(keys: keys, now: .start) }
    }

    @Test func `a delegated role cannot be published in an older version`() throws {
        var fixture = try TrustFixture()
        try fixture.delegate("news", scope: .patterns(["*"]))
        let old = try #require(fixture.repository.delegated["news"])
        let error = #expect(throws: TrustError.self) {
            try fixture.repository.publish(old, as: "news", keys: fixture.keys, now: .start)
        }
        #expect(error?.threat == .rollback)
    }

    @Test func `a publish with fewer signers than the threshold does not pass the check`() async throws {
        var fixture = try TrustFixture(threshold: 2)
        var alone = fixture.keys
        alone[.targets].signers.removeLast()
        try fixture.repository.publish([], keys: alone, now: .start)
        let repository = fixture.repository
        #expect(await fixture.threat { try await repository.check(now: .start) } == .signature)
    }

    @Test func `each error has a threat and names it in its description`() {
        let threats = Set(TrustError.Threat.allCases)
        #expect(
            threats == [
                .signature, .rollback, .freeze, .mixAndMatch, .fastForward, .endlessData, .slowRetrieval,
                .policy,
                .format, .notFound, .unreachable, .storage, .cancelled,
            ])
        #expect(TrustError(.rollback, "older", file: "a").description == "rollback: a: older")
    }
}
