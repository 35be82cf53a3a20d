import Foundation
@_spi(Inlay) import InlayCore
@_spi(Inlay) @testable import InlayHub
import InlayHubTesting
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayTrust
@_spi(Inlay) import InlayWire
import Testing

@Suite struct PreloadTests {
    /// Publishes a version, and returns it as preloaded content in both forms: a folder and a file.
    private func bundle(_ fixture: HubFixture, _ version: Int64, in place: TemporaryFolder) throws
        -> [HubConfiguration.Preload]
    {
        try fixture.publisher.publish(.harbor(version))
        let folder = place.url.appendingPathComponent("bundle-\(version)")
        try fixture.publisher.write(to: folder)
        let file = place.url.appendingPathComponent("content-\(version).sqlite3")
        try HubPreloadFile.make(from: folder, at: file)
        return [.folder(folder), .file(file)]
    }

    @Test func `preloaded content is shown at once, while newer content is fetched`() async throws {
        for form in 0..<2 {
            let place = try TemporaryFolder()
            let fixture = try await HubFixture.make()
            let preload = try bundle(fixture, 1, in: place)[form]
            try fixture.publish(.harbor(2))
            let path = fixture.publisher.path(of: "articles/herring/index.html")
            fixture.server.hold(path)
            try fixture.start { $0.preload = preload }
            let shown = try fixture.hub.present()
            let seen = StreamRecorder(shown.states)
            try await shown.shown()
            #expect(shown.content?.version == 1)
            try await fixture.server.untilHeld(path)
            #expect(fixture.hub.state.isDownloading && fixture.hub.state.isReady)
            #expect(!seen.elements.contains { if case .downloading = $0.status { true } else { false } })
            fixture.server.release(path)
            try await fixture.untilVersion(2)
            #expect(shown.content?.version == 1)
        }
    }

    @Test func `without a server preloaded content stays and becomes stale`() async throws {
        let place = try TemporaryFolder()
        let fixture = try await HubFixture.make(
            clock: ManualClock(at: HubFixture.noon + .seconds(30 * 86_400)))
        let preload = try bundle(fixture, 1, in: place)[1]
        try fixture.start { $0.preload = preload }
        try await fixture.until { $0.isReady }
        try await fixture.until { $0.freshness == .stale(since: HubFixture.noon + .seconds(7 * 86_400)) }
        #expect(try fixture.hub.present().page == HubReference(.hub, "sea"))
    }

    @Test func `preloaded content is not replaced by an older version of the server`() async throws {
        let place = try TemporaryFolder()
        let fixture = try await HubFixture.make()
        try fixture.publish(.harbor(1))
        let newer = try bundle(fixture, 2, in: place)[0]
        try fixture.start { $0.preload = newer }
        try await fixture.until { $0.version == 2 }
        await #expect(throws: HubError.self) { try await fixture.hub.update() }
        #expect(fixture.hub.state.version == 2)
    }

    @Test func `newer stored content is kept when an older app starts`() async throws {
        let place = try TemporaryFolder()
        let fixture = try await HubFixture.make()
        let first = try bundle(fixture, 1, in: place)[0]
        try fixture.publish(.harbor(2))
        try fixture.start { $0.preload = first }
        try await fixture.untilVersion(2)
        // The same app again, then an app with a newer preload, then the older app.
        let second = try await fixture.restarted()
        try second.start { $0.preload = first }
        await #expect(throws: HubError.self) { try await second.hub.update() }
        #expect(second.hub.state.version == 2)
        let third = try await second.restarted()
        let newer = try bundle(third, 3, in: place)[1]
        try third.start { $0.preload = newer }
        try await third.until { $0.version == 3 }
        let last = try await third.restarted()
        try last.start { $0.preload = first }
        await #expect(throws: HubError.self) { try await last.hub.update() }
        #expect(last.hub.state.version == 3)
    }

    @Test func `in blocking mode preloaded content is not shown`() async throws {
        let place = try TemporaryFolder()
        let fixture = try await HubFixture.make()
        let preload = try bundle(fixture, 1, in: place)[1]
        try fixture.publish(.harbor(2))
        let path = fixture.publisher.path(of: "articles/herring/index.html")
        fixture.server.hold(path)
        try fixture.start {
            $0.preload = preload
            $0.settings.syncMode = .blocking
        }
        let shown = try fixture.hub.present()
        try await StreamRecorder(shown.states).until {
            if case .downloading = $0.status { true } else { false }
        }
        #expect(shown.content == nil)
        fixture.server.release(path)
        try await shown.shown()
        #expect(shown.content?.version == 2)
    }

    @Test func `an altered, foreign or broken preload is not shown`() async throws {
        let place = try TemporaryFolder()
        let publisher = try await HubFixture.make()
        let folder = try bundle(publisher, 1, in: place)[0]
        guard case .folder(let url) = folder else {
            Issue.record("\(folder) is no folder")
            return
        }
        let page = try #require(publisher.publisher.targets.keys.first { $0.contains("herring") })
        try Data("<!doctype html>other".utf8).write(
            to: url.appendingPathComponent("targets").appendingPathComponent(page))
        let broken = place.url.appendingPathComponent("broken.sqlite3")
        try Data(repeating: 9, count: 5000).write(to: broken)
        let missing = place.url.appendingPathComponent("missing")
        for preload in [folder, .file(broken), .folder(missing), .file(missing)] {
            let fixture = try await HubFixture.make(publisher: publisher.publisher)
            try fixture.start { $0.preload = preload }
            await #expect(throws: HubError.self) { try await fixture.hub.update() }
            #expect(!fixture.hub.state.isReady)
        }
        let stranger = try await HubFixture.make()
        try stranger.start { $0.preload = folder }
        await #expect(throws: HubError.self) { try await stranger.hub.update() }
        #expect(!stranger.hub.state.isReady)
    }
}
