import Foundation
@_spi(Inlay) import InlayCore
@_spi(Inlay) import InlayHub
import InlayHubTesting
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
@testable import InlayZBiM
import Testing

extension ZBiMTests {
    @Suite @MainActor struct Preload {
        private func bundle(_ stage: ZBiMStage) throws {
            try stage.publisher.publish(.harbor(1))
            let folder = try TemporaryFolder()
            try stage.publisher.write(to: folder.url)
            try HubPreloadFile.make(
                from: folder.url, at: stage.resources.url.appendingPathComponent("contentDB.sqlite3"))
        }

        @Test func `contentDB.sqlite3 is shown at once, while newer content is fetched`() async throws {
            let stage = try ZBiMStage()
            try bundle(stage)
            try stage.publish(.harbor(2))
            let path = stage.publisher.path(of: "articles/herring/index.html")
            stage.server.hold(path)
            let views = StatusViewRecorder()
            ZBiM.setStatusUIDelegate(views)
            ZBiM.start()
            let end = await stage.ended { ZBiM.presentHub($0) }
            #expect(end.success && stage.presentation?.content?.version == 1)
            try await stage.server.untilHeld(path)
            try await eventually { ZBiM.isDownloadingContent() }
            #expect(!views.asked.contains("downloading"))
            stage.server.release(path)
            try await eventually { ZBiMHost.shared.session?.hub.state.version == 2 }
            // What was fetched is shown from then on, and the file no more.
            stage.restart()
            ZBiM.start()
            let again = await stage.ended { ZBiM.presentHub($0) }
            #expect(again.success && stage.presentation?.content?.version == 2)
        }

        @Test func `in blocking mode contentDB.sqlite3 is not shown`() async throws {
            let stage = try ZBiMStage()
            try bundle(stage)
            try stage.publish(.harbor(2))
            ZBiM.setSyncMode(.blocking)
            let path = stage.publisher.path(of: "articles/herring/index.html")
            stage.server.hold(path)
            let views = StatusViewRecorder()
            ZBiM.setStatusUIDelegate(views)
            ZBiM.start()
            _ = await ZBiMHost.shared.opened()
            let parent = UIView()
            let hub = ZBiM.presentHub(withParentView: parent, parentViewController: nil, completion: nil)
            try await eventually { views.asked.contains("downloading") }
            #expect(stage.page == nil)
            stage.server.release(path)
            try await eventually { stage.page == "hub:hub/sea" }
            #expect(stage.presentation?.content?.version == 2)
            try hub.dismiss()
        }
    }
}
