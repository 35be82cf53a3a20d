import Foundation
@_spi(Inlay) import InlayWire
import Testing

@Suite struct VASTReadingTests {
    @Test func `everything of a version 4 video is read`() throws {
        let document = try VASTDocument(reading: VASTSamples.full)
        #expect(document.version == "4.2")
        #expect(document.refused.isEmpty && document.faults.isEmpty, "\(document.refused) \(document.faults)")
        let ad = try #require(document.ads.first)
        #expect(ad.id == "harbor-1" && ad.sequence == 1 && ad.system == "Quay")
        #expect(ad.title == "Evening ferry" && ad.advertiser == "Harbor Lines")
        #expect(ad.categories == [VASTCategory(authority: "https://cat.test/list", code: "IAB20-1")])
        #expect(ad.errors == ["https://e.test/x?c=[ERRORCODE]&t=[TIMESTAMP]"])
        #expect(
            ad.impressions == [
                VASTLink("https://i.test/1?cb=[CACHEBUSTING]", id: "one"),
                VASTLink("https://i.test/2?a=1&b=2", id: "two"),
            ])
        #expect(ad.viewability.viewable == ["https://v.test/yes"])
        #expect(ad.viewability.notViewable == ["https://v.test/no"])
        #expect(ad.viewability.undetermined == ["https://v.test/who"])
        #expect(ad.creatives.map(\.id) == ["c1", "c2"])
        #expect(ad.creatives.first?.universalIDs.map(\.value) == ["U-77"])
    }

    @Test func `a video has its duration, skip offset, clicks, files and trackers`() throws {
        let linear = try #require(VASTDocument(reading: VASTSamples.full).ads.first?.linear)
        #expect(linear.duration == .milliseconds(20_250))
        #expect(linear.skipOffset == .time(.seconds(5)))
        #expect(linear.clickThrough == VASTLink("https://harbor.test/ferry?from=ad", id: "blog"))
        #expect(linear.clickTracking == [VASTLink("https://t.test/click", id: "k")])
        #expect(linear.customClicks == [VASTLink("https://t.test/custom")])
        #expect(
            linear.mediaFiles == [
                VASTMediaFile(
                    address: "https://cdn.test/720.mp4", type: "video/mp4", width: 1280, height: 720,
                    bitrate: 2000, codec: "avc1"),
                VASTMediaFile(
                    address: "https://cdn.test/s.m3u8", type: "application/x-mpegurl", width: 640,
                    height: 360,
                    delivery: .streaming, bitrate: 600),
            ])
        for (event, path) in [
            (VASTEvent.start, "start"), (.firstQuartile, "q1"), (.midpoint, "q2"), (.thirdQuartile, "q3"),
            (.complete, "end"), (.mute, "mute"),
        ] { #expect(linear.addresses(of: event) == ["https://t.test/\(path)"]) }
        #expect(
            linear.tracking.filter { $0.event == .progress } == [
                VASTTracking(.progress, "https://t.test/p1", offset: .time(.milliseconds(7500))),
                VASTTracking(.progress, "https://t.test/p2", offset: .permille(400)),
            ])
    }

    @Test func `companions and icons are read`() throws {
        let ad = try #require(VASTDocument(reading: VASTSamples.full).ads.first)
        let icon = try #require(ad.linear?.icons.first)
        #expect(icon.program == "AdChoices" && icon.width == 20 && icon.xPosition == "right")
        #expect(icon.offset == .time(.seconds(1)) && icon.duration == .seconds(10))
        #expect(icon.resources == [.file("https://cdn.test/i.png", type: "image/png")])
        #expect(icon.clickThrough?.address == "https://choices.test/")
        #expect(icon.clickTracking.map(\.address) == ["https://t.test/icon-click"])
        #expect(icon.views == ["https://t.test/icon-view"])
        let companion = try #require(ad.companions.first)
        #expect(companion.width == 300 && companion.height == 250 && companion.slotID == "below")
        #expect(companion.rendering == "end-card" && companion.alternative == "The evening ferry")
        #expect(
            companion.resources == [
                .file("https://cdn.test/c.png", type: "image/png"), .html("<p>Ferry</p>"),
                .frame("https://cdn.test/c.html"),
            ])
        #expect(companion.clickThrough?.address == "https://harbor.test/c")
        #expect(companion.clickTracking.map(\.address) == ["https://t.test/c-click"])
        #expect(companion.tracking == [VASTTracking(.creativeView, "https://t.test/c-view")])
        guard case .companions(let all) = ad.creatives[1].content else { return #expect(Bool(false)) }
        #expect(all.required == .any)
    }

    @Test func `all ids, captions, mezzanines, programs and measurers of an ad are read`() throws {
        let text = VASTSamples.document(Self.adWithAllParts)
        let document = try VASTDocument(reading: text)
        let ad = try #require(document.ads.first)
        #expect(document.faults.isEmpty, "\(document.faults)")
        #expect(
            ad.creatives.first?.universalIDs == [
                VASTUniversalID(registry: "ad-id.org", value: "A-1"),
                VASTUniversalID(registry: "clearcast.co.uk", value: "C/2"),
                VASTUniversalID(registry: "", value: "3"),
            ])
        let linear = try #require(ad.linear)
        #expect(
            linear.captions == [
                VASTCaption(address: "https://c.test/en.vtt", type: "text/vtt", language: "en"),
                VASTCaption(address: "https://c.test/nb.srt", type: "text/srt", language: "nb"),
            ])
        let file = VASTMediaFile(
            address: "https://c.test/raw.mov", type: "video/quicktime", width: 3840, height: 2160)
        #expect(linear.mezzanines == [VASTMezzanine(file: file, bytes: 7_000_000_000)])
        #expect(
            linear.interactiveFiles == [
                VASTInteractiveFile(
                    address: "https://c.test/simid.html", type: "text/html", apiFramework: "SIMID",
                    variesDuration: true)
            ])
        #expect(linear.mediaFiles.map(\.address) == ["https://cdn.test/a.mp4"])
        #expect(ad.verifications.map(\.vendor) == ["a.test-omid", "b.test-omid"])
        #expect(
            ad.verifications.first?.resources == [
                .init(
                    address: "https://a.test/v.js", kind: .script(isBrowserOptional: true),
                    apiFramework: "omid"),
                .init(address: "https://a.test/v.bin", kind: .executable(type: "x/y"), apiFramework: nil),
            ])
        #expect(ad.verifications.first?.parameters == "{\"k\":1}")
        #expect(ad.verifications.first?.notExecuted == ["https://a.test/not?r=[REASON]"])
    }

    private static let adWithAllParts = """
        <Ad id="r"><InLine><AdSystem>s</AdSystem><AdTitle>t</AdTitle><Impression>https://i.test</Impression>
        <AdVerifications><Verification vendor="a.test-omid">
        <JavaScriptResource apiFramework="omid" browserOptional="true">https://a.test/v.js</JavaScriptResource>
        <ExecutableResource type="x/y">https://a.test/v.bin</ExecutableResource>
        <TrackingEvents><Tracking event="verificationNotExecuted"><![CDATA[https://a.test/not?r=[REASON]]]></Tracking>
        </TrackingEvents><VerificationParameters><![CDATA[{"k":1}]]></VerificationParameters></Verification>
        </AdVerifications>
        <Extensions><Extension type="AdVerifications"><AdVerifications><Verification vendor="b.test-omid"/>
        </AdVerifications></Extension></Extensions>
        <Creatives><Creative adId="old"><UniversalAdId idRegistry="ad-id.org">A-1</UniversalAdId>
        <UniversalAdId idRegistry="clearcast.co.uk" idValue="C/2">unused</UniversalAdId>
        <UniversalAdId>3</UniversalAdId>
        <Linear><Duration>00:00:10</Duration><MediaFiles>\(VASTSamples.mediaFile)
        <Mezzanine type="video/quicktime" width="3840" height="2160" fileSize="7000000000">\
        https://c.test/raw.mov</Mezzanine>
        <InteractiveCreativeFile type="text/html" apiFramework="SIMID" variableDuration="true">\
        https://c.test/simid.html</InteractiveCreativeFile>
        <ClosedCaptionFiles><ClosedCaptionFile type="text/vtt" language="en">https://c.test/en.vtt\
        </ClosedCaptionFile><ClosedCaptionFile type="text/srt" language="nb">https://c.test/nb.srt\
        </ClosedCaptionFile></ClosedCaptionFiles></MediaFiles></Linear></Creative></Creatives></InLine></Ad>
        """

    @Test(arguments: ["2.0", "2.0.1", "3.0", "4.0", "4.1", "4.2", "4.3"])
    func `versions 2 to 4 are read`(_ version: String) throws {
        let document = try VASTDocument(
            reading: VASTSamples.document(VASTSamples.ad(), version: version))
        #expect(document.version == version && document.ads.count == 1)
    }

    @Test(arguments: ["1.0", "5", "5.0", "20", "x", "44"])
    func `other versions are error 102`(_ version: String) {
        let text = VASTSamples.document(VASTSamples.ad(), version: version)
        #expect(throws: VASTError.self) { try VASTDocument(reading: text) }
        #expect(code(text) == .unknownVersion)
    }

    @Test func `the first version's root is error 102, any other root is 101`() {
        #expect(code("<VideoAdServingTemplate/>") == .unknownVersion)
        #expect(code("<html></html>") == .invalid)
    }

    @Test func `version 2 spells the ad's id otherwise`() throws {
        let text = VASTSamples.document(
            """
            <Ad id="1"><InLine><AdSystem>s</AdSystem><AdTitle>t</AdTitle><Impression>https://i.test</Impression>
            <Creatives><Creative AdID="old-7"><Linear><Duration>00:00:10</Duration><MediaFiles>
            \(VASTSamples.mediaFile)</MediaFiles></Linear></Creative></Creatives></InLine></Ad>
            """, version: "2.0")
        let ids = try VASTDocument(reading: text).ads.first?.creatives.first?.universalIDs
        #expect(ids == [VASTUniversalID(registry: "", value: "old-7")])
    }

    @Test func `a wrapper has its address and how it may be followed`() throws {
        let text = VASTSamples.document(
            VASTSamples.wrapper(
                to: "https://next.test/v?x=1&y=[CACHEBUSTING]",
                attributes:
                    " followAdditionalWrappers=\"false\" allowMultipleAds=\"1\" fallbackOnNoAd=\"true\"",
                head: "<BlockedAdCategories authority=\"https://c.test\">IAB7</BlockedAdCategories>",
                creatives:
                    "<Creative><Linear><TrackingEvents><Tracking event=\"start\">https://t.test/w</Tracking></TrackingEvents></Linear></Creative>"
            ))
        let ad = try #require(VASTDocument(reading: text).ads.first)
        #expect(
            ad.wrapper
                == VASTWrapper(
                    address: "https://next.test/v?x=1&y=[CACHEBUSTING]", followsWrappers: false,
                    allowsPods: true, fallsBack: true,
                    blockedCategories: [VASTCategory(authority: "https://c.test", code: "IAB7")]))
        #expect(ad.linear?.addresses(of: .start) == ["https://t.test/w"])
        #expect(
            try VASTDocument(reading: VASTSamples.document(VASTSamples.wrapper(to: "https://n.test"))).ads
                .first?.wrapper == VASTWrapper(address: "https://n.test"))
    }

    @Test func `a pod is played in its sequence, and other ads stand alone`() throws {
        let document = try VASTDocument(
            reading: VASTSamples.document(
                VASTSamples.ad(id: "3", sequence: 3), VASTSamples.ad(id: "x"),
                VASTSamples.ad(id: "1", sequence: 1), VASTSamples.ad(id: "2", sequence: 2),
                VASTSamples.ad(id: "2b", sequence: 2)))
        #expect(document.pod.map(\.id) == ["1", "2", "2b", "3"])
        #expect(document.standAlone.map(\.id) == ["x"])
    }

    @Test func `no ad is no error of the document, and its address is kept`() throws {
        let document = try VASTDocument(
            reading: VASTSamples.document(head: "<Error>https://e.test/none?c=[ERRORCODE]</Error>"))
        #expect(document.ads.isEmpty && document.errors == ["https://e.test/none?c=[ERRORCODE]"])
    }

    @Test func `an offset is a time or a part of the length`() {
        #expect(VASTOffset("00:00:05") == .time(.seconds(5)))
        #expect(VASTOffset("01:02:03.004") == .time(.milliseconds(3_723_004)))
        #expect(VASTOffset("00:00:00.5") == .time(.milliseconds(500)))
        #expect(VASTOffset("25%") == .permille(250))
        #expect(VASTOffset("12.5%") == .permille(125))
        #expect(VASTOffset("100%")?.time(in: .seconds(20)) == .seconds(20))
        #expect(VASTOffset("25%")?.time(in: .seconds(20)) == .seconds(5))
        #expect(VASTOffset("00:01:00")?.time(in: .seconds(20)) == .seconds(20))
        for text in [
            "", "5", "5s", "101%", "-1%", "%", "1.%", "00:60:00", "00:00:60", "0:0", "00:00:05.", "aa:bb:cc",
            "00:00:-5", "000000:00:01", "00:00:1e1",
        ] { #expect(VASTOffset(text) == nil, "\(text)") }
    }

    private func code(_ text: String) -> VASTErrorCode? {
        do {
            _ = try VASTDocument(reading: text)
            return nil
        } catch { return error.code }
    }
}
