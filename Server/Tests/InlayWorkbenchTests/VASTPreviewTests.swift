@_spi(Inlay) import InlayWire
import Testing

@testable import InlayWorkbench
@testable import InlayAdsServer

/// The Workbench's preview of a VAST creative: the parts that apps play, call, leave out and refuse.
@Suite struct VASTPreviewTests {
    private static let video = """
        <Creative><Linear skipoffset="25%"><Duration>00:01:30.500</Duration>
        <TrackingEvents><Tracking event="start">https://t.test/start</Tracking>
        <Tracking event="start">https://u.test/start</Tracking>
        <Tracking event="progress" offset="00:00:10">https://t.test/ten</Tracking>
        <Tracking event="complete">http://t.test/plain</Tracking></TrackingEvents>
        <VideoClicks><ClickThrough>https://shop.test/</ClickThrough></VideoClicks>
        <Icons><Icon program="AdChoices" width="20" height="20"><StaticResource creativeType="image/png">\
        https://i.test/a.png</StaticResource></Icon></Icons>
        <MediaFiles>
        <MediaFile type="video/mp4" width="640" height="360" bitrate="500">https://m.test/small.mp4</MediaFile>
        <MediaFile type="video/mp4" width="1280" height="720" bitrate="2500">https://m.test/large.mp4</MediaFile>
        <MediaFile type="application/javascript" apiFramework="VPAID">https://m.test/unit.js</MediaFile>
        <MediaFile type="video/x-flv" width="640" height="360">https://m.test/old.flv</MediaFile>
        </MediaFiles></Linear></Creative>
        """
    private static let companions = """
        <Creative><CompanionAds><Companion width="300" height="250"><IFrameResource>https://c.test/page\
        </IFrameResource><CompanionClickThrough>https://shop.test/c</CompanionClickThrough></Companion>\
        </CompanionAds></Creative>
        """

    private func document(_ ads: String...) -> String {
        "<VAST version=\"4.2\">\(ads.joined())</VAST>"
    }

    private func ad(_ id: String, _ creatives: String, sequence: Int? = nil) -> String {
        """
        <Ad id="\(id)"\(sequence.map { " sequence=\"\($0)\"" } ?? "")><InLine><AdSystem>S</AdSystem>\
        <AdTitle>\(id)</AdTitle><Error>https://t.test/e?c=[ERRORCODE]</Error>\
        <Impression>https://t.test/seen</Impression><Creatives>\(creatives)</Creatives></InLine></Ad>
        """
    }

    @Test func `the file that apps choose comes first, and what they do not play is listed with its reason`()
        throws
    {
        let preview = VASTPreview(document(ad("Boat", Self.video + Self.companions)))
        let ad = try #require(preview.ads.first)
        #expect(preview.vastText == "VAST 4.2, 1 ad" && preview.vastFault == nil)
        #expect(ad.verdict.verdictText == "Can be played")
        #expect(
            ad.files.map(\.verdict.verdictText) == [
                "Chosen", "Number 2", "Program (VPAID)", "Unsupported type",
            ])
        #expect(ad.files.first?.fileAddress == "https://m.test/large.mp4")
        #expect(preview.mediaFile?.address == "https://m.test/large.mp4")
    }

    @Test func `length, skip, tap, events and companions are shown in words`() throws {
        let preview = VASTPreview(document(ad("Boat", Self.video + Self.companions)))
        let ad = try #require(preview.ads.first)
        let facts = Dictionary(uniqueKeysWithValues: ad.adFacts.map { ($0.factName, $0.factValue) })
        #expect(facts["Length"] == "1 min 30.5 s" && facts["Click-through address"] == "https://shop.test/")
        #expect(facts["Can be skipped"] == "after 25 % (22.625 s)")
        #expect(
            ad.calls.map { "\($0.callName) \($0.callCount)" } == [
                "Impression 1", "start 2", "progress at 10 s 1", "complete 1", "Error 1",
            ])
        #expect(ad.calls[1].addresses == ["https://t.test/start", "https://u.test/start"])
        #expect(ad.banners.map(\.bannerName) == ["Companion", "Icon of AdChoices"])
        #expect(ad.banners.map(\.bannerSize) == ["300 × 250", "20 × 20"])
        #expect(ad.banners.first?.bannerShows == "A page in a frame: https://c.test/page")
        // The tracker with an http address is called over https, and the preview lists it.
        #expect(preview.leftOut.isEmpty && preview.plain?.plainCount == "1 address")
        #expect(preview.plain?.plainRows.map(\.plainAddress) == ["http://t.test/plain"])
        #expect(preview.plain?.plainRows.map(\.plainPlace) == ["Linear/Tracking"])
    }

    @Test(arguments: [
        ("not XML", "Refused with VAST error 100"),
        ("<VAST version=\"9\"/>", "Refused with VAST error 102"),
        ("<!DOCTYPE a [<!ENTITY x \"y\">]><VAST version=\"4.2\"/>", "Refused with VAST error 100"),
        ("<VAST version=\"4.2\"/>", "Refused with VAST error 303"),
    ])
    func `a document that apps refuse is shown with its VAST error`(_ markup: String, _ words: String) {
        let preview = VASTPreview(markup)
        #expect(preview.vastFault?.verdictText == words && preview.ads.isEmpty && preview.mediaFile == nil)
        #expect(preview.vastFault?.verdictWhy?.isEmpty == false)
    }

    @Test func `an ad that apps refuse is shown with its VAST error beside the other ads`() {
        let overlay =
            "<Creative><NonLinearAds><NonLinear width=\"1\" height=\"1\"/></NonLinearAds></Creative>"
        let program = """
            <Creative><Linear><Duration>00:00:10</Duration><MediaFiles><MediaFile type="video/x-flv">\
            https://m.test/a.flv</MediaFile></MediaFiles></Linear></Creative>
            """
        let plain = program.replacing("https:", with: "ftp:")
        let preview = VASTPreview(
            document(
                ad("Overlay", overlay), ad("Flash", program), ad("Plain", plain), ad("Empty", ""),
                ad("Good", Self.video)))
        let verdicts = preview.ads.map { "\($0.adTitle): \($0.verdict.verdictText)" }
        #expect(
            verdicts == [
                "Overlay: Refused with VAST error 201", "Flash: Refused with VAST error 403",
                "Good: Can be played", "Ad Plain: Refused with VAST error 403",
                "Ad Empty: Refused with VAST error 101",
            ])
        #expect(preview.mediaFile?.address == "https://m.test/large.mp4")
    }

    @Test func `a wrapper is shown and not followed, and nothing is played before it`() throws {
        let wrapper = """
            <Ad id="w"><Wrapper followAdditionalWrappers="false"><AdSystem>W</AdSystem>\
            <VASTAdTagURI>https://w.test/next</VASTAdTagURI><Impression>https://w.test/i</Impression>\
            </Wrapper></Ad>
            """
        let preview = VASTPreview(document(wrapper, ad("Boat", Self.video)))
        let first = try #require(preview.ads.first)
        let facts = Dictionary(uniqueKeysWithValues: first.adFacts.map { ($0.factName, $0.factValue) })
        #expect(first.verdict.verdictText == "Behind a wrapper" && first.files.isEmpty)
        #expect(facts["Wrapped ad"] == "https://w.test/next")
        #expect(facts["Another wrapper behind it"] == "is not followed")
        #expect(preview.mediaFile == nil)
    }

    @Test func `ads are listed in the order in which apps try them`() {
        let preview = VASTPreview(
            document(
                ad("Spare", Self.video), ad("Second", Self.video, sequence: 2),
                ad("First", Self.video, sequence: 1)))
        #expect(preview.ads.map(\.adTitle) == ["First", "Second", "Spare"])
    }

    @Test func `media files on the same machine are chosen only where apps accept them`() {
        let markup = document(ad("Boat", Self.video.replacing("https://m.test", with: "http://127.0.0.1:80")))
        #expect(VASTPreview(markup).mediaFile?.address == "https://127.0.0.1/large.mp4")
        let loopback = VASTPreview(markup, cleartextHosts: ["127.0.0.1"])
        #expect(loopback.mediaFile?.address == "http://127.0.0.1:80/large.mp4")
        #expect(loopback.limitText.contains("over http from the same machine"))
    }

    @Test func `the addresses that a creative of HTML loads with http are named and counted`() {
        let pictures = (0..<60).map { "<img src='http://t.test/\($0).png'>" }.joined()
        let creative = AdCreative(
            campaignID: "c", name: "x",
            markup:
                "<a href=\"http://shop.test/\">Go</a><p style=\"background:url(http://t.test/b.png)\">\(pictures)"
        )
        let plain = AdPreview(creative, at: "/p", cleartextHosts: []).plain
        #expect(
            plain?.plainCount == "61 addresses" && plain?.plainRows.count == 50
                && plain?.plainMore == "and 11 more")
        #expect(
            plain?.plainRows.prefix(2).map(\.plainAddress) == ["http://t.test/b.png", "http://t.test/0.png"])
        let secure = AdCreative(
            campaignID: "c", name: "x", markup: "<img src=https://t.test/a.png>http://t.test")
        #expect(AdPreview(secure, at: "/p", cleartextHosts: []).plain == nil)
    }

    @Test(arguments: [
        ("<p>x</p>", "<meta charset=\"utf-8\"><style>"),
        (" <!DOCTYPE html><p>x</p>", " <!DOCTYPE html><p>x</p>"),
    ])
    func `a preview begins with a document type only where the markup does`(_ markup: String, _ start: String)
    {
        let creative = AdCreative(campaignID: "c", name: "x", markup: markup)
        #expect(AdPreview.document(of: creative, cleartextHosts: [])?.hasPrefix(start) == true)
    }

    @Test func `many addresses of one event are counted, and three are listed`() throws {
        let many = (0..<60).map { "<Tracking event=\"mute\">https://t.test/\($0)</Tracking>" }.joined()
        let markup = document(
            ad("Boat", Self.video.replacing("</TrackingEvents>", with: many + "</TrackingEvents>")))
        let preview = VASTPreview(markup)
        let mute = try #require(preview.ads.first?.calls.first { $0.callName == "mute" })
        #expect(mute.callCount == "50" && mute.addresses.count == 3 && mute.moreText == "and 47 more")
        #expect(preview.leftOut.contains { $0.leftOutRule.contains("more than 50") })
    }
}
