import Foundation
@_spi(Inlay) @testable import InlayCore
@_spi(Inlay) @testable import InlayHub
import InlayHubTesting
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayTrust
@_spi(Inlay) import InlayWire
import Testing

/// Attacks by a server and damage on disk: content that was verified before is still served.
@Suite struct HostileContentTests {
    private func threat(_ body: () async throws -> Void) async -> TrustError.Threat? {
        do { try await body() } catch {
            guard let refusal = (error as? HubError)?.trustError else { return nil }
            return refusal.threat
        }
        return nil
    }

    private func expectVersion1(_ fixture: HubFixture) throws {
        #expect(fixture.hub.state.isReady && fixture.hub.state.version == 1)
        let page = try fixture.hub.content.file("articles/herring/index.html")
        #expect(String(decoding: page, as: UTF8.self).hasSuffix("v1"))
        let shown = try fixture.hub.present()
        #expect(shown.page == HubReference(.hub, "sea"))
        try shown.dismiss()
    }

    @Test func `a file with one flipped bit is refused as a whole version, and the old one stays`()
        async throws
    {
        let fixture = try await HubFixture.ready()
        try fixture.publish(.harbor(2))
        let path = fixture.publisher.path(of: "articles/herring/index.html")
        var bytes = try #require(fixture.publisher.targets.first { path.hasSuffix($0.key) }?.value)
        bytes[bytes.startIndex + 5] ^= 1
        fixture.server.always(path, .file(bytes))
        #expect(await threat { try await fixture.hub.update() } == .signature)
        try expectVersion1(fixture)
    }

    @Test func `metadata that is rolled back is refused`() async throws {
        let fixture = try await HubFixture.ready()
        let old = fixture.publisher.metadata
        try fixture.publish(.harbor(2))
        try await fixture.hub.update()
        for (name, data) in old { fixture.server.always(fixture.publisher.metadataPath(name), .file(data)) }
        #expect(await threat { try await fixture.hub.update() } == .rollback)
        #expect(fixture.hub.state.version == 2)
    }

    @Test func `expired metadata is refused as a freeze`() async throws {
        let fixture = try await HubFixture.ready()
        fixture.clock.set(to: HubFixture.noon + .seconds(8 * 86_400))
        #expect(await threat { try await fixture.hub.update() } == .freeze)
        try expectVersion1(fixture)
        guard case .stale = fixture.hub.state.freshness else {
            Issue.record("old content must say that it is old")
            return
        }
    }

    @Test func `metadata put together from two versions is refused`() async throws {
        let fixture = try await HubFixture.ready()
        let old = try #require(
            fixture.publisher.metadata.first { $0.key.hasSuffix("2.snapshot.json") }?.value)
        try fixture.publish(.harbor(2))
        fixture.server.always(fixture.publisher.metadataPath("3.snapshot.json"), .file(old))
        #expect(await threat { try await fixture.hub.update() } == .mixAndMatch)
        try expectVersion1(fixture)
    }

    @Test func `metadata and files without an end are cut off`() async throws {
        let fixture = try await HubFixture.ready()
        try fixture.publish(.harbor(2))
        fixture.server.next(fixture.publisher.metadataPath("timestamp.json"), .file(Data(count: 1 << 20)))
        #expect(await threat { try await fixture.hub.update() } == .endlessData)
        let path = fixture.publisher.path(of: "articles/herring/index.html")
        fixture.server.always(path, .file(Data(count: 1 << 20)))
        #expect(await threat { try await fixture.hub.update() } == .endlessData)
        fixture.server.always(path, .failure(.tooLarge))
        #expect(await threat { try await fixture.hub.update() } == .endlessData)
        try expectVersion1(fixture)
    }

    @Test func `what another app's key signed is refused`() async throws {
        let fixture = try await HubFixture.ready()
        let other = try TestPublisher()
        try other.publish(.harbor(7))
        other.serve(on: fixture.server)
        #expect(await threat { try await fixture.hub.update() } == .signature)
        try expectVersion1(fixture)
    }

    @Test func `without valid content from the server the hub is never ready`() async throws {
        let fixture = try await HubFixture.make()
        try fixture.start()
        await #expect(throws: HubError.self) { try await fixture.hub.update() }
        #expect(!fixture.hub.state.isReady)
        let refused = try await HubFixture.make()
        let other = try TestPublisher()
        try other.publish(.harbor(1))
        other.serve(on: refused.server)
        try refused.start()
        await #expect(throws: HubError.self) { try await refused.hub.update() }
        #expect(!refused.hub.state.isReady)
    }

    @Test func `an update from a server that never responds fails after 15 seconds`() async throws {
        let fixture = try await HubFixture.ready()
        fixture.server.hold(fixture.publisher.metadataPath("timestamp.json"))
        let update = fixture.session.work.start { await threat { try await fixture.hub.update() } }
        try await fixture.server.untilHeld(fixture.publisher.metadataPath("timestamp.json"))
        #expect(fixture.hub.state.isDownloading)
        try await fixture.clock.untilSleeping(for: .seconds(15))
        fixture.clock.advance(by: .seconds(15))
        #expect(await update.value == .slowRetrieval)
        #expect(!fixture.hub.state.isDownloading)
        try expectVersion1(fixture)
    }

    @Test func `keys may be rotated, and content of the new keys is taken`() async throws {
        let fixture = try await HubFixture.ready()
        try fixture.publisher.rotate()
        try fixture.publish(.harbor(2))
        try await fixture.hub.update()
        #expect(fixture.hub.state.version == 2)
        let again = try await fixture.restarted()
        fixture.publisher.serve(on: again.server)
        try again.start()
        try await again.hub.update()
        #expect(again.hub.state.version == 2)
    }

    @Test func `a file with a flipped bit on disk is refused alone and fetched again`() async throws {
        let fixture = try await HubFixture.ready()
        let location = try fixture.location(of: "articles/herring/index.html")
        var bytes = try Data(contentsOf: location)
        bytes[bytes.startIndex] ^= 1
        try bytes.write(to: location)
        #expect(throws: HubError.damagedFile("articles/herring/index.html")) {
            try fixture.hub.content.file("articles/herring/index.html")
        }
        #expect(try fixture.hub.content.file("articles/long-path/index.html").isEmpty == false)
        try await eventually { (try? fixture.hub.content.file("articles/herring/index.html")) != nil }
    }

    @Test func `a file that is missing, a link or of another length is refused too`() async throws {
        let fixture = try await HubFixture.ready()
        fixture.server.always(
            fixture.publisher.metadataPath("timestamp.json"), .failure(.unreachable("offline")))
        let location = try fixture.location(of: "articles/herring/index.html")
        let right = try Data(contentsOf: location)
        try FileManager.default.removeItem(at: location)
        let elsewhere = fixture.folder.url.appendingPathComponent("elsewhere")
        try right.write(to: elsewhere)
        try FileManager.default.createSymbolicLink(at: location, withDestinationURL: elsewhere)
        #expect(throws: HubError.self) { try fixture.hub.content.file("articles/herring/index.html") }
        #expect((try? FileManager.default.destinationOfSymbolicLink(atPath: location.path)) == nil)
        try (right + [0]).write(to: location)
        #expect(throws: HubError.self) { try fixture.hub.content.file("articles/herring/index.html") }
        #expect(throws: HubError.self) { try fixture.hub.content.file("articles/herring/index.html") }
        #expect(throws: HubError.unknownFile("../x")) { try fixture.hub.content.file("../x") }
    }

    @Test func `a file that cannot be opened for a time is kept`() async throws {
        // The limit holds for the whole process.
        await #expect(processExitsWith: .success) {
            #if os(Linux)
                let openFiles = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
            #else
                let openFiles = RLIMIT_NOFILE
            #endif
            let folder = try TemporaryFolder()
            let data = Data("herring".utf8)
            let file = HubFile(length: data.count, sha256: FileHash.hex(data))
            let blobs = try HubBlobs(folder.url)
            try blobs.add(data, as: file)
            var limit = rlimit()
            getrlimit(openFiles, &limit)
            var none = limit
            none.rlim_cur = 0
            setrlimit(openFiles, &none)
            let unopened = blobs.verified(file)
            setrlimit(openFiles, &limit)
            #expect(unopened == nil && blobs.verified(file) == data)
        }
    }

    @Test func `a pointer, list or index that is damaged on disk is not used and is fetched again`()
        async throws
    {
        for name in ["current", "versions", "index"] {
            let fixture = try await HubFixture.ready()
            let index = try fixture.location(of: HubIndex.target)
            let again = try await fixture.restarted()
            let location =
                switch name {
                case "current": fixture.store.appendingPathComponent("current")
                case "versions":
                    try #require(
                        FileManager.default.contentsOfDirectory(
                            at: fixture.store.appendingPathComponent("versions"),
                            includingPropertiesForKeys: nil
                        ).first)
                default: index
                }
            var bytes = try Data(contentsOf: location)
            bytes[bytes.startIndex + bytes.count / 2] ^= 1
            try bytes.write(to: location)
            fixture.publisher.serve(on: again.server)
            try again.start()
            #expect(!again.hub.state.isReady || again.hub.state.version == 1)
            try await again.untilVersion(1)
            #expect(try again.hub.content.file("articles/herring/index.html").isEmpty == false)
        }
    }

    @Test func `an app with a public key alone finds the first root that the key signed`() async throws {
        for kind in TrustKeyPair.Kind.allCases {
            let publisher = try TestPublisher(kind)
            let fixture = try await HubFixture.make(publisher: publisher)
            try fixture.publish(.harbor(1))
            let der = try #require(publisher.rootDER(kind))
            try fixture.start { $0.trust = .publicKey(der: der) }
            try await fixture.untilVersion(1)
            // The root is stored now and is not fetched again.
            let again = try await fixture.restarted()
            publisher.serve(on: again.server)
            try again.start { $0.trust = .publicKey(der: der) }
            try await again.hub.update()
            #expect(!again.contentRequests.contains(publisher.metadataPath("1.root.json")))
        }
    }

    @Test func `an app with another or an invalid public key accepts no content`() async throws {
        let stranger = try #require(try TestPublisher().rootDER(.ed25519))
        for der in [stranger, Data(), Data("no key".utf8), stranger.dropLast()] {
            let fixture = try await HubFixture.make()
            try fixture.publish(.harbor(1))
            try fixture.start { $0.trust = .publicKey(der: der) }
            await #expect(throws: HubError.self) { try await fixture.hub.update() }
            #expect(!fixture.hub.state.isReady)
        }
    }
}
