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
        private func bundle(_ fixture: ZBiMFixture) throws {
            try fixture.publisher.publish(.harbor(1))
            let folder = try TemporaryFolder()
            try fixture.publisher.write(to: folder.url)
            try HubPreloadFile.make(
                from: folder.url, at: fixture.resources.url.appendingPathComponent("contentDB.sqlite3"))
        }

        @Test func `contentDB.sqlite3 is shown at once, while newer content is fetched`() async throws {
            let fixture = try ZBiMFixture()
            try bundle(fixture)
            try fixture.publish(.harbor(2))
            let path = fixture.publisher.path(of: "articles/herring/index.html")
            fixture.server.hold(path)
            let views = StatusViewRecorder()
            ZBiM.setStatusUIDelegate(views)
            ZBiM.start()
            let end = await fixture.completion { ZBiM.presentHub($0) }
            #expect(end.success && fixture.presentation?.content?.version == 1)
            try await fixture.server.untilHeld(path)
            try await eventually { ZBiM.isDownloadingContent() }
            #expect(!views.requested.contains("downloading"))
            fixture.server.release(path)
            try await eventually { ZBiMRuntime.shared.session?.hub.state.version == 2 }
            // From then on the fetched version is shown instead of the preload file.
            fixture.restart()
            ZBiM.start()
            let again = await fixture.completion { ZBiM.presentHub($0) }
            #expect(again.success && fixture.presentation?.content?.version == 2)
        }

        @Test func `in blocking mode contentDB.sqlite3 is not shown`() async throws {
            let fixture = try ZBiMFixture()
            try bundle(fixture)
            try fixture.publish(.harbor(2))
            ZBiM.setSyncMode(.blocking)
            let path = fixture.publisher.path(of: "articles/herring/index.html")
            fixture.server.hold(path)
            let views = StatusViewRecorder()
            ZBiM.setStatusUIDelegate(views)
            ZBiM.start()
            _ = await ZBiMRuntime.shared.opened()
            let parent = UIView()
            let hub = ZBiM.presentHub(withParentView: parent, parentViewController: nil, completion: nil)
            try await eventually { views.requested.contains("downloading") }
            #expect(fixture.page == nil)
            fixture.server.release(path)
            try await eventually { fixture.page == "hub:hub/sea" }
            #expect(fixture.presentation?.content?.version == 2)
            try hub.dismiss()
        }
    }
}
