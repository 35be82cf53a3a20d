import Foundation
@_spi(Inlay) import InlayCore
@_spi(Inlay) import InlayHub
@_spi(Inlay) import InlaySurface
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
import Testing

@testable import InlayZBiM

extension ZBiMTests {
    @Suite @MainActor struct Presenting {
        /// A container that counts close requests and does not close the hub.
        private final class Container: UIViewController, ZBiMContentHubContainerDelegate {
            var requests = 0
            func closeContentHub() { requests += 1 }
        }

        private final class ScrollRecorder: UIScrollViewDelegate {
            private(set) var offsets: [Double] = []

            func scrollViewDidScroll(_ scrollView: UIScrollView) {
                offsets.append(Double(scrollView.contentOffset.y))
            }
        }

        @Test func `every way to present shows the hub, and reports it once`() async throws {
            let fixture = try ZBiMFixture()
            try await fixture.ready()
            try fixture.activate("A", tags: ["land"])
            let (view, controller) = (UIView(), UIViewController())
            let ways: [(String, (@escaping ZBiM.Completion) -> Void)] = [
                ("hub:hub/land", { ZBiM.presentHub($0) }),
                (
                    "hub:hub/land",
                    { ZBiM.presentHub(withPresentingViewController: controller, completion: $0) }
                ),
                ("hub:hub/sea", { ZBiM.presentHub(withTags: ["sea"], completion: $0) }),
                ("hub:hub/land", { ZBiM.presentHub(withTags: nil, completion: $0) }),
                (
                    "hub:hub/sea",
                    {
                        ZBiM.presentHub(
                            withTags: ["sea"], presentingViewController: controller, completion: $0)
                    }
                ),
                ("hub:article/herring", { ZBiM.presentHub(withUri: "hub:article/herring", completion: $0) }),
                (
                    "hub:channel/fish",
                    {
                        ZBiM.presentHub(
                            withUri: "hub:channel/fish", presentingViewController: controller, completion: $0)
                    }
                ),
                (
                    "hub:hub/land",
                    {
                        _ = ZBiM.presentHub(
                            withParentView: view, parentViewController: controller, completion: $0)
                    }
                ),
                (
                    "hub:hub/sea",
                    {
                        _ = ZBiM.presentHub(
                            withTags: ["sea"], parentView: view, parentViewController: controller,
                            completion: $0)
                    }
                ),
                (
                    "hub:hub/sea",
                    {
                        _ = ZBiM.presentHub(
                            withUri: "hub:hub/sea", parentView: view, parentViewController: controller,
                            completion: $0)
                    }
                ),
            ]
            for (index, (page, present)) in ways.enumerated() {
                var ends = 0
                let end = await fixture.completion { completion in
                    present { success, error in
                        ends += 1
                        completion(success, error)
                    }
                }
                #expect(end.success && end.error == nil && fixture.page == page && ends == 1)
                #expect(ZBiM.isDisplayingContentHub())
                // The last three are nested in the app's view, and the others are modal. The nested views stay in the
                // app's view, because the presentation is dismissed here and not the returned hub.
                let nested = max(0, index - 6)
                #expect(fixture.presentation?.form == (nested > 0 ? .nested : .modal))
                #expect(view.subviews.count == nested)
                try fixture.presentation?.dismiss()
                try await eventually { !ZBiM.isDisplayingContentHub() }
            }
            #expect(try ZBiM.tags(forUser: "A").contains("land"))
        }

        @Test func `a presentation of an unknown URI fails with an error`() async throws {
            let fixture = try ZBiMFixture()
            try await fixture.ready()
            for uri in [nil, "", "hub:hub/none", "https://x.test/", "no address"] {
                let end = await fixture.completion { ZBiM.presentHub(withUri: uri, completion: $0) }
                #expect(!end.success && end.error?.code == ZBiMError.invalidParams.rawValue)
            }
            #expect(!ZBiM.isDisplayingContentHub())
        }

        @Test func `the nested ways to present return the hub, the others return nothing`() {
            typealias End = ZBiM.Completion?
            typealias Parent = UIViewController?
            // Compiles only while the methods have these signatures.
            let modal: [Any] = [
                ZBiM.presentHub(_:) as @MainActor (End) -> Void,
                ZBiM.presentHub(withPresentingViewController:completion:) as @MainActor (Parent, End) -> Void,
                ZBiM.presentHub(withTags:completion:) as @MainActor ([String]?, End) -> Void,
                ZBiM.presentHub(withTags:presentingViewController:completion:)
                    as @MainActor ([String]?, Parent, End) -> Void,
                ZBiM.presentHub(withUri:completion:) as @MainActor (String?, End) -> Void,
                ZBiM.presentHub(withUri:presentingViewController:completion:)
                    as @MainActor (String?, Parent, End) -> Void,
                ZBiM.presentExistingContentHub(_:completion:)
                    as @MainActor ((any ZBiMContentHubDelegate)?, End) -> Void,
            ]
            let nested: [Any] = [
                ZBiM.presentHub(withParentView:parentViewController:completion:)
                    as @MainActor (UIView, Parent, End) -> any ZBiMContentHubDelegate,
                ZBiM.presentHub(withTags:parentView:parentViewController:completion:)
                    as @MainActor ([String]?, UIView, Parent, End) -> any ZBiMContentHubDelegate,
                ZBiM.presentHub(withUri:parentView:parentViewController:completion:)
                    as @MainActor (String?, UIView, Parent, End) -> any ZBiMContentHubDelegate,
            ]
            #expect(modal.count == 7 && nested.count == 3)
        }

        @Test func `a nested hub fills its parent and is removed when dismissed`() async throws {
            let fixture = try ZBiMFixture()
            try await fixture.ready()
            let parent = UIView(frame: CGRect(x: 0, y: 0, width: 320, height: 200))
            let hub = ZBiM.presentHub(withParentView: parent, parentViewController: nil, completion: nil)
            #expect(parent.subviews.count == 1 && parent.subviews.first?.frame == parent.bounds)
            parent.frame.size = CGSize(width: 500, height: 300)
            #expect(parent.subviews.first?.frame == parent.bounds)
            try hub.dismiss()
            #expect(parent.subviews.isEmpty && !ZBiM.isDisplayingContentHub())
            #expect {
                try hub.dismiss()
            } throws: { ($0 as NSError).code == ZBiMError.invalidState.rawValue }
            _ = fixture
        }

        @Test func `the host's buttons go back, go forward and dismiss`() async throws {
            let fixture = try ZBiMFixture()
            try await fixture.ready()
            let hub = ZBiM.presentHub(withParentView: UIView(), parentViewController: nil, completion: nil)
            #expect(!hub.canGoBack() && !hub.canGoForward())
            hub.goBack()
            hub.goForward()
            #expect(fixture.page == "hub:hub/sea")
            try fixture.presentation?.open(HubReference(.channel, "ferries"))
            #expect(hub.canGoBack())
            hub.goBack()
            #expect(fixture.page == "hub:hub/sea" && hub.canGoForward())
            fixture.clock.advance(by: .seconds(1))
            hub.goForward()
            #expect(fixture.page == "hub:channel/ferries")
            hub.setScrollDelegate(ScrollRecorder())
            hub.setBackgroundColor(.red)
            try hub.dismiss()
        }

        @Test func `scrolling a nested hub down and up is reported to the host's delegate, with its offsets`()
            async throws
        {
            let fixture = try ZBiMFixture()
            try await fixture.ready()
            let delegate = ScrollRecorder()
            let hub = ZBiM.presentHub(withParentView: UIView(), parentViewController: nil, completion: nil)
            hub.setScrollDelegate(delegate)
            let presentation = try #require(fixture.presentation)
            let surface = try HubSurface(presentation)
            let (events, event) = AsyncStream.makeStream(of: SurfaceMessage.self)
            async let running: Void = surface.run(SurfaceLink(events: events, content: "/c/hub/") { _ in })
            func scroll(to top: JSONValue) {
                event.yield(
                    SurfaceMessage(
                        surface: "hub", kind: SurfaceMessage.Kind.event, id: "1",
                        payload: ["name": "scrolled", "top": top]))
            }
            for top in [40, 100, 30] {
                scroll(to: .integer(Int64(top)))
                try await eventually { delegate.offsets.last == Double(top) }
            }
            #expect(delegate.offsets == [40, 100, 30])
            // Invalid offsets are ignored, and a former delegate receives nothing.
            for wrong in ["far", .number(.infinity), .null, .integer(.max)] as [JSONValue] {
                scroll(to: wrong)
            }
            scroll(to: .number(12.5))
            try await eventually { delegate.offsets.count > 3 }
            #expect(delegate.offsets.last == 12.5 && delegate.offsets.count == 4)
            let (other, last) = (ScrollRecorder(), presentation.scrollOffsets)
            hub.setScrollDelegate(other)
            scroll(to: 5)
            try await eventually { other.offsets == [5] }
            #expect(delegate.offsets.count == 4)
            for await top in last {
                #expect(top == 5)
                break
            }
            try hub.dismiss()
            event.finish()
            await running
        }

        @Test func `only one hub is shown, and the second container stays empty`() async throws {
            let fixture = try ZBiMFixture()
            try await fixture.ready()
            let (first, second) = (UIView(), UIView())
            let hub = ZBiM.presentHub(withParentView: first, parentViewController: nil, completion: nil)
            let nested = await fixture.completion { completion in
                _ = ZBiM.presentHub(withParentView: second, parentViewController: nil, completion: completion)
            }
            let modal = await fixture.completion { ZBiM.presentHub($0) }
            for end in [nested, modal] {
                #expect(!end.success && end.error?.code == ZBiMError.operationAlreadyInProgress.rawValue)
            }
            #expect(second.subviews.isEmpty && first.subviews.count == 1 && fixture.page == "hub:hub/sea")
            try hub.dismiss()
        }

        @Test func `a dismissed hub is presented again on the reader's last page`() async throws {
            let fixture = try ZBiMFixture()
            try await fixture.ready()
            let parent = UIView()
            let hub = ZBiM.presentHub(withParentView: parent, parentViewController: nil, completion: nil)
            try fixture.presentation?.open(HubReference(.article, "herring"))
            let shown = await fixture.completion { ZBiM.presentExistingContentHub(hub, completion: $0) }
            #expect(!shown.success && shown.error != nil)
            try hub.dismiss()
            let nothing = await fixture.completion { ZBiM.presentExistingContentHub(nil, completion: $0) }
            #expect(!nothing.success && nothing.error?.code == ZBiMError.invalidParams.rawValue)
            let end = await fixture.completion { ZBiM.presentExistingContentHub(hub, completion: $0) }
            #expect(end.success && fixture.page == "hub:article/herring" && hub.canGoBack())
            #expect(parent.subviews.count == 1)
        }

        @Test func `a hub stays on screen when its container is freed`() async throws {
            let fixture = try ZBiMFixture()
            try await fixture.ready()
            let hub: any ZBiMContentHubDelegate
            do {
                let container = Container()
                hub = ZBiM.presentHub(
                    withParentView: UIView(), parentViewController: container, completion: nil)
            }
            let refused = await fixture.completion { ZBiM.presentHub($0) }
            #expect(!refused.success)
            try hub.dismiss()
            let end = await fixture.completion { ZBiM.presentHub($0) }
            #expect(end.success)
        }

        @Test func `a dismissed hub that nobody holds is disposed of`() async throws {
            let fixture = try ZBiMFixture()
            try await fixture.ready()
            weak var left: (any ZBiMContentHubDelegate)?
            do {
                let (results, result) = AsyncStream.makeStream(of: Bool.self)
                let hub = ZBiM.presentHub(withParentView: UIView(), parentViewController: nil) { success, _ in
                    result.yield(success)
                }
                for await success in results {
                    #expect(success)
                    break
                }
                left = hub
                try hub.dismiss()
            }
            try await eventually { left == nil }
        }

        @Test func `a page's close request is passed to the container once and closes nothing`()
            async throws
        {
            let fixture = try ZBiMFixture()
            try await fixture.ready()
            let (container, parent) = (Container(), UIView())
            let hub = ZBiM.presentHub(
                withParentView: parent, parentViewController: container, completion: nil)
            fixture.presentation?.requestClose()
            try await eventually { container.requests == 1 }
            #expect(ZBiM.isDisplayingContentHub() && parent.subviews.count == 1)
            try hub.dismiss()
            let plain = ZBiM.presentHub(
                withParentView: parent, parentViewController: UIViewController(), completion: nil)
            fixture.presentation?.requestClose()
            #expect(ZBiM.isDisplayingContentHub() && container.requests == 1)
            try plain.dismiss()
        }

        @Test func `without an active user the first hub is shown`() async throws {
            let fixture = try ZBiMFixture()
            try await fixture.ready()
            let end = await fixture.completion { ZBiM.presentHub($0) }
            #expect(end.success && fixture.page == "hub:hub/sea")
        }

        @Test func `links of the app's schemes reach the app, from Info.plist or registered`() async throws {
            let fixture = try ZBiMFixture()
            try await fixture.ready()
            ZBiM.setContentSource(.localOnly)
            _ = await fixture.completion { ZBiM.presentHub($0) }
            fixture.presentation?.follow("aa://1")
            fixture.presentation?.follow("bb://1")
            fixture.presentation?.follow("cc://1")
            ZBiM.registerCustomURLScheme("cc")
            fixture.presentation?.follow("cc://2?x=1")
            fixture.presentation?.follow("dd://1")
            fixture.presentation?.follow("https://example.com/")
            try await eventually { fixture.opened.withLock { $0.count } == 3 }
            #expect(fixture.opened.withLock { $0 } == ["aa://1", "bb://1", "cc://2?x=1"])
            #expect(fixture.page == "hub:hub/sea")
            fixture.presentation?.leave(for: "https://example.com/")
            try await eventually { fixture.opened.withLock { $0.last } == "https://example.com/" }
        }
    }
}
