import Foundation
@_spi(Inlay) import InlayWire
import Testing

/// The refusal of single invalid ads, and the omission of invalid parts.
@Suite struct VASTRulesTests {
    @Test(
        arguments: [
            ("", VASTErrorCode.invalid), ("<InLine/><InLine/>", .invalid), ("<InLine/>", .invalid),
            ("<Wrapper/>", .invalid),
            ("<Wrapper><VASTAdTagURI>http://a@n.test</VASTAdTagURI></Wrapper>", .wrapper),
            ("<Wrapper><VASTAdTagURI></VASTAdTagURI></Wrapper>", .wrapper),
            ("<Wrapper><VASTAdTagURI>file:///etc/passwd</VASTAdTagURI></Wrapper>", .wrapper),
            ("<InLine><Creatives><Creative/></Creatives></InLine>", .invalid),
        ])
    func `an invalid ad is refused alone, with its error code`(_ body: String, _ code: VASTErrorCode)
        throws
    {
        let document = try VASTDocument(
            reading: VASTSamples.document(
                VASTSamples.ad(id: "1", sequence: 1), "<Ad id=\"bad\" sequence=\"2\">\(body)</Ad>",
                VASTSamples.ad(id: "3", sequence: 3)))
        #expect(document.pod.map(\.id) == ["1", "3"])
        #expect(document.refused.map(\.id) == ["bad"] && document.refused.map(\.sequence) == [2])
        #expect(document.refused.map(\.code) == [code], "\(document.refused)")
    }

    @Test(
        arguments: [
            ("<Duration>soon</Duration>", VASTSamples.mediaFile, VASTErrorCode.invalid),
            ("", VASTSamples.mediaFile, .invalid), ("<Duration>00:00:20</Duration>", "", .invalid),
            (
                "<Duration>00:00:20</Duration>",
                "<MediaFile type=\"video/mp4\">ftp://cdn.test/a.mp4</MediaFile>", .noPlayableFile
            ),
            (
                "<Duration>00:00:20</Duration>", "<MediaFile>https://cdn.test/a.mp4</MediaFile>",
                .noPlayableFile
            ),
        ])
    func `a video needs a duration and a file that may be played`(
        _ duration: String, _ media: String, _ code: VASTErrorCode
    ) throws {
        let document = try VASTDocument(
            reading: VASTSamples.document(VASTSamples.ad(media: media, duration: duration)))
        #expect(document.ads.isEmpty && document.refused.first?.code == code, "\(document.refused)")
        #expect(document.refused.first?.errors == ["https://e.test/a?c=[ERRORCODE]"])
    }

    @Test(arguments: [
        ("640.0", 640), (" 640 ", 640), ("1000000", 1_000_000), ("1000001", 0), ("-640", 0), ("0x280", 0),
        ("0x1p4", 0), ("1e2", 0), ("inf", 0), ("nan", 0), ("640px", 0), ("640,5", 0), ("", 0),
    ])
    func `a size is a decimal number, and unknown when it is none`(_ text: String, _ width: Int) throws {
        let media = "<MediaFile type=\"video/mp4\" width=\"\(text)\">https://cdn.test/a.mp4</MediaFile>"
        let document = try VASTDocument(reading: VASTSamples.document(VASTSamples.ad(media: media)))
        #expect(document.ads.first?.linear?.mediaFiles.map(\.width) == [width])
    }

    @Test(arguments: [
        "http://", "http:///x", "http://:80/", "http://user@t.test/x", "javascript:alert(1)",
        "data:text/html,x", "ftp://t.test", "/x", "t.test/x", "https://", "https:///x",
        "https://user@t.test/x", "https://t.test/a\u{7F}b", "file:///x", "about:blank",
    ])
    func `a tracker that is no web address is left out and reported`(_ address: String) throws {
        let document = try VASTDocument(
            reading: VASTSamples.document(
                VASTSamples.ad(
                    more:
                        "<TrackingEvents><Tracking event=\"start\"><![CDATA[\(address)]]></Tracking><Tracking event=\"start\">https://t.test/ok</Tracking></TrackingEvents>"
                )))
        #expect(document.ads.first?.linear?.addresses(of: .start) == ["https://t.test/ok"])
        #expect(document.faults.map(\.path) == ["Linear/Tracking"])
    }

    @Test(arguments: [
        ("http://t.test/x?a=[CACHEBUSTING]", "https://t.test/x?a=[CACHEBUSTING]"),
        ("HTTP://t.test", "https://t.test"), ("http://t.test:80/x", "https://t.test/x"),
        ("http://t.test:80", "https://t.test"), ("http://t.test:8080/x", "https://t.test:8080/x"),
        ("http://[::1]:80/x", "https://[::1]/x"),
        ("http://t.test?u=http://o.test:80/", "https://t.test?u=http://o.test:80/"),
    ])
    func `an address with http is kept with https and reported`(_ address: String, _ secured: String) throws {
        let tracking = "<Tracking event=\"start\"><![CDATA[\(address)]]></Tracking>"
        let text = VASTSamples.document(
            VASTSamples.ad(more: "<TrackingEvents>\(tracking)</TrackingEvents>"))
        let document = try VASTDocument(reading: text)
        #expect(document.ads.first?.linear?.addresses(of: .start) == [secured])
        #expect(document.upgrades.map(\.path) == ["Linear/Tracking"])
        #expect(document.upgrades.map(\.address) == [address])
        #expect(document.upgradeCount == 1 && document.faults.isEmpty)
    }

    @Test func `impressions, errors, clicks, files and wrappers with http are kept with https`() throws {
        func plain(_ text: String) -> String { text.replacingOccurrences(of: "https://", with: "http://") }
        let texts = [VASTSamples.full, VASTSamples.document(VASTSamples.wrapper(to: "https://n.test/v"))]
        for text in texts {
            let secure = try VASTDocument(reading: text)
            let document = try VASTDocument(reading: plain(text))
            func shown(_ ad: VASTAd?) -> String {
                "\(ad?.content as Any) \(ad?.creatives as Any) \(ad?.impressions as Any)"
            }
            #expect(shown(document.ads.first) == shown(secure.ads.first))
            #expect(document.ads.first?.errors == secure.ads.first?.errors)
            #expect(document.upgradeCount > 0 && document.upgrades.count == document.upgradeCount)
        }
    }

    @Test func `at most 50 upgraded addresses are named and all are counted`() throws {
        let many = (0..<40).map { "<Impression>http://i.test/\($0)</Impression>" }.joined()
        let tracking = (0..<40).map { "<Tracking event=\"start\">http://t.test/\($0)</Tracking>" }.joined()
        let document = try VASTDocument(
            reading: VASTSamples.document(
                VASTSamples.ad(head: many, more: "<TrackingEvents>\(tracking)</TrackingEvents>")))
        #expect(document.upgrades.count == 50 && document.upgradeCount == 80)
    }

    @Test func `an address of more than 4 KiB is left out`() throws {
        func address(_ count: Int) -> String {
            "https://i.test/" + String(repeating: "x", count: count - 15)
        }
        let document = try VASTDocument(
            reading: VASTSamples.document(
                VASTSamples.ad(
                    head:
                        "<Impression>\(address(4097))</Impression><Impression>\(address(4096))</Impression>")
            ))
        #expect(document.ads.first?.impressions.map(\.address.utf8.count) == [16, 4096])
        #expect(document.faults.count == 1)
    }

    @Test func `at most 50 addresses are kept for one event of one ad`() throws {
        let many = (0..<60).map { "<Impression>https://i.test/\($0)</Impression>" }.joined()
        let tracking = (0..<60).map { "<Tracking event=\"start\">https://t.test/\($0)</Tracking>" }.joined()
        let text = VASTSamples.document(
            VASTSamples.ad(
                id: "1", head: many,
                more:
                    "<TrackingEvents>\(tracking)<Tracking event=\"complete\">https://t.test/c</Tracking></TrackingEvents>"
            ), VASTSamples.ad(id: "2", head: many))
        let document = try VASTDocument(reading: text)
        #expect(document.ads.map(\.impressions.count) == [50, 50])
        #expect(document.ads.first?.linear?.addresses(of: .start).count == 50)
        #expect(document.ads.first?.linear?.addresses(of: .complete).count == 1)
        #expect(!document.faults.isEmpty)
    }

    @Test func `more ads than the limit are left out`() throws {
        let ads = (0..<30).map { VASTSamples.ad(id: "\($0)") }.joined()
        let document = try VASTDocument(reading: VASTSamples.document(ads))
        #expect(document.ads.count == 20 && document.ads.last?.id == "19")
    }

    @Test func `progress needs an offset, and a bad skip offset means no skipping`() throws {
        let document = try VASTDocument(
            reading: VASTSamples.document(
                VASTSamples.ad(
                    linear: " skipoffset=\"soon\"",
                    more:
                        "<TrackingEvents><Tracking event=\"progress\">https://t.test/p</Tracking><Tracking>https://t.test/n</Tracking></TrackingEvents>"
                )))
        let linear = document.ads.first?.linear
        #expect(linear?.skipOffset == nil && linear?.tracking.isEmpty == true)
        #expect(document.faults.count == 3, "\(document.faults)")
    }

    @Test func `plain http is read from hosts that were named, and from no other`() throws {
        let text = VASTSamples.document(
            VASTSamples.ad(
                media: """
                    <MediaFile type="video/mp4">http://127.0.0.1:8080/a.mp4</MediaFile>
                    <MediaFile type="video/mp4">http://127.0.0.1.evil.test/a.mp4</MediaFile>
                    <MediaFile type="video/mp4">http://127.0.0.1@evil.test/a.mp4</MediaFile>
                    <MediaFile type="video/mp4">http://localhost/a.mp4</MediaFile>
                    """))
        let limits = VASTLimits(cleartextHosts: ["127.0.0.1"])
        let files = try VASTDocument(reading: text, limits: limits).ads.first?.linear?.mediaFiles
        #expect(
            files?.map(\.address) == [
                "http://127.0.0.1:8080/a.mp4", "https://127.0.0.1.evil.test/a.mp4", "https://localhost/a.mp4",
            ])
    }

    @Test func `a script is no image resource`() throws {
        let document = try VASTDocument(
            reading: VASTSamples.document(
                VASTSamples.ad(
                    more:
                        "<Icons><Icon program=\"x\"><StaticResource creativeType=\"application/x-javascript\">https://c.test/x.js</StaticResource></Icon></Icons>"
                )))
        #expect(document.ads.first?.linear?.icons.first?.resources == [])
        #expect(document.faults.map(\.path) == ["Icon/StaticResource"])
    }
}
