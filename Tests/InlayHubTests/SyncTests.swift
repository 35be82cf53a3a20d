import Foundation
@_spi(Inlay) import InlayCore
import InlayHubTesting
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayTrust
@_spi(Inlay) import InlayWire
import Testing
@_spi(Inlay) @testable import InlayHub

@Suite struct SyncTests {
    private let sea = HubReference(.hub, "sea")

    private func statuses(_ shown: HubPresentation) -> StreamRecorder<HubPresentation.State> {
        StreamRecorder(shown.states)
    }

    @Test func `the default sync mode is non-blocking, and the app can change it`() async throws {
        #expect(HubSettings.SyncMode.allCases.count == 2 && HubSettings().syncMode == .nonBlocking)
        let fixture = try await HubFixture.ready()
        fixture.hub.settings.syncMode = .blocking
        #expect(fixture.hub.settings.syncMode == .blocking)
        fixture.hub.settings.syncMode = .nonBlocking
        #expect(fixture.hub.settings.syncMode == .nonBlocking)
    }

    @Test func `non-blocking shows stored content at once and keeps it during an update`()
        async throws
    {
        let fixture = try await HubFixture.ready()
        try fixture.publish(.harbor(2))
        let path = fixture.publisher.path(of: "articles/herring/index.html")
        fixture.server.hold(path)
        let update = fixture.session.work.start { try? await fixture.hub.update() }
        try await fixture.server.untilHeld(path)
        let shown = try fixture.hub.present()
        let seen = statuses(shown)
        #expect(shown.page == sea && shown.content?.version == 1)
        fixture.server.release(path)
        _ = await update.value
        try shown.open(HubReference(.article, "herring"))
        #expect(
            String(decoding: try shown.file("articles/herring/index.html"), as: UTF8.self).hasSuffix("v1"))
        try await seen.untilNewest { $0.canGoBack }
        #expect(seen.elements.allSatisfy { if case .content = $0.status { true } else { false } })
        try shown.dismiss()
        #expect(try fixture.hub.present().content?.version == 2)
    }

    @Test func `without content the hub shows the download's progress, then the content`() async throws {
        let fixture = try await HubFixture.make()
        var source = TestSource.harbor(1)
        source.index.files = ["assets/film.mp4"]
        source.files["assets/film.mp4"] = Data(repeating: 7, count: 4 << 20)
        try fixture.publish(source)
        let path = fixture.publisher.path(of: "assets/film.mp4")
        fixture.server.hold(path)
        try fixture.start()
        let shown = try fixture.hub.present()
        #expect(fixture.hub.state.isDisplaying)
        let seen = statuses(shown)
        try await fixture.server.releaseOne(path)
        try await seen.until { if case .downloading(let percent) = $0.status { percent > 20 } else { false } }
        try await fixture.server.releaseOne(path)
        try await seen.until { if case .downloading(let percent) = $0.status { percent > 40 } else { false } }
        fixture.server.release(path)
        try await shown.shown()
        #expect(shown.page == sea)
    }

    @Test func `a hub without content shows the error and can retry`() async throws {
        let fixture = try await HubFixture.make()
        try fixture.start()
        let shown = try fixture.hub.present()
        await #expect(throws: HubError.self) { try await shown.shown() }
        #expect(fixture.hub.state.isDisplaying)
        #expect(shown.state.status.message?.isEmpty == false)
        try fixture.publish(.harbor(1))
        shown.retry()
        try await statuses(shown).until { if case .content = $0.status { true } else { false } }
        #expect(shown.page == sea)
    }

    @Test func `a hub that failed stays failed when the next update fails halfway`() async throws {
        let fixture = try await HubFixture.make()
        try fixture.start()
        let shown = try fixture.hub.present()
        await #expect(throws: HubError.self) { try await shown.shown() }
        var source = TestSource.harbor(1)
        source.index.files = ["assets/film.mp4"]
        source.files["assets/film.mp4"] = Data(repeating: 7, count: 10 << 20)
        try fixture.publish(source)
        let path = fixture.publisher.path(of: "assets/film.mp4")
        fixture.server.hold(path)
        let update = fixture.session.work.start { try? await fixture.hub.update() }
        try await fixture.server.releaseOne(path)
        try await fixture.events.until { if case .progress(let percent) = $0 { percent > 5 } else { false } }
        fixture.server.always(path, .failure(.unreachable("offline")))
        fixture.server.release(path)
        #expect(await update.value == nil)
        await #expect(throws: HubError.self) { try await shown.shown() }
    }

    @Test func `content of a later update replaces the error`() async throws {
        let fixture = try await HubFixture.make()
        try fixture.start()
        let shown = try fixture.hub.present()
        await #expect(throws: HubError.self) { try await shown.shown() }
        try fixture.publish(.harbor(1))
        try await fixture.hub.update()
        #expect(shown.page == sea)
    }

    @Test func `blocking checks for newer content at each presentation`() async throws {
        let fixture = try await HubFixture.make()
        try fixture.publish(.harbor(1))
        try fixture.start { $0.settings.syncMode = .blocking }
        let path = fixture.publisher.metadataPath("timestamp.json")
        for count in 1...3 {
            let shown = try fixture.hub.present()
            try await shown.shown()
            #expect(fixture.server.requests(path).count == count)
            try shown.dismiss()
        }
    }

    @Test func `blocking shows the newer version only, after its download`() async throws {
        let fixture = try await HubFixture.ready()
        fixture.hub.settings.syncMode = .blocking
        try fixture.publish(.harbor(2))
        let path = fixture.publisher.path(of: "articles/short-path/index.html")
        fixture.server.hold(path)
        let shown = try fixture.hub.present()
        let seen = statuses(shown)
        try await seen.until { if case .downloading = $0.status { true } else { false } }
        #expect(shown.content == nil)
        fixture.server.release(path)
        try await shown.shown()
        #expect(shown.content?.version == 2)
    }

    @Test func `blocking shows stored content when nothing is newer or the server is unreachable`()
        async throws
    {
        let fixture = try await HubFixture.ready()
        fixture.hub.settings.syncMode = .blocking
        let path = fixture.publisher.metadataPath("timestamp.json")
        fixture.server.hold(path)
        let shown = try fixture.hub.present()
        let seen = statuses(shown)
        try await fixture.server.untilHeld(path)
        #expect(shown.state.status == .checking)
        fixture.server.release(path)
        try await shown.shown()
        #expect(shown.content?.version == 1)
        #expect(!seen.elements.contains { if case .downloading = $0.status { true } else { false } })
        try shown.dismiss()
        fixture.server.always(path, .failure(.unreachable("offline")))
        let offline = try fixture.hub.present()
        try await offline.shown()
        #expect(offline.content?.version == 1)
    }

    @Test func `the app's status views are requested for each status, with message and progress`()
        async throws
    {
        struct Views: HubStatusViews {
            func checking(message: String?) -> HubStatus.View? {
                HubStatus.View(title: "check \(message ?? "-")")
            }
            func downloading(message: String?, completed: Double) -> HubStatus.View? {
                HubStatus.View(title: message ?? "-", progress: completed)
            }
            func failed(message: String?) -> HubStatus.View? {
                HubStatus.View(title: "fail", message: message)
            }
        }
        let views = Views()
        #expect(views.view(for: .checking)?.title == "check -")
        let half = views.view(for: .downloading(percent: 50))
        #expect(half?.title == "Waiting for new content to be downloaded" && half?.progress == 0.5)
        #expect(views.view(for: .failed(.noContent))?.message == HubError.noContent.readerMessage)
        #expect(views.view(for: .content(sea)) == nil)
        let fixture = try await HubFixture.ready { $0.settings.statusViews = views }
        #expect(fixture.hub.settings.statusViews is Views)
    }
}
