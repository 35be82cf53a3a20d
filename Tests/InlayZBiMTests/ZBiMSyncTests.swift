import Foundation
@_spi(Inlay) import InlayCore
@_spi(Inlay) import InlayHub
import InlayHubTesting
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
import Testing

@testable import InlayZBiM

extension ZBiMTests {
    /// Tests of the two sync modes: when content is fetched and which version is shown.
    @Suite @MainActor struct Syncing {
        private static let video = "assets/film.mp4"

        /// A version with a file of 4 MiB, whose download can be stopped in the middle.
        private func sourceWithVideo(_ version: Int64) -> TestSource {
            var source = TestSource.harbor(version)
            source.index.files = [Self.video]
            source.files[Self.video] = Data(repeating: UInt8(version), count: 4 << 20)
            return source
        }

        /// The content version that the presented hub shows: each article's text ends with its version, such as "v1".
        private func versionText(_ fixture: ZBiMFixture) throws -> String? {
            let page = try fixture.presentation?.file("articles/herring/index.html")
            return page.map { String(decoding: $0.suffix(2), as: UTF8.self) }
        }

        private func isContent(_ fixture: ZBiMFixture) -> Bool {
            if case .content? = fixture.presentation?.state.status { true } else { false }
        }

        /// The content versions in the metrics of viewed pages, in the order of the views.
        private func shownVersions(_ fixture: ZBiMFixture) async throws -> [Int64?] {
            try await fixture.metrics().filter { $0.name == "hub-content-viewed" }.map {
                if case .integer(let version)? = $0.properties["version"] { version } else { nil }
            }
        }

        @Test func `non-blocking fetches at the start and at intervals although no hub is presented`()
            async throws
        {
            let fixture = try ZBiMFixture()
            #expect(ZBiM.syncMode() == ZBiMSyncModeNonBlocking)
            try await fixture.ready()
            try fixture.publish(.harbor(2))
            try await fixture.clock.untilSleeping(for: .seconds(900))
            fixture.clock.advance(by: .seconds(900))
            try await eventually { ZBiMRuntime.shared.session?.hub.state.version == 2 }
            #expect(fixture.posts.named(.ZBiMDisplayingContentHubStateChanged).isEmpty)
        }

        @Test
        func
            `non-blocking shows the stored version during an update and the newer one at the next presentation`()
            async throws
        {
            let fixture = try ZBiMFixture()
            try await fixture.ready()
            let views = StatusViewRecorder()
            ZBiM.setStatusUIDelegate(views)
            try fixture.publish(sourceWithVideo(2))
            let path = fixture.publisher.path(of: Self.video)
            fixture.server.hold(path)
            ZBiM.refreshContentSource()
            try await fixture.server.releaseOne(path)
            try await fixture.server.untilHeld(path)
            let hub = try await fixture.presented()
            try await eventually { ZBiM.isDownloadingContent() }
            #expect(isContent(fixture))
            #expect(try versionText(fixture) == "v1")
            // The next piece of the download arrives while the hub is on screen.
            try await fixture.server.releaseOne(path)
            try await fixture.server.untilHeld(path)
            #expect(isContent(fixture))
            fixture.server.release(path)
            try await eventually {
                ZBiMRuntime.shared.session?.hub.state.version == 2 && !ZBiM.isDownloadingContent()
            }
            try fixture.presentation?.open(HubReference(.article, "herring"))
            #expect(try fixture.page == "hub:article/herring" && versionText(fixture) == "v1")
            try hub.dismiss()
            let again = try await fixture.presented()
            #expect(try versionText(fixture) == "v2")
            try again.dismiss()
            #expect(views.requested.isEmpty)
        }

        @Test func `non-blocking without stored content shows the download and then its page`() async throws {
            let fixture = try ZBiMFixture()
            let views = StatusViewRecorder()
            ZBiM.setStatusUIDelegate(views)
            try fixture.publish(sourceWithVideo(1))
            let path = fixture.publisher.path(of: Self.video)
            fixture.server.hold(path)
            ZBiM.start()
            _ = await ZBiMRuntime.shared.opened()
            let hub = ZBiM.presentHub(withParentView: UIView(), parentViewController: nil, completion: nil)
            try await fixture.server.releaseOne(path)
            try await fixture.server.untilHeld(path)
            try await eventually { views.requested.last == "downloading" }
            #expect(fixture.page == nil)
            fixture.server.release(path)
            try await eventually { fixture.page == "hub:hub/sea" }
            try hub.dismiss()
        }

        @Test func `blocking requests metadata at each presentation and at no other time`() async throws {
            let fixture = try ZBiMFixture()
            try fixture.publish(.harbor(1))
            ZBiM.setSyncMode(ZBiMSyncModeBlocking)
            ZBiM.start()
            let timestamp = fixture.publisher.metadataPath("timestamp.json")
            for count in 1...3 {
                let hub = try await fixture.presented()
                #expect(fixture.server.requests(timestamp).count == count)
                try hub.dismiss()
            }
        }

        @Test
        func
            `blocking shows the download of a newer version and then that version, but never the stored one`()
            async throws
        {
            let fixture = try ZBiMFixture()
            try await fixture.ready()
            let views = StatusViewRecorder()
            ZBiM.setStatusUIDelegate(views)
            ZBiM.setSyncMode(.blocking)
            try fixture.publish(sourceWithVideo(2))
            let path = fixture.publisher.path(of: Self.video)
            fixture.server.hold(path)
            let ended = Locked(false)
            let hub = ZBiM.presentHub(withParentView: UIView(), parentViewController: nil) { success, _ in
                ended.withLock { $0 = success }
            }
            for _ in 0..<3 {
                try await fixture.server.releaseOne(path)
                try await fixture.server.untilHeld(path)
                try await eventually { views.requested.last == "downloading" }
                #expect(fixture.presentation?.content == nil && !ended.withLock { $0 })
            }
            fixture.server.release(path)
            try await eventually { ended.withLock { $0 } }
            #expect(try versionText(fixture) == "v2")
            try hub.dismiss()
            try await eventually { try await fixture.metrics().contains { $0.name == "hub-dismissed" } }
            #expect(try await shownVersions(fixture) == [2])
        }

        @Test func `blocking shows the stored version without a download when nothing is newer`() async throws
        {
            let fixture = try ZBiMFixture()
            try await fixture.ready()
            try await fixture.settled()
            let posts = fixture.posts.named(.ZBiMDBDownloadProgressChanged).count
            let views = StatusViewRecorder()
            ZBiM.setStatusUIDelegate(views)
            ZBiM.setSyncMode(.blocking)
            let timestamp = fixture.publisher.metadataPath("timestamp.json")
            fixture.server.hold(timestamp)
            let hub = ZBiM.presentHub(withParentView: UIView(), parentViewController: nil, completion: nil)
            try await fixture.server.untilHeld(timestamp)
            try await eventually { views.requested.last == "checking" }
            fixture.server.release(timestamp)
            try await eventually { fixture.page == "hub:hub/sea" }
            #expect(try versionText(fixture) == "v1")
            try hub.dismiss()
            ZBiM.setSyncMode(.nonBlocking)
            try await fixture.settled()
            // Notifications are posted in order: one of a download would have been posted before those of this sync.
            #expect(fixture.posts.named(.ZBiMDBDownloadProgressChanged).count == posts)
            #expect(Set(views.requested) == ["checking"])
        }
    }
}
