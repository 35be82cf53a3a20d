import Foundation
@_spi(Inlay) import InlayWire
import Testing

/// Addresses in VAST documents as ad servers write them.
@Suite struct VASTAddressTests {
    private func read(_ ad: String, from source: String? = nil) throws -> VASTDocument {
        let text = VASTSamples.document(ad)
        return try VASTDocument(reading: Data(text.utf8), from: source.flatMap { URL(string: $0) })
    }

    private func tracking(_ address: String) -> String {
        "<TrackingEvents><Tracking event=\"start\"><![CDATA[\(address)]]></Tracking></TrackingEvents>"
    }

    @Test func `a file's name with blanks and an address over several lines are read`() throws {
        let media = """
            <MediaFile type="video/mp4">https://cdn.test/My Ad 30s.mp4</MediaFile>
            <MediaFile type="video/mp4">
              https://cdn.test/clip
                  .mp4?a=1
              \t&amp;b=%20
            </MediaFile>
            """
        let document = try read(
            VASTSamples.ad(more: tracking("\n https://t.test/i?a=b c&e=[ERRORCODE] \n"), media: media))
        let linear = try #require(document.ads.first?.linear)
        #expect(
            linear.mediaFiles.map(\.address) == [
                "https://cdn.test/My%20Ad%2030s.mp4", "https://cdn.test/clip.mp4?a=1&b=%20",
            ])
        #expect(linear.addresses(of: .start) == ["https://t.test/i?a=b%20c&e=[ERRORCODE]"])
        #expect(document.faults.isEmpty && document.upgradeCount == 0)
    }

    @Test func `an address that begins with two slashes is https in any document`() throws {
        let media = "<MediaFile type=\"video/mp4\">//media.test/clip.mp4</MediaFile>"
        for source in [nil, "https://ads.test/vast.xml"] {
            let ad = VASTSamples.ad(more: tracking("//ads.test/i"), media: media)
            let document = try read(ad, from: source)
            #expect(document.ads.first?.linear?.mediaFiles.map(\.address) == ["https://media.test/clip.mp4"])
            #expect(document.ads.first?.linear?.addresses(of: .start) == ["https://ads.test/i"])
            #expect(document.faults.isEmpty && document.upgradeCount == 0)
            let wrapper = try read(VASTSamples.wrapper(to: "//ads.test/inner.xml"), from: source)
            #expect(wrapper.ads.first?.wrapper?.address == "https://ads.test/inner.xml")
        }
    }

    private static let relative = """
        <Icons><Icon program="x"><StaticResource creativeType="image/png">i.png</StaticResource></Icon>\
        </Icons>
        <VideoClicks><ClickThrough>/shop?a=1</ClickThrough></VideoClicks>
        """

    @Test func `relative addresses are resolved against the document's own`() throws {
        let source = "https://ads.test:8443/v/1.xml?x=%20y"
        let ad = VASTSamples.ad(
            head: "<Impression>../i?e=[ERRORCODE]</Impression>", more: Self.relative + tracking("?s"),
            media: "<MediaFile type=\"video/mp4\">/clip.mp4</MediaFile>")
        let document = try read(ad, from: source)
        let first = try #require(document.ads.first), linear = try #require(first.linear)
        #expect(document.faults.isEmpty, "\(document.faults)")
        #expect(first.impressions.last?.address == "https://ads.test:8443/i?e=[ERRORCODE]")
        #expect(linear.mediaFiles.map(\.address) == ["https://ads.test:8443/clip.mp4"])
        #expect(linear.clickThrough?.address == "https://ads.test:8443/shop?a=1")
        #expect(linear.addresses(of: .start) == ["https://ads.test:8443/v/1.xml?s"])
        #expect(
            linear.icons.first?.resources == [.file("https://ads.test:8443/v/i.png", type: "image/png")])
        let wrapper = try read(VASTSamples.wrapper(to: "/inner.xml"), from: source)
        #expect(wrapper.ads.first?.wrapper?.address == "https://ads.test:8443/inner.xml")
    }

    @Test(arguments: [
        ("/i", "relative"), ("i?a=b c", "relative"), ("https://me@t.test/i", "user name"),
        ("https://t.test/\u{7F}", "control"), ("https:///x", "host"), ("mailto:a@b.test", "http or https"),
        (String(repeating: "../", count: 10_000), "4096 bytes"),
        ("https://t.test/" + String(repeating: "x", count: 5 << 10), "4096 bytes"),
    ])
    func `an address that is left out is reported with its reason`(_ address: String, _ reason: String) throws
    {
        let document = try read(VASTSamples.ad(more: tracking(address)))
        #expect(document.ads.first?.linear?.addresses(of: .start) == [])
        #expect(document.faults.map(\.path) == ["Linear/Tracking"])
        #expect(document.faults.first?.detail.contains(reason) == true, "\(document.faults)")
        let wrapper = try read(VASTSamples.wrapper(to: address))
        #expect(wrapper.refused.first?.code == .wrapper)
        #expect(wrapper.refused.first?.detail.contains(reason) == true, "\(wrapper.refused)")
    }

    @Test func `an address of white space alone is ignored`() throws {
        let document = try read(VASTSamples.ad(more: tracking("  \n\t ")), from: "https://ads.test/")
        #expect(document.ads.first?.linear?.tracking.isEmpty == true && document.faults.isEmpty)
    }

    @Test func `a document from this machine over http may use http for this machine only`()
        throws
    {
        let ad = VASTSamples.ad(
            media: """
                <MediaFile type="video/mp4">/a.mp4</MediaFile>
                <MediaFile type="video/mp4">//cdn.test/b.mp4</MediaFile>
                <MediaFile type="video/mp4">//127.0.0.1:8081/c.mp4</MediaFile>
                <MediaFile type="video/mp4">http://cdn.test/d.mp4</MediaFile>
                """)
        let limits = VASTLimits(cleartextHosts: ["127.0.0.1"])
        let document = try VASTDocument(
            reading: Data(VASTSamples.document(ad).utf8), from: URL(string: "http://127.0.0.1:8080/v.xml"),
            limits: limits)
        #expect(
            document.ads.first?.linear?.mediaFiles.map(\.address) == [
                "http://127.0.0.1:8080/a.mp4", "https://cdn.test/b.mp4", "http://127.0.0.1:8081/c.mp4",
                "https://cdn.test/d.mp4",
            ])
        // Only the last address has the scheme http in the document.
        #expect(document.upgrades.map(\.address) == ["http://cdn.test/d.mp4"] && document.upgradeCount == 1)
    }

    @Test(arguments: [
        ("15", 15_000), ("0:15", 15_000), ("00:00:60", 60_000), ("00:90", 90_000), ("1:05:15", 3_915_000),
        ("15.5", 15_500), ("0:15.250", 15_250), ("600", 600_000), ("00:60:00", 3_600_000),
        ("00:00:15", 15_000), (" 00:00:15 ", 15_000),
    ])
    func `a duration is read in the forms that ad servers write`(_ text: String, _ milliseconds: Int) throws {
        let document = try read(VASTSamples.ad(duration: "<Duration>\(text)</Duration>"))
        #expect(document.ads.first?.linear?.duration == .milliseconds(milliseconds))
        #expect(document.refused.isEmpty && document.faults.isEmpty)
    }

    @Test(arguments: [
        "", "soon", "15s", "-15", "+15", "1e3", "0x15", "١٥", "1:2:3:4", "00:00:", ":15", "0:100",
        "100000", "15.", ".5", "00:00:015", "1,5",
    ])
    func `a video with a missing or invalid duration is refused`(_ text: String) throws {
        let document = try read(VASTSamples.ad(duration: "<Duration>\(text)</Duration>"))
        #expect(document.ads.isEmpty && document.refused.map(\.code) == [.invalid])
    }

    @Test(arguments: ["<VAST>", "<VAST version=\"\">", "<VAST version=\" \">"])
    func `a document without a version is read as the newest`(_ root: String) throws {
        let document = try VASTDocument(reading: "\(root)\(VASTSamples.ad())</VAST>")
        #expect(document.version == VASTDocument.newestVersion && document.ads.count == 1)
    }
}
