@_spi(Inlay) @testable import InlayAdsView
@_spi(Inlay) @testable import InlaySurface
import InlaySurfaceTesting
@_spi(Inlay) import InlayWire
import Testing

/// The page of an ad for each state of its feature.
@Suite struct AdPresenterTests {
    private static func creative(
        _ size: AdScreen.Size?, isInterstitial: Bool = false, isMRAID: Bool = false, canClose: Bool = false
    ) -> AdScreen {
        AdScreen(
            id: "7",
            body: .creative(
                AdScreen.Creative(
                    path: "creative/7.html", size: size, isInterstitial: isInterstitial, isMRAID: isMRAID)),
            canClose: canClose)
    }

    private static func video(
        skip: Int? = nil, isRewarded: Bool = false, isOver: Bool = false, canClose: Bool = false,
        isLink: Bool = true,
        card: AdScreen.EndCard = .picture(.init(address: "https://cdn.example/e.png", isLink: true))
    ) -> AdScreen {
        AdScreen(
            id: "7",
            body: .video(
                AdScreen.Video(
                    path: "media/7", address: "https://cdn.example/a.mp4", milliseconds: 15_000,
                    skipMilliseconds: skip, isRewarded: isRewarded, isLink: isLink,
                    icon: AdScreen.Icon(.init(address: "https://cdn.example/i.png"), from: 2000, until: 5000),
                    endCard: card)),
            canClose: canClose, isOver: isOver)
    }

    private func html(_ screen: AdScreen, _ appearance: AdAppearance = AdAppearance()) throws -> HTMLOutline {
        let frame = try AdPresenter.present(screen, appearance, content: "/c/ads/").frame(
            SurfaceAssets.ads.renderer())
        return HTMLOutline(frame.regions.map(\.html).joined())
    }

    @Test func `without an ad the page is empty`() throws {
        let frame = try AdPresenter.present(AdScreen()).frame(SurfaceAssets.ads.renderer())
        #expect(frame.regions.isEmpty)
    }

    @Test func `a creative is in a sandboxed frame of its size, without permissions`() throws {
        let frame = try #require(html(Self.creative(.init(width: 320, height: 50))).tags("iframe").first)
        #expect(frame["src"] == "/c/ads/creative/7.html")
        #expect(frame["width"] == "320" && frame["height"] == "50")
        #expect(frame["sandbox"] == "allow-scripts" && frame["allow"] == "")
        #expect(frame["referrerpolicy"] == "no-referrer")
        #expect(frame["name"] == "plain inline 1")
    }

    @Test(arguments: [(0, 0), (0, 250), (300, 0), (-1, 50)])
    func `a creative with an invalid side fills the available space`(width: Int, height: Int) throws {
        let page = try html(Self.creative(.init(width: width, height: height)))
        #expect(page.tags("iframe").first?["width"] == nil)
        #expect(page.first("section", where: "data-ad", is: "ad-7")?["class"] == "ad fills")
    }

    @Test func `an interstitial fills the screen whatever its size says`() throws {
        let page = try html(Self.creative(.init(width: 320, height: 50), isInterstitial: true, isMRAID: true))
        #expect(page.tags("iframe").first?["width"] == nil)
        #expect(page.tags("iframe").first?["name"] == "mraid interstitial 1")
        #expect(page.tags("section").first?["data-mraid"] != nil)
    }

    @Test func `no size is larger than any screen`() {
        #expect(AdScreen.Size(width: 9_999_999, height: 5)?.width == AdScreen.Size.maximumSide)
    }

    @Test func `the close button is there when the ad may be closed, and never before`() throws {
        for (locked, open) in [
            (Self.creative(nil), Self.creative(nil, canClose: true)),
            (Self.video(isRewarded: true), Self.video(isRewarded: true, canClose: true)),
        ] {
            #expect(try html(locked).first("button", where: "data-event", is: "ad-close") == nil)
            let button = try #require(html(open).first("button", where: "data-event", is: "ad-close"))
            #expect(button["aria-label"] == "Close ad" && button["data-value"] == "ad-7")
            #expect(try html(open).text.contains("The ad can be closed now."))
        }
    }

    @Test func `a video has a skip button where it may be skipped, a rewarded one never`() throws {
        #expect(try html(Self.video(skip: 5000)).tags("video").first?["data-skip"] == "5000")
        #expect(try html(Self.video(skip: 5000)).tags("button").contains { $0["data-ad-skip"] != nil })
        for screen in [
            Self.video(), Self.video(skip: 5000, isRewarded: true), Self.video(skip: 0, isOver: true),
        ] {
            #expect(try !html(screen).tags("button").contains { $0["data-ad-skip"] != nil })
            #expect(try html(screen).tags("video").first?["data-skip"] == nil)
        }
    }

    @Test func `a video starts muted, plays in its place, and comes through the host`() throws {
        let player = try #require(html(Self.video()).tags("video").first)
        #expect(player["muted"] != nil && player["playsinline"] != nil)
        #expect(player["src"] == "/c/ads/media/7")
        #expect(player["data-address"] == "https://cdn.example/a.mp4")
    }

    @Test func `the icon is shown before the end, and the end card after it`() throws {
        let running = try html(Self.video())
        let over = try html(Self.video(isOver: true))
        let icon = try #require(running.tags("button").first { $0["data-ad-icon"] != nil })
        // The page shows the icon at the icon's own times.
        #expect(icon["data-from"] == "2000" && icon["data-until"] == "5000" && icon["hidden"] != nil)
        #expect(!running.tags("img").contains { $0["class"] == "ad-end-image" })
        #expect(over.tags("img").contains { $0["src"] == "media?u=https%3A%2F%2Fcdn.example%2Fe.png" })
        #expect(!over.tags("button").contains { $0["data-ad-icon"] != nil })
    }

    @Test func `an end card's document is sandboxed like a creative, and is not shown before the end`() throws
    {
        let card = AdScreen.EndCard.document(
            path: "card/7.html", size: AdScreen.Size(width: 320, height: 480), isLink: true)
        #expect(try html(Self.video(card: card)).tags("iframe").isEmpty)
        let frames = try html(Self.video(isOver: true, card: card)).tags("iframe")
        let frame = try #require(frames.first)
        #expect(frames.count == 1 && frame["src"] == "/c/ads/card/7.html")
        #expect(frame["sandbox"] == "allow-scripts" && frame["allow"] == "")
        #expect(frame["referrerpolicy"] == "no-referrer" && frame["data-ad-frame"] != nil)
        #expect(frame["width"] == "320" && frame["height"] == "480")
        // The frame has no MRAID, and no width when the card has no size.
        #expect(frame["name"]?.hasPrefix("plain ") == true)
        let whole = Self.video(isOver: true, card: .document(path: "card/7.html", size: nil, isLink: false))
        #expect(try html(whole).tags("iframe").first?["width"] == nil)
    }

    @Test(arguments: [true, false])
    func `the advertiser's button depends on the video's link, and after the end on the end card's`(
        isLink: Bool
    )
        throws
    {
        let card = AdScreen.EndCard.document(path: "card/7.html", size: nil, isLink: isLink)
        let hasButton = { (isOver: Bool) in
            try html(Self.video(isOver: isOver, isLink: !isLink, card: card)).tags("button")
                .contains { $0["data-ad-link"] != nil }
        }
        #expect(try hasButton(false) == !isLink)
        #expect(try hasButton(true) == isLink)
    }

    @Test func `a landing page shows its host and a button back to the app`() throws {
        var screen = Self.creative(nil)
        screen.landing = .init(path: "landing/1.html", address: "https://good.example@evil.example:8443/a?b")
        let page = try html(screen)
        #expect(page.text.contains("evil.example:8443") && !page.text.contains("good.example"))
        #expect(
            page.first("button", where: "data-event", is: "ad-landing-close")?["aria-label"]
                == "Back to the app")
        let frame = try #require(page.tags("iframe").last)
        #expect(frame["src"] == "/c/ads/landing/1.html")
        #expect(frame["sandbox"]?.contains("allow-top-navigation") == false)
    }

    @Test func `an app's strings replace the defaults, and are escaped`() throws {
        let words = Dictionary(
            uniqueKeysWithValues: AdString.allCases.map { ($0, "<b>\"\($0.rawValue)\"</b>") })
        let own = AdAppearance(strings: words)
        for screen in [Self.creative(nil, canClose: true), Self.video(skip: 1), Self.video(isOver: true)] {
            #expect(try html(screen, own).tags("b").isEmpty)
            #expect(try html(screen, own).shape == html(screen).shape)
        }
        #expect(AdString.allCases.allSatisfy { !$0.text.isEmpty })
    }

    @Test func `another show of an ad is another element`() throws {
        let renderer = try SurfaceAssets.ads.renderer()
        var second = Self.creative(nil)
        second.id = "8"
        let first = try AdPresenter.present(Self.creative(nil)).frame(renderer)
        let ops = SurfacePatch.between(first, try AdPresenter.present(second).frame(renderer)).ops
        #expect(ops.map(\.op) == [.remove, .insert])
    }

    @Test func `the frame stays the same element when the close button appears`() throws {
        let renderer = try SurfaceAssets.ads.renderer()
        let locked = try AdPresenter.present(Self.creative(nil)).frame(renderer)
        let open = try AdPresenter.present(Self.creative(nil, canClose: true)).frame(renderer)
        #expect(SurfacePatch.between(locked, open).ops.map(\.op) == [.replace])
        let frames = [locked, open].map { HTMLOutline($0.regions[0].html).tags("iframe") }
        #expect(frames[0] == frames[1])
    }
}
