import Foundation
@_spi(Inlay) import InlayCore
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
import Testing

@_spi(Inlay) @testable import InlayAds

@Suite struct VASTResolverTests {
    private let transport = ScriptedTransport()
    private let clock = ManualClock()

    private func resolver(_ rules: VASTResolver.Rules = .init()) -> VASTResolver {
        VASTResolver(transport: transport, clock: clock, rules: rules, random: { 7 })
    }

    private func serve(_ path: String, _ document: String) {
        transport.always(path, .response(TransportResponse(status: 200, body: Data(document.utf8))))
    }

    private func codes(_ found: VASTResolution) -> [Int] { found.failures.map(\.code.rawValue) }

    @Test func `an ad in line needs no request`() async {
        let found = await resolver().resolve(VASTTexts.document(VASTTexts.inline("a")))
        #expect(found.ads.map(\.id) == ["a"] && found.failures.isEmpty)
        #expect(transport.requests.isEmpty)
    }

    @Test func `the trackers of all wrappers are merged, the outermost first`() async throws {
        serve("/1", VASTTexts.document(VASTTexts.wrapper("w2", to: "https://n.test/2?cb=[CACHEBUSTING]")))
        serve("/2", VASTTexts.document(VASTTexts.inline("a")))
        let found = await resolver().resolve(
            VASTTexts.document(VASTTexts.wrapper("w1", to: "https://n.test/1")))
        let ad = try #require(found.ads.first)
        #expect(ad.wrappers == 2 && ad.id == "a" && ad.title == "Title a")
        #expect(ad.impressions == ["https://i.test/w1", "https://i.test/w2", "https://i.test/a"])
        #expect(
            ad.errors == [
                "https://e.test/w1?c=[ERRORCODE]", "https://e.test/w2?c=[ERRORCODE]",
                "https://e.test/a?c=[ERRORCODE]",
            ])
        #expect(
            ad.video.addresses(of: .start) == [
                "https://t.test/w1/start", "https://t.test/w2/start", "https://t.test/a/start",
            ])
        #expect(
            ad.video.clickTracking.map(\.address) == [
                "https://t.test/w1/click", "https://t.test/w2/click", "https://t.test/a/click",
            ])
        #expect(ad.video.clickThrough?.address == "https://shop.test/a")
        #expect(ad.video.mediaFiles.count == 1)
        #expect(
            transport.requests.map(\.url.absoluteString) == [
                "https://n.test/1", "https://n.test/2?cb=00000007",
            ])
        #expect(transport.requests.allSatisfy { $0.headers["Authorization"] == nil })
    }

    @Test func `five wrappers are followed, the sixth is error 302 at the error address of each`() async {
        for number in 1...6 {
            serve(
                "/\(number)",
                VASTTexts.document(VASTTexts.wrapper("w\(number)", to: "https://n.test/\(number + 1)")))
        }
        serve("/5", VASTTexts.document(VASTTexts.inline("a")))
        let start = VASTTexts.document(VASTTexts.wrapper("w0", to: "https://n.test/1"))
        #expect(await resolver().resolve(start).ads.first?.wrappers == 5)
        serve("/5", VASTTexts.document(VASTTexts.wrapper("w5", to: "https://n.test/6")))
        let found = await resolver().resolve(start)
        #expect(found.ads.isEmpty && codes(found) == [302])
        #expect(
            found.failures.flatMap(\.calls)
                == (0...5).map { "https://e.test/w\($0)?c=302" })
    }

    @Test func `a loop of wrappers ends at once with error 302`() async {
        serve("/1", VASTTexts.document(VASTTexts.wrapper("w1", to: "https://n.test/2")))
        serve("/2", VASTTexts.document(VASTTexts.wrapper("w2", to: "https://n.test/1")))
        let found = await resolver().resolve(
            VASTTexts.document(VASTTexts.wrapper("w0", to: "https://n.test/1")))
        #expect(found.ads.isEmpty && codes(found) == [302])
        #expect(transport.requests.count == 2)
    }

    @Test func `a wrapper may forbid further wrappers`() async {
        serve("/1", VASTTexts.document(VASTTexts.wrapper("w1", to: "https://n.test/2")))
        let found = await resolver().resolve(
            VASTTexts.document(
                VASTTexts.wrapper(
                    "w0", to: "https://n.test/1", attributes: " followAdditionalWrappers=\"false\"")))
        #expect(codes(found) == [302] && transport.requests.count == 1)
    }

    @Test func `no ad behind a wrapper is error 303 at the error addresses of the wrapper and the document`()
        async
    {
        serve("/1", VASTTexts.document(head: "<Error>https://e.test/none?c=[ERRORCODE]</Error>"))
        let start = VASTTexts.document(VASTTexts.wrapper("w", to: "https://n.test/1"))
        let found = await resolver().resolve(start)
        #expect(
            found.failures.flatMap(\.calls) == ["https://e.test/w?c=303", "https://e.test/none?c=303"])
        transport.always("/1", .status(204))
        #expect(codes(await resolver().resolve(start)) == [303])
    }

    @Test func `no answer, or a status that is no success, is 301`() async {
        let start = VASTTexts.document(VASTTexts.wrapper("w", to: "https://n.test/1"))
        for answer in [
            ScriptedResponse.failure(.unreachable("x")), .failure(.denied), .status(404), .status(500),
        ] {
            transport.always("/1", answer)
            let found = await resolver().resolve(start)
            #expect(codes(found) == [301] && found.failures.flatMap(\.calls) == ["https://e.test/w?c=301"])
        }
    }

    @Test func `an unreadable document behind a wrapper has its own error code`() async {
        let start = VASTTexts.document(VASTTexts.wrapper("w", to: "https://n.test/1"))
        for (text, code) in [
            ("<VAST", 100), ("<html/>", 101), ("<VAST version=\"9.0\"/>", 102),
            ("<!DOCTYPE a><VAST version=\"4.0\"/>", 100), ("", 100),
        ] {
            serve("/1", text)
            #expect(codes(await resolver().resolve(start)) == [code], "\(text)")
        }
        transport.always("/1", .failure(.tooLarge))
        #expect(codes(await resolver().resolve(start)) == [100])
    }

    @Test func `a document is given up after its time limit on the session's clock`()
        async throws
    {
        transport.hold("/1")
        let start = VASTTexts.document(VASTTexts.wrapper("w", to: "https://n.test/1"))
        async let found = resolver().resolve(start)
        try await transport.untilHeld("/1")
        try await clock.untilSleeping(for: .seconds(3))
        clock.advance(by: .seconds(3))
        #expect(codes(await found) == [301])
        #expect(transport.requests.first?.timeout == .seconds(3))
    }

    @Test func `all documents together have one deadline`() async throws {
        let clock = clock
        for number in 1...4 {
            let text = VASTTexts.document(VASTTexts.wrapper("w\(number)", to: "https://n.test/\(number + 1)"))
            transport.always(
                "/\(number)",
                .handler { _ in
                    // The answer comes, but late.
                    clock.set(to: clock.now() + .milliseconds(2_500))
                    return TransportResponse(status: 200, body: Data(text.utf8))
                })
        }
        let found = await resolver().resolve(
            VASTTexts.document(VASTTexts.wrapper("w0", to: "https://n.test/1")))
        #expect(codes(found) == [301])
        #expect(transport.requests.count == 4)
        #expect(transport.requests.last?.timeout == .milliseconds(500))
    }

    @Test func `redirects are followed, over https alone and not in circles`() async {
        transport.always("/1", .status(302, headers: ["Location": "https://m.test/2"]))
        transport.always("/2", .status(307, headers: ["Location": "/3?x=1"]))
        serve("/3", VASTTexts.document(VASTTexts.inline("a")))
        let start = VASTTexts.document(VASTTexts.wrapper("w", to: "https://n.test/1"))
        #expect(await resolver().resolve(start).ads.map(\.id) == ["a"])
        #expect(transport.requests.last?.url.absoluteString == "https://m.test/3?x=1")
        for (location, code) in [
            ("ftp://m.test/3", 300), ("file:///etc/passwd", 300), ("", 300), ("https://me@m.test/3", 300),
            ("https://n.test/1", 302),
        ] {
            transport.always("/1", .status(302, headers: ["Location": location]))
            #expect(codes(await resolver().resolve(start)) == [code], "\(location)")
        }
        transport.always(
            "/1",
            .handler { request in
                let next =
                    "https://n.test/1?n=\((request.url.query?.count ?? 0) + 1)" + (request.url.query ?? "")
                return TransportResponse(status: 302, headers: ["Location": next])
            })
        let before = transport.requests.count
        #expect(codes(await resolver().resolve(start)) == [300])
        #expect(transport.requests.count == before + 6)
    }

    @Test func `a document resolves its addresses against its own, behind redirects`() async throws {
        let redirect = ["Location": "//m.test/v/two.xml?x=%20y&z={a}"]
        transport.always("/1", .status(302, headers: redirect))
        serve(
            "/v/two.xml",
            VASTTexts.document(VASTTexts.wrapper("w2", to: "/inner.xml?n=Æ%20&cb=[CACHEBUSTING]")))
        serve(
            "/inner.xml",
            VASTTexts.document(
                VASTTexts.inline(
                    "a", head: "<Impression>../i?e=[ERRORCODE]</Impression>",
                    media: "<MediaFile type=\"video/mp4\">clips/My Ad.mp4</MediaFile>")))
        let found = await resolver().resolve(
            VASTTexts.document(VASTTexts.wrapper("w1", to: "https://n.test/1")))
        #expect(
            transport.requests.map(\.url.absoluteString) == [
                "https://n.test/1", "https://m.test/v/two.xml?x=%20y&z=%7Ba%7D",
                "https://m.test/inner.xml?n=%C3%86%20&cb=00000007",
            ])
        let ad = try #require(found.ads.first)
        #expect(ad.video.mediaFiles.map(\.address) == ["https://m.test/clips/My%20Ad.mp4"])
        #expect(ad.impressions.last == "https://m.test/i?e=[ERRORCODE]")
    }

    @Test func `a code is filled in also where the macro came percent-encoded`() async {
        let address = "https://e.test/?u=%5BERRORCODE%5D&v=%5bERRORCODE%5d"
        let bad = "<Ad><InLine><Error>\(address)</Error></InLine></Ad>"
        let found = await resolver().resolve(VASTTexts.document(bad))
        #expect(found.failures.flatMap(\.calls) == ["https://e.test/?u=101&v=101"])
    }

    @Test func `a wrapper or a redirect with http is asked over https and never otherwise`() async {
        transport.always("/1", .status(302, headers: ["Location": "http://m.test/2"]))
        serve("/2", VASTTexts.document(VASTTexts.inline("a")))
        let found = await resolver().resolve(
            VASTTexts.document(VASTTexts.wrapper("w", to: "http://n.test/1")))
        #expect(found.ads.map(\.id) == ["a"])
        #expect(transport.requests.map(\.url.absoluteString) == ["https://n.test/1", "https://m.test/2"])
        transport.always("/1", .failure(.unreachable("no TLS")))
        let lost = await resolver().resolve(
            VASTTexts.document(VASTTexts.wrapper("w", to: "http://n.test/1")))
        #expect(codes(lost) == [301] && transport.requests.allSatisfy { $0.url.scheme == "https" })
    }

    @Test func `an ad that is not tried calls no error address`() async {
        let bad = "<Ad id=\"bad\"><InLine><Error>https://e.test/bad?c=[ERRORCODE]</Error></InLine></Ad>"
        serve("/1", VASTTexts.document(VASTTexts.inline("first"), bad))
        let used = await resolver().resolve(
            VASTTexts.document(VASTTexts.wrapper("w", to: "https://n.test/1")))
        #expect(used.ads.map(\.id) == ["first"] && used.failures.isEmpty)
        // In the other order the bad ad is tried, and its error address is called.
        serve("/1", VASTTexts.document(bad, VASTTexts.inline("second")))
        let tried = await resolver().resolve(
            VASTTexts.document(VASTTexts.wrapper("w", to: "https://n.test/1")))
        #expect(tried.ads.map(\.id) == ["second"])
        #expect(tried.failures.flatMap(\.calls) == ["https://e.test/w?c=101", "https://e.test/bad?c=101"])
    }

    @Test func `ads after the last wanted one are neither requested nor reported`() async {
        let pod = VASTTexts.document(
            VASTTexts.inline("1", sequence: 1),
            VASTTexts.wrapper("2", to: "https://n.test/gone", sequence: 2),
            "<Ad id=\"bad\" sequence=\"3\"/>")
        let found = await resolver().resolve(pod) { _ in true }
        #expect(found.ads.map(\.id) == ["1"] && found.failures.isEmpty && transport.requests.isEmpty)
        #expect(codes(await resolver().resolve(pod)).sorted() == [101, 301])
    }

    @Test func `a wrapper without a web address is never asked`() async {
        for address in ["ftp://n.test/1", "file:///x", "javascript:1", "https://"] {
            let found = await resolver().resolve(
                VASTTexts.document(VASTTexts.wrapper("w", to: address)))
            #expect(codes(found) == [300] && found.failures.flatMap(\.calls) == ["https://e.test/w?c=300"])
        }
        #expect(transport.requests.isEmpty)
    }

    @Test func `a bad ad of a pod is replaced by an ad without a sequence, and the others stay`() async {
        let found = await resolver().resolve(
            VASTTexts.document(
                VASTTexts.inline("spare"), VASTTexts.inline("3", sequence: 3),
                VASTTexts.wrapper("2", to: "https://n.test/gone", sequence: 2),
                VASTTexts.inline("1", sequence: 1), "<Ad id=\"bad\" sequence=\"4\"/>"))
        #expect(found.ads.map(\.id) == ["1", "spare", "3"])
        #expect(codes(found).sorted() == [101, 301])
    }

    @Test func `a pod behind a wrapper is used only with allowMultipleAds`() async {
        serve(
            "/1", VASTTexts.document(VASTTexts.inline("2", sequence: 2), VASTTexts.inline("1", sequence: 1)))
        let pod = await resolver().resolve(
            VASTTexts.document(
                VASTTexts.wrapper("w", to: "https://n.test/1", attributes: " allowMultipleAds=\"true\"")))
        #expect(pod.ads.map(\.id) == ["1", "2"])
        let single = await resolver().resolve(
            VASTTexts.document(VASTTexts.wrapper("w", to: "https://n.test/1")))
        #expect(single.ads.map(\.id) == ["1"])
    }

    @Test func `the next ad replaces an empty wrapper only with fallbackOnNoAd`() async {
        transport.always("/none", .status(204))
        for (attributes, ids) in [("", []), (" fallbackOnNoAd=\"true\"", ["b"])] {
            let found = await resolver().resolve(
                VASTTexts.document(
                    VASTTexts.wrapper("w", to: "https://n.test/none", attributes: attributes),
                    VASTTexts.inline("b")))
            #expect(found.ads.compactMap(\.id) == ids && codes(found) == [303])
        }
    }

    @Test func `a category that a wrapper blocks is 205, an ad without a video 201`() async {
        serve(
            "/1",
            VASTTexts.document(VASTTexts.inline("a", head: "<Category authority=\"c\">IAB7-39</Category>")))
        let blocked = await resolver().resolve(
            VASTTexts.document(
                VASTTexts.wrapper(
                    "w", to: "https://n.test/1",
                    head: "<BlockedAdCategories authority=\"c\">IAB7</BlockedAdCategories>")))
        #expect(codes(blocked) == [205])
        let still = VASTTexts.document(
            """
            <Ad id="n"><InLine><Error>https://e.test/n?c=[ERRORCODE]</Error><Creatives><Creative><CompanionAds>
            <Companion width="1" height="1"/></CompanionAds></Creative></Creatives></InLine></Ad>
            """)
        #expect(await resolver().resolve(still).failures.flatMap(\.calls) == ["https://e.test/n?c=201"])
    }

    @Test func `nested pods of wrappers end with error 302`() async {
        let ads = (1...20).map { (number: Int) in
            VASTTexts.wrapper(
                "w\(number)", to: "https://n.test/\(number)", attributes: " allowMultipleAds=\"true\"",
                sequence: number)
        }
        for number in 1...20 {
            let inner = (1...20).map { (other: Int) in
                VASTTexts.wrapper(
                    "v\(other)", to: "https://n.test/\(other)?\(number)",
                    attributes: " allowMultipleAds=\"true\"",
                    sequence: other)
            }
            serve("/\(number)", VASTTexts.document(inner.joined()))
        }
        let found = await resolver().resolve(VASTTexts.document(ads.joined()))
        #expect(found.ads.isEmpty && transport.requests.count == 20)
        #expect(codes(found).allSatisfy { $0 == 302 })
    }
}
