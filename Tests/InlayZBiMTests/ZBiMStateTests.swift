import Foundation
@_spi(Inlay) import InlayCore
@_spi(Inlay) import InlayHub
import InlayHubTesting
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
@testable import InlayZBiM
import Testing

extension ZBiMTests {
    @Suite @MainActor struct States {
        @Test func `each change of a state is posted once, and the getter has the new value`() async throws {
            let fixture = try ZBiMFixture()
            try await fixture.ready()
            try await eventually { fixture.posts.named(.ZBiMDownloadingContentStateChanged).count == 2 }
            #expect(
                fixture.posts.named(.ZBiMDownloadingContentStateChanged).map { $0.flags[0] } == [true, false])
            #expect(fixture.posts.named(.ZBiMReadyStateChanged).map { $0.flags[2] } == [true])
            let hub = ZBiM.presentHub(withParentView: UIView(), parentViewController: nil, completion: nil)
            try await eventually { fixture.posts.named(.ZBiMDisplayingContentHubStateChanged).count == 1 }
            #expect(fixture.posts.named(.ZBiMDisplayingContentHubStateChanged).map { $0.flags[1] } == [true])
            try hub.dismiss()
            try await eventually { fixture.posts.named(.ZBiMDisplayingContentHubStateChanged).count == 2 }
            #expect(
                fixture.posts.named(.ZBiMDisplayingContentHubStateChanged).map { $0.flags[1] } == [
                    true, false,
                ])
            try fixture.publish(.harbor(2))
            try await fixture.update(to: 2)
            #expect(fixture.posts.named(.ZBiMReadyStateChanged).count == 1)
        }

        @Test func `progress is posted from 0 to 100 and never falls`() async throws {
            let fixture = try ZBiMFixture()
            var source = TestSource.harbor(1)
            source.index.files = ["assets/film.mp4"]
            source.files["assets/film.mp4"] = Data(repeating: 7, count: 8 << 20)
            try await fixture.ready(source)
            let values = fixture.posts.named(.ZBiMDBDownloadProgressChanged).compactMap {
                $0.info["progress"] as? Float
            }
            #expect(values.count > 4 && values.last == 100 && values == values.sorted())
            #expect(values.allSatisfy { (0...100).contains($0) } && values.contains { $0 > 1 && $0 < 100 })
        }

        @Test func `progress is posted for each received piece, and not while the download stalls`()
            async throws
        {
            let fixture = try ZBiMFixture()
            try await fixture.ready()
            try await fixture.settled()
            var source = TestSource.harbor(2)
            source.index.files = ["assets/film.mp4"]
            source.files["assets/film.mp4"] = Data(repeating: 7, count: 10 << 20)
            try fixture.publish(source)
            let video = fixture.publisher.path(of: "assets/film.mp4")
            let earlier = fixture.posts.named(.ZBiMDBDownloadProgressChanged).count
            func values() -> [Float] {
                fixture.posts.named(.ZBiMDBDownloadProgressChanged).dropFirst(earlier).compactMap {
                    $0.info["progress"] as? Float
                }
            }
            fixture.server.hold(video)
            ZBiM.refreshContentSource()
            for _ in 0..<9 {
                try await fixture.server.untilHeld(video)
                try await fixture.settled()
                let before = values()
                // The download stalls, but for less than the time limit of a piece.
                fixture.clock.advance(by: .seconds(5))
                try await fixture.settled()
                #expect(values() == before)
                try await fixture.server.releaseOne(video)
                try await eventually { values().count > before.count }
            }
            fixture.server.release(video)
            try await eventually { values().last == 100 }
            #expect(values() == values().sorted() && Set(values()).count == values().count)
        }

        @Test func `downloading is true while metadata or content is fetched, and false afterwards`()
            async throws
        {
            let fixture = try ZBiMFixture()
            try await fixture.ready()
            func download(_ held: String) async throws {
                fixture.server.hold(held)
                ZBiM.refreshContentSource()
                try await fixture.server.untilHeld(held)
                try await fixture.settled()
                #expect(ZBiM.isDownloadingContent(), "\(held)")
                fixture.server.release(held)
                try await eventually { !ZBiM.isDownloadingContent() }
            }
            func version() -> Int64? { ZBiMRuntime.shared.session?.hub.state.version }
            // An update without a newer version.
            try await download(fixture.publisher.metadataPath("timestamp.json"))
            #expect(version() == 1)
            try fixture.publish(.harbor(2))
            try await download(fixture.publisher.path(of: "articles/herring/index.html"))
            #expect(version() == 2)
            try fixture.publish(.harbor(3))
            let failing = fixture.publisher.path(of: "articles/herring/index.html")
            fixture.server.always(failing, .failure(.cut("by the test")))
            try await download(failing)
            #expect(version() == 2)
        }

        @Test func `ready is false without content and with damaged content, and true with verified content`()
            async throws
        {
            let fixture = try ZBiMFixture()
            func failedPresentation() async throws {
                let end = await fixture.completion { ZBiM.presentHub($0) }
                #expect(!end.success && !ZBiM.isReady())
                try fixture.presentation?.dismiss()
                try await eventually { !ZBiM.isDisplayingContentHub() }
                #expect(!ZBiM.isReady())
            }
            ZBiM.start()
            try await failedPresentation()
            try fixture.publish(.harbor(1))
            let path = fixture.publisher.path(of: "articles/herring/index.html")
            let page = try #require(fixture.publisher.targets.first { path.hasSuffix($0.key) }?.value)
            fixture.server.always(path, .file(Data(repeating: 7, count: page.count)))
            try await failedPresentation()
            fixture.publisher.serve(on: fixture.server)
            let end = await fixture.completion { ZBiM.presentHub($0) }
            #expect(end.success)
            try await eventually { ZBiM.isReady() }
            #expect(fixture.posts.named(.ZBiMReadyStateChanged).map { $0.flags[2] } == [true])
        }

        @Test func `a hub on screen is ready, displaying and downloading while a newer version comes`()
            async throws
        {
            let fixture = try ZBiMFixture()
            try await fixture.ready()
            let hub = try await fixture.presented()
            try fixture.publish(.harbor(2))
            let path = fixture.publisher.path(of: "articles/herring/index.html")
            fixture.server.hold(path)
            ZBiM.refreshContentSource()
            try await fixture.server.untilHeld(path)
            try await eventually { ZBiM.isDownloadingContent() }
            #expect(ZBiM.isReady() && ZBiM.isDisplayingContentHub() && ZBiM.isDownloadingContent())
            fixture.server.release(path)
            try await eventually { !ZBiM.isDownloadingContent() }
            #expect(ZBiM.isReady() && ZBiM.isDisplayingContentHub())
            #expect(fixture.presentation?.content?.version == 1)
            try hub.dismiss()
        }

        @Test func `each shown page is posted with type, URI and title`() async throws {
            let fixture = try ZBiMFixture()
            try await fixture.ready()
            let hub = ZBiM.presentHub(withParentView: UIView(), parentViewController: nil, completion: nil)
            try fixture.presentation?.open(HubReference(.channel, "ferries"))
            try fixture.presentation?.open(HubReference(.article, "first-ferry"))
            hub.goBack()
            try await eventually { fixture.posts.named(.ZBiMContentTypeChanged).count == 4 }
            let posts = fixture.posts.named(.ZBiMContentTypeChanged).map(\.info)
            #expect(
                posts.map { $0[ZBiMResourceType] as? String } == [
                    ZBiMResourceTypeHub, ZBiMResourceTypeChannel, ZBiMResourceTypeArticle,
                    ZBiMResourceTypeChannel,
                ])
            #expect(posts[2][ZBiMResourceTitle] as? String == "About first-ferry")
            let uri = posts[2][ZBiMResourceURL] as? String
            try hub.dismiss()
            let end = await fixture.completion { ZBiM.presentHub(withUri: uri, completion: $0) }
            #expect(end.success && fixture.page == "hub:article/first-ferry")
        }

        @Test func `a remote shutdown lasts for the session, and a newer policy lifts it in the next`()
            async throws
        {
            let fixture = try ZBiMFixture()
            try await fixture.ready()
            let hub = ZBiM.presentHub(withParentView: UIView(), parentViewController: nil, completion: nil)
            var off = TestSource.harbor(2, policy: 2)
            off.policy.isDisabled = true
            try fixture.publish(off)
            ZBiM.refreshContentSource()
            try await eventually { ZBiM.isDisabled() && !ZBiM.isDisplayingContentHub() }
            #expect(fixture.posts.named(.ZBiMDisabledStateChanged).map { $0.flags[3] } == [true])
            #expect(throws: NSError.self) { try hub.dismiss() }
            try fixture.publish(.harbor(3, policy: 3))
            let before = fixture.contentRequests.count
            let log = LogRecorder()
            ZBiM.setLoggingDelegate(log)
            try await fixture.clock.untilSleeping(for: .seconds(900))
            fixture.clock.advance(by: .seconds(900))
            ZBiM.refreshContentSource()
            // The failed update is logged at its end.
            try await eventually { log.lines.contains { $0.contains("update failed: disabled") } }
            let end = await fixture.completion { ZBiM.presentHub($0) }
            #expect(!end.success && end.error?.code == ZBiMError.sdkDisabledState.rawValue)
            #expect(fixture.contentRequests.count == before)
            fixture.restart()
            ZBiM.start()
            try await eventually {
                ZBiMRuntime.shared.session?.hub.state.version == 3 && ZBiM.isReady() && !ZBiM.isDisabled()
            }
            let again = await fixture.completion { ZBiM.presentHub($0) }
            #expect(again.success)
        }

        @Test func `the defaults are those of the ZBiM guide, and a value that was set is returned`()
            async throws
        {
            _ = try ZBiMFixture()
            #expect(ZBiM.contentSource() == .externalAllowed && ZBiM.syncMode() == .nonBlocking)
            #expect(ZBiM.colorScheme() == .dark && ZBiM.showZBILogo())
            #expect(
                ZBiM.severityLevel() == ZBiMLogSeverityError && ZBiM.verbosityLevel() == ZBiMLogVerbosityDebug
            )
            #expect(ZBiMContentSource.allCases.map(\.rawValue) == [0, 1] && ZBiMSyncMode.allCases.count == 2)
            #expect(ZBiMColorScheme.allCases == [ZBiMColorSchemeDark, ZBiMColorSchemeLight])
            #expect(
                ZBiMSeverityLevel.allCases == [
                    ZBiMLogSeverityNone, ZBiMLogSeverityCriticalError, ZBiMLogSeverityError,
                    ZBiMLogSeverityWarning,
                    ZBiMLogSeverityInfo,
                ])
            #expect(
                ZBiMVerbosityLevel.allCases == [
                    ZBiMLogVerbosityNone, ZBiMLogVerbosityDebug, ZBiMLogVerbosityInfo,
                ])
            #expect(ZBiMLogVerbosityAlert == ZBiMLogVerbosityInfo)
            ZBiM.setContentSource(.localOnly)
            ZBiM.setSyncMode(.blocking)
            ZBiM.setColorScheme(.light)
            ZBiM.setShowZBILogo(false)
            #expect(ZBiM.contentSource() == .localOnly && ZBiM.syncMode() == .blocking)
            #expect(ZBiM.colorScheme() == .light && !ZBiM.showZBILogo())
            ZBiM.setContentSource(.externalAllowed)
            ZBiM.setSyncMode(.nonBlocking)
            #expect(ZBiM.contentSource() == .externalAllowed && ZBiM.syncMode() == .nonBlocking)
            for level in ZBiMSeverityLevel.allCases {
                ZBiM.setSeverityLevel(level)
                #expect(ZBiM.severityLevel() == level)
            }
            for level in ZBiMVerbosityLevel.allCases {
                ZBiM.setVerbosityLevel(level)
                #expect(ZBiM.verbosityLevel() == level)
            }
        }

        @Test func `the whitelist is exact and may contain plain http, with a warning in the log`()
            async throws
        {
            let fixture = try ZBiMFixture()
            try await fixture.ready()
            let log = LogRecorder()
            ZBiM.setLoggingDelegate(log)
            ZBiM.setSeverityLevel(.warning)
            ZBiM.setContentSource(.localOnly)
            ZBiM.whitelistURL(try #require(URL(string: "http://www.zumobi.com/about?x=1#s")))
            ZBiM.whitelistDomainName("cdn.zumobi.com")
            _ = await fixture.completion { ZBiM.presentHub($0) }
            let access = try #require(fixture.presentation?.access)
            #expect(access.allowsResource("http://www.zumobi.com/about?x=1#s"))
            for other in [
                "http://www.zumobi.com/about", "http://www.zumobi.com/about?x=1",
                "http://www.zumobi.com/other",
                "https://www.zumobi.com/about?x=1#s", "http://cdn.zumobi.com.evil.test/",
                "http://evilcdn.zumobi.com/",
            ] { #expect(!access.allowsResource(other), "\(other)") }
            for path in ["/", "/about?x=1", "/a/b#c"] {
                #expect(access.allowsResource("http://cdn.zumobi.com" + path))
            }
            #expect(log.severities.contains(.warning) && log.lines.contains { $0.contains("plain http") })
        }

        @Test func `the app's views are shown for checking, downloading and errors`() async throws {
            let fixture = try ZBiMFixture()
            let views = StatusViews()
            ZBiM.setStatusUIDelegate(views)
            ZBiM.start()
            let parent = UIView(frame: CGRect(x: 0, y: 0, width: 10, height: 10))
            var hub: (any ZBiMContentHubDelegate)?
            let end = await fixture.completion { completion in
                hub = ZBiM.presentHub(
                    withParentView: parent, parentViewController: nil, completion: completion)
            }
            #expect(!end.success && ZBiM.isDisplayingContentHub())
            try await eventually { views.shown == ["error"] && views.error.isDescendant(of: parent) }
            #expect(views.messages.allSatisfy { $0 != "" })
            try hub?.dismiss()
            var source = TestSource.harbor(1)
            source.index.files = ["assets/film.mp4"]
            source.files["assets/film.mp4"] = Data(repeating: 7, count: 6 << 20)
            try fixture.publish(source)
            ZBiM.setSyncMode(.blocking)
            let timestamp = fixture.publisher.metadataPath("timestamp.json")
            let video = fixture.publisher.path(of: "assets/film.mp4")
            fixture.server.hold(timestamp)
            fixture.server.hold(video)
            let again = ZBiM.presentHub(withParentView: parent, parentViewController: nil, completion: nil)
            try await fixture.server.untilHeld(timestamp)
            try await eventually { views.checking.isDescendant(of: parent) }
            fixture.server.release(timestamp)
            for _ in 0..<3 {
                let before = views.percents.count
                try await fixture.server.releaseOne(video)
                try await eventually { views.percents.count > before }
            }
            #expect(views.progress.isDescendant(of: parent) && views.percents == views.percents.sorted())
            #expect(views.percents.allSatisfy { (0...1).contains($0) } && Set(views.percents).count > 2)
            #expect(views.messages.contains("Waiting for new content to be downloaded"))
            fixture.server.release(video)
            try await eventually { fixture.page == "hub:hub/sea" && !views.progress.isDescendant(of: parent) }
            try again.dismiss()
        }

        @Test func `the advertiser id is the delegate's, or the system's unless tracking is limited`()
            async throws
        {
            struct System: HubAdvertisingIdentifier {
                let isTrackingLimited: Bool
                let identifier: String? = "system-id"
            }
            final class Own: ZBiMAdvertiserIdDelegate { func advertiserId() -> String? { "adv-9" } }
            for (limited, own, expected) in [
                (false, false, "system-id"), (true, false, nil), (true, true, "adv-9"),
            ]
                as [(Bool, Bool, String?)]
            {
                let fixture = try ZBiMFixture { $0.advertising = System(isTrackingLimited: limited) }
                if own { ZBiM.setAdvertiserIdDelegate(Own()) }
                try await fixture.ready()
                _ = await fixture.completion { ZBiM.presentHub($0) }
                try await eventually { try await !fixture.metrics().isEmpty }
                let ids = try await fixture.metrics().map { $0.properties["advertiserID"]?.string }
                #expect(ids.allSatisfy { $0 == expected })
            }
        }

        private final class StatusViews: ZBiMContentHubStatusUIDelegate {
            let (error, checking, progress) = (UIView(), UIView(), UIView())
            var messages: [String?] = []
            var percents: [CGFloat] = []
            var shown: [String] = []

            func getErrorView(_ optionalMessage: String?) -> UIView? {
                shown.append("error")
                messages.append(optionalMessage)
                return error
            }

            func getCheckingForContentView(_ optionalMessage: String?) -> UIView? {
                messages.append(optionalMessage)
                return checking
            }

            func getDownloadProgressView(_ optionalMessage: String?, percentCompleted: CGFloat) -> UIView? {
                messages.append(optionalMessage)
                percents.append(percentCompleted)
                return progress
            }
        }
    }
}
