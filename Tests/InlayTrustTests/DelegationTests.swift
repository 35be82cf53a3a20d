import Foundation
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
import Testing

@_spi(Inlay) @testable import InlayTrust

/// The roles that may sign a path, and the order in which they are searched.
@Suite struct DelegationTests {
    @Test func `a file of a delegated role is found and verified`() async throws {
        var fixture = try TrustFixture()
        try fixture.delegate("news", scope: .patterns(["news/*"]), texts: ["news/a": "1"])
        let client = try fixture.client()
        let target = try await client.target("news/a")
        #expect(try await client.data(of: target) == Data("1".utf8))
    }

    @Test func `a delegated role cannot sign paths outside its scope`() async throws {
        var fixture = try TrustFixture()
        try fixture.delegate(
            "news", scope: .patterns(["news/*"]), texts: ["sport/a": "1", "news/deep/a": "2"])
        #expect(await fixture.threat { try await fixture.client().target("sport/a") } == .notFound)
        #expect(await fixture.threat { try await fixture.client().target("news/deep/a") } == .notFound)
        #expect(!fixture.server.requests.contains("1.news.json"))
    }

    @Test func `the top-level role's own files come before any delegation`() async throws {
        var fixture = try TrustFixture()
        try fixture.publish(["a": "top"])
        try fixture.delegate("other", scope: .patterns(["*"]), texts: ["a": "delegated"])
        #expect(try await fixture.client().target("a").hashes == FileHashes(of: Data("top".utf8)))
    }

    @Test func `the first delegation that lists a file wins`() async throws {
        var fixture = try TrustFixture()
        try fixture.delegate("first", scope: .patterns(["*"]), texts: ["a": "1"])
        try fixture.delegate("second", scope: .patterns(["*"]), texts: ["a": "2", "b": "2"])
        let client = try fixture.client()
        #expect(try await client.target("a").hashes == FileHashes(of: Data("1".utf8)))
        #expect(try await client.target("b").hashes == FileHashes(of: Data("2".utf8)))
    }

    @Test func `a terminating delegation ends the search for its paths`() async throws {
        var fixture = try TrustFixture()
        try fixture.delegate("first", scope: .patterns(["a*"]), isTerminating: true)
        try fixture.delegate("second", scope: .patterns(["*"]), texts: ["a": "2", "b": "2"])
        let client = try fixture.client()
        #expect(await fixture.threat { try await client.target("a") } == .notFound)
        #expect(!fixture.server.requests.contains("1.second.json"))
        // The delegation ends the search only for paths in its scope.
        #expect(try await client.target("b").length == 1)
    }

    @Test func `paths can be delegated by the prefixes of their hashes`() async throws {
        var fixture = try TrustFixture()
        let digits = (0..<16).map { String($0, radix: 16) }
        for half in [digits.prefix(8), digits.suffix(8)] {
            try fixture.delegate(
                "bin-\(half.first ?? "")", scope: .hashPrefixes(Array(half)), texts: ["a": "1"])
        }
        _ = try await fixture.client().target("a")
        // SHA-256 of "a" begins with ca.
        #expect(fixture.server.requests.contains("1.bin-8.json"))
        #expect(!fixture.server.requests.contains("1.bin-0.json"))
    }

    @Test func `a stored role is verified against each delegator on every search`() async throws {
        // Two channels delegate to a role of one name, but to different keys.
        var fixture = try TrustFixture()
        let (genuine, foreign) = (TrustKeyPair.generate(), TrustKeyPair.generate())
        let files = ["a/x", "b/x"].map { TargetFile(path: $0, contents: Data($0.utf8)) }
        for (channel, signer) in [("a", genuine), ("b", foreign)] {
            let key = TrustKeyPair.generate()
            var inner = Delegations()
            inner.set(
                DelegatedRole("shared", keys: [signer.key], scope: .patterns(["\(channel)/*"])),
                keys: [signer.key])
            var outer = fixture.repository.targets.content.delegations ?? Delegations()
            outer.set(
                DelegatedRole(channel, keys: [key.key], scope: .patterns(["\(channel)/*"])), keys: [key.key])
            try fixture.repository.publish([], delegations: outer, keys: fixture.keys, now: .start)
            try fixture.repository.publish(
                Signed(TargetsRole(expires: .start + .days(9), delegations: inner), signers: [key]),
                as: channel,
                keys: fixture.keys, now: .start)
        }
        try fixture.repository.publish(
            Signed(TargetsRole(expires: .start + .days(9), targets: files), signers: [genuine]), as: "shared",
            keys: fixture.keys, now: .start)
        fixture.server.serve(fixture.repository)
        let client = try fixture.client()
        #expect(try await client.target("a/x") == files[0])
        #expect(await fixture.threat { try await client.target("b/x") } == .signature)
        // Without the network, from the stored metadata.
        let offline = try fixture.client(mirrors: [])
        _ = try await offline.stored()
        #expect(try await offline.target("a/x") == files[0])
        #expect(await fixture.threat { try await offline.target("b/x") } == .notFound)
    }

    @Test func `stored metadata of a role with a removed key is refused`() async throws {
        var fixture = try TrustFixture()
        try fixture.delegate("news", scope: .patterns(["*"]), texts: ["a": "1"])
        _ = try await fixture.client().target("a")
        // The role now has another key, but its metadata is still signed with the old one.
        let key = TrustKeyPair.generate().key
        var delegations = Delegations()
        delegations.set(DelegatedRole("news", keys: [key], scope: .patterns(["*"])), keys: [key])
        try fixture.repository.publish([], delegations: delegations, keys: fixture.keys, now: .start)
        fixture.server.serve(fixture.repository)
        #expect(await fixture.threat { try await fixture.client().target("a") } == .signature)
    }

    @Test func `an expired delegated role is not used`() async throws {
        var fixture = try TrustFixture()
        try fixture.delegate("news", scope: .patterns(["*"]), texts: ["a": "1"])
        _ = try await fixture.client().target("a")
        fixture.clock.set(to: .start + .days(100))
        let targets = fixture.repository.targets.content
        try fixture.repository.publish(
            targets.targets, delegations: targets.delegations, keys: fixture.keys, now: fixture.clock.now())
        fixture.server.serve(fixture.repository)
        #expect(await fixture.threat { try await fixture.client().target("a") } == .freeze)
    }

    @Test func `a search through circular delegations ends`() async throws {
        var fixture = try TrustFixture()
        let (a, b) = (TrustKeyPair.generate(), TrustKeyPair.generate())
        func delegating(to name: String, _ key: TrustKeyPair) -> Delegations {
            var delegations = Delegations()
            delegations.set(DelegatedRole(name, keys: [key.key], scope: .patterns(["*"])), keys: [key.key])
            return delegations
        }
        try fixture.repository.publish(
            [], delegations: delegating(to: "a", a), keys: fixture.keys, now: .start)
        for (name, signer, next) in [("a", a, delegating(to: "b", b)), ("b", b, delegating(to: "a", a))] {
            try fixture.repository.publish(
                Signed(TargetsRole(expires: .start + .days(9), delegations: next), signers: [signer]),
                as: name,
                keys: fixture.keys, now: .start)
        }
        fixture.server.serve(fixture.repository)
        #expect(await fixture.threat { try await fixture.client().target("x") } == .notFound)
        #expect(fixture.server.requests.suffix(2) == ["1.a.json", "1.b.json"])
    }

    @Test(arguments: [
        "?", "#", "/news", "../../news", "a b", "ü", ".", "..", String(repeating: "x", count: 400),
    ])
    func `a role name with any characters is stored in the metadata folder`(name: String) async throws {
        var fixture = try TrustFixture()
        try fixture.delegate(name, scope: .patterns(["*"]), texts: ["a": "1"])
        let folder = try TemporaryFolder()
        let store = FolderMetadataStore(folder: folder.url.appendingPathComponent("metadata"))
        let client = try TrustClient(
            anchor: fixture.repository.root.bytes, store: store, mirrors: [fixture.server],
            clock: fixture.clock)
        #expect(try await client.target("a").length == 1)
        #expect(fixture.server.requests.last == "1.\(PercentEncoding.encode(name)).json")
        #expect(folder.names == ["metadata"])
        #expect(try FileManager.default.contentsOfDirectory(atPath: store.folder.path).count == 5)
        #expect(try store.read(.role(name)) == fixture.repository.delegated[name]?.bytes)
    }

    @Test(arguments: ["root", "timestamp", "snapshot", "targets", ""])
    func `no delegated role may take a top-level role's name`(name: String) throws {
        let json = TrustJSON.members([
            .init("name", .string(name)), .init("keyids", .array([])), .init("threshold", .integer(1)),
            .init("terminating", .bool(false)), .init("paths", .array([])),
        ])
        #expect(throws: TrustError.self) { try DelegatedRole(json: json) }
    }

    @Test(arguments: [
        ("*", "a", true), ("*", "a/b", false), ("*/*", "a/b", true), ("a?c", "abc", true),
        ("a?c", "a/c", false),
        ("*.html", "index.html", true), ("*.html", "index.html5", false), ("", "", true), ("", "a", false),
        ("a*b*c", "aXXbYYc", true), ("a*b*c", "aXXcYYb", false), ("**", "a", true), ("[ab]", "a", false),
        ("*a*a*a*a*b", String(repeating: "a", count: 2_000), false), ("e\u{301}", "\u{e9}", false),
    ])
    func `patterns match component by component`(pattern: String, path: String, isMatch: Bool) {
        #expect(PathPattern(pattern).matches(path) == isMatch)
    }
}
