import Foundation
@_spi(Inlay) import InlayCore
@_spi(Inlay) import InlayHub
import InlayHubTesting
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
import Testing

@testable import InlayZBiM

extension ZBiMTests {
    /// When content is fetched and shown, by the two documented modes.
    @Suite @MainActor struct Syncing {
        private static let film = "assets/film.mp4"

        /// A version with a file of four pieces, so that its download can be stopped in the middle.
        private func film(_ version: Int64) -> TestSource {
            var source = TestSource.harbor(version)
            source.index.files = [Self.film]
            source.files[Self.film] = Data(repeating: UInt8(version), count: 4 << 20)
            return source
        }

        /// The version that the words of an article on screen name.
        private func words(_ stage: ZBiMStage) throws -> String? {
            let page = try stage.presentation?.file("articles/herring/index.html")
            return page.map { String(decoding: $0.suffix(2), as: UTF8.self) }
        }

        private func isContent(_ stage: ZBiMStage) -> Bool {
            if case .content? = stage.presentation?.state.status { true } else { false }
        }

        /// The versions of the pages that were shown, by the metrics of their reading.
        private func shownVersions(_ stage: ZBiMStage) async throws -> [Int64?] {
            try await stage.metrics().filter { $0.name == "hub-content-viewed" }.map {
                if case .integer(let version)? = $0.properties["version"] { version } else { nil }
            }
        }

        @Test func `non-blocking fetches at the start and at intervals although no hub is presented`()
            async throws
        {
            let stage = try ZBiMStage()
            #expect(ZBiM.syncMode() == ZBiMSyncModeNonBlocking)
            try await stage.ready()
            try stage.publish(.harbor(2))
            try await stage.clock.untilSleeping(for: .seconds(900))
            stage.clock.advance(by: .seconds(900))
            try await eventually { ZBiMHost.shared.session?.hub.state.version == 2 }
            #expect(stage.posts.named(.ZBiMDisplayingContentHubStateChanged).isEmpty)
        }

        @Test
        func
            `non-blocking shows the stored version while a newer one comes, which the next presentation shows`()
            async throws
        {
            let stage = try ZBiMStage()
            try await stage.ready()
            let views = StatusViewRecorder()
            ZBiM.setStatusUIDelegate(views)
            try stage.publish(film(2))
            let path = stage.publisher.path(of: Self.film)
            stage.server.hold(path)
            ZBiM.refreshContentSource()
            try await stage.server.releaseOne(path)
            try await stage.server.untilHeld(path)
            let hub = try await stage.presented()
            try await eventually { ZBiM.isDownloadingContent() }
            #expect(isContent(stage))
            #expect(try words(stage) == "v1")
            // Another piece comes while the hub is on screen.
            try await stage.server.releaseOne(path)
            try await stage.server.untilHeld(path)
            #expect(isContent(stage))
            stage.server.release(path)
            try await eventually {
                ZBiMHost.shared.session?.hub.state.version == 2 && !ZBiM.isDownloadingContent()
            }
            try stage.presentation?.open(HubReference(.article, "herring"))
            #expect(try stage.page == "hub:article/herring" && words(stage) == "v1")
            try hub.dismiss()
            let again = try await stage.presented()
            #expect(try words(stage) == "v2")
            try again.dismiss()
            #expect(views.asked.isEmpty)
        }

        @Test func `non-blocking without stored content shows the download and then its page`() async throws {
            let stage = try ZBiMStage()
            let views = StatusViewRecorder()
            ZBiM.setStatusUIDelegate(views)
            try stage.publish(film(1))
            let path = stage.publisher.path(of: Self.film)
            stage.server.hold(path)
            ZBiM.start()
            _ = await ZBiMHost.shared.opened()
            let hub = ZBiM.presentHub(withParentView: UIView(), parentViewController: nil, completion: nil)
            try await stage.server.releaseOne(path)
            try await stage.server.untilHeld(path)
            try await eventually { views.asked.last == "downloading" }
            #expect(stage.page == nil)
            stage.server.release(path)
            try await eventually { stage.page == "hub:hub/sea" }
            try hub.dismiss()
        }

        @Test func `blocking asks the server at each presentation, and never without one`() async throws {
            let stage = try ZBiMStage()
            try stage.publish(.harbor(1))
            ZBiM.setSyncMode(ZBiMSyncModeBlocking)
            ZBiM.start()
            let timestamp = stage.publisher.metadataPath("timestamp.json")
            for count in 1...3 {
                let hub = try await stage.presented()
                #expect(stage.server.requests(timestamp).count == count)
                try hub.dismiss()
            }
        }

        @Test func `blocking shows the download of a newer version, then that version, and the older never`()
            async throws
        {
            let stage = try ZBiMStage()
            try await stage.ready()
            let views = StatusViewRecorder()
            ZBiM.setStatusUIDelegate(views)
            ZBiM.setSyncMode(.blocking)
            try stage.publish(film(2))
            let path = stage.publisher.path(of: Self.film)
            stage.server.hold(path)
            let ended = Locked(false)
            let hub = ZBiM.presentHub(withParentView: UIView(), parentViewController: nil) { success, _ in
                ended.withLock { $0 = success }
            }
            for _ in 0..<3 {
                try await stage.server.releaseOne(path)
                try await stage.server.untilHeld(path)
                try await eventually { views.asked.last == "downloading" }
                #expect(stage.presentation?.content == nil && !ended.withLock { $0 })
            }
            stage.server.release(path)
            try await eventually { ended.withLock { $0 } }
            #expect(try words(stage) == "v2")
            try hub.dismiss()
            try await eventually { try await stage.metrics().contains { $0.name == "hub-dismissed" } }
            #expect(try await shownVersions(stage) == [2])
        }

        @Test func `blocking shows the stored version without a download when nothing is newer`() async throws
        {
            let stage = try ZBiMStage()
            try await stage.ready()
            try await stage.settled()
            let posts = stage.posts.named(.ZBiMDBDownloadProgressChanged).count
            let views = StatusViewRecorder()
            ZBiM.setStatusUIDelegate(views)
            ZBiM.setSyncMode(.blocking)
            let timestamp = stage.publisher.metadataPath("timestamp.json")
            stage.server.hold(timestamp)
            let hub = ZBiM.presentHub(withParentView: UIView(), parentViewController: nil, completion: nil)
            try await stage.server.untilHeld(timestamp)
            try await eventually { views.asked.last == "checking" }
            stage.server.release(timestamp)
            try await eventually { stage.page == "hub:hub/sea" }
            #expect(try words(stage) == "v1")
            try hub.dismiss()
            ZBiM.setSyncMode(.nonBlocking)
            try await stage.settled()
            // A download would have been posted before what came after it.
            #expect(stage.posts.named(.ZBiMDBDownloadProgressChanged).count == posts)
            #expect(Set(views.asked) == ["checking"])
        }
    }
}
