import Foundation
@_spi(Inlay) import InlayCore
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
import Testing

@_spi(Inlay) @testable import InlayAds

@Suite struct VASTVideoReaderTests {
    private let transport = ScriptedTransport()

    private func reader(_ ranking: MediaFileRanking = MediaFileRanking()) -> VASTVideoReader {
        VASTVideoReader(transport: transport, clock: ManualClock(), ranking: ranking)
    }

    @Test func `a video has its file, its offsets and its trackers by event`() async throws {
        let video = try await reader().video(
            from: VASTTexts.document(
                VASTTexts.inline(
                    "a",
                    more: """
                        <Icons><Icon program="AdChoices" width="20" height="20" offset="00:00:02">
                        <StaticResource creativeType="image/png">https://cdn.test/i.png</StaticResource></Icon>
                        <Icon program="markup"><HTMLResource>x</HTMLResource></Icon></Icons>
                        """)))
        #expect(
            video.media
                == AdVideo.Media(
                    address: "https://cdn.test/a.mp4", type: "video/mp4", width: 640, height: 360))
        #expect(video.duration == .seconds(20) && video.skipOffset == .seconds(5))
        #expect(video.progress == [AdVideo.Progress(offset: .seconds(10), address: "https://t.test/a/half")])
        #expect(video.trackers == [.start: ["https://t.test/a/start"]])
        #expect(video.clickThrough == "https://shop.test/a" && video.title == "Title a")
        #expect(video.clickTrackers == ["https://t.test/a/click"])
        #expect(video.impressions == ["https://i.test/a"] && video.failedAdErrors.isEmpty)
        #expect(video.errors == ["https://e.test/a?c=[ERRORCODE]"])
        #expect(video.icons.map(\.image) == ["https://cdn.test/i.png"])
        #expect(video.icons.first?.offset == .seconds(2) && !video.isWrapped)
    }

    @Test func `the viewability trackers of all wrappers are kept`() async throws {
        transport.always(
            "/w",
            .response(
                TransportResponse(
                    status: 200,
                    body: Data(VASTTexts.document(VASTTexts.inline("a", head: Self.viewability("a"))).utf8))))
        let video = try await reader().video(
            from: VASTTexts.document(
                VASTTexts.wrapper("w", to: "https://m.test/w", head: Self.viewability("w"))))
        #expect(video.isWrapped)
        #expect(video.trackers[.viewable] == ["https://v.test/w/yes", "https://v.test/a/yes"])
        #expect(video.trackers["notViewable"] == ["https://v.test/w/no", "https://v.test/a/no"])
    }

    private static func viewability(_ id: String) -> String {
        """
        <ViewableImpression><Viewable>https://v.test/\(id)/yes</Viewable>
        <NotViewable>https://v.test/\(id)/no</NotViewable></ViewableImpression>
        """
    }

    @Test func `the files that do not play here are left out, none left is 403`() async throws {
        let media = """
            <MediaFile type="application/javascript" apiFramework="VPAID">https://cdn.test/v.js</MediaFile>
            <MediaFile type="video/x-flv">https://cdn.test/a.flv</MediaFile>
            """
        let good = VASTTexts.document(VASTTexts.inline("a", media: media + VASTTexts.file))
        let video = try await reader().video(from: good)
        #expect(video.media.address == "https://cdn.test/a.mp4" && video.alternatives.isEmpty)
        do {
            _ = try await reader().video(from: VASTTexts.document(VASTTexts.inline("a", media: media)))
            #expect(Bool(false))
        } catch {
            #expect(error.code == 403 && error.errors == ["https://e.test/a?c=403"])
        }
    }

    @Test func `broken VAST, no VAST and no ad fail with their codes`() async {
        for (markup, code) in [
            ("", 100), ("<VAST", 100), ("<p>x</p>", 101), ("<VAST version=\"1.0\"/>", 102),
            ("<VAST version=\"4.2\"/>", 303), (VASTTexts.document("<Ad/>"), 101),
        ] {
            do {
                _ = try await reader().video(from: markup)
                #expect(Bool(false), "\(markup)")
            } catch { #expect(error.code == code, "\(markup)") }
        }
    }

    @Test func `an ad after the one that plays is not requested, and its error address is not called`()
        async throws
    {
        let video = try await reader().video(
            from: VASTTexts.document(
                VASTTexts.inline("a", sequence: 1),
                VASTTexts.wrapper("w", to: "https://n.test/gone", sequence: 2),
                "<Ad id=\"bad\" sequence=\"3\"><InLine><Error>https://e.test/bad</Error></InLine></Ad>"))
        #expect(video.title == "Title a" && video.failedAdErrors.isEmpty && transport.requests.isEmpty)
    }

    @Test func `captions, verifications and upgraded addresses reach the app's video`() async throws {
        let media = """
            \(VASTTexts.file)<ClosedCaptionFiles><ClosedCaptionFile type="text/vtt" language="en">http://c.test/en.vtt\
            </ClosedCaptionFile></ClosedCaptionFiles>
            """
        let measurer = """
            <AdVerifications><Verification vendor="m"><TrackingEvents><Tracking event="verificationNotExecuted">\
            https://m.test/not?r=[REASON]</Tracking></TrackingEvents></Verification></AdVerifications>
            """
        transport.always(
            "/w",
            .response(
                TransportResponse(
                    status: 200,
                    body: Data(VASTTexts.document(VASTTexts.inline("a", head: measurer, media: media)).utf8)))
        )
        let video = try await reader().video(
            from: VASTTexts.document(VASTTexts.wrapper("w", to: "http://n.test/w", head: measurer)))
        #expect(
            video.captions == [
                VASTCaption(address: "https://c.test/en.vtt", type: "text/vtt", language: "en")
            ])
        #expect(video.verifications.map(\.vendor) == ["m", "m"])
        #expect(video.upgradeCount == 2)
        #expect(video.upgrades.map(\.address) == ["http://n.test/w", "http://c.test/en.vtt"])
        let trackers = AdTrackerList(AdResponse.video, .video(video))
        #expect(trackers.foreign[.view]?.suffix(2) == ["https://m.test/not?r=2", "https://m.test/not?r=2"])
    }

    @Test func `missed ads of a pod are reported with their numbers`() async throws {
        let video = try await reader().video(
            from: VASTTexts.document(
                VASTTexts.wrapper("w", to: "https://n.test/gone", sequence: 1),
                VASTTexts.inline("a", sequence: 2)))
        #expect(video.title == "Title a" && video.failedAdErrors == ["https://e.test/w?c=301"])
    }
}
