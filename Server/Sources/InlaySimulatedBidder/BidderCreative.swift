import InlayServerCore

/// The markup and notice URLs of a simulated bidder.
struct BidderCreative {
    let configuration: SimulatedBidder.Configuration
    let port: Int

    /// The duration of the video in seconds.
    let seconds = 10

    /// The banner's markup, which loads no resources.
    var banner: String {
        configuration.banner ?? """
            <a href="https://\(escaped(configuration.domain))/" \
            style="display:flex;align-items:center;box-sizing:border-box;width:100%;height:100%;\
            min-height:50px;padding:4px 48px 4px 16px;background:#123a5c;color:#fff;\
            font:600 14px/1.3 system-ui,sans-serif;\
            text-decoration:none">Simulated ad of \(escaped(configuration.seat ?? "nobody"))</a>
            """
    }

    /// A VAST document with one video.
    var vast: String {
        configuration.vast ?? """
            <VAST version="4.2"><Ad id="ad-1"><InLine><AdSystem>Inlay bidder</AdSystem>\
            <AdTitle>Simulated video</AdTitle>\
            <Impression><![CDATA[https://\(configuration.domain)/seen?auction=${AUCTION_ID}]]></Impression>\
            <Creatives><Creative><UniversalAdId idRegistry="unknown">unknown</UniversalAdId>\
            <Linear><Duration>00:00:\(seconds)</Duration>\
            <VideoClicks><ClickThrough><![CDATA[https://\(configuration.domain)/]]></ClickThrough></VideoClicks>\
            <MediaFiles><MediaFile delivery="progressive" type="\(mediaType)" width="640" height="360">\
            <![CDATA[\(configuration.video)]]></MediaFile></MediaFiles></Linear></Creative></Creatives>\
            </InLine></Ad></VAST>
            """
    }

    /// Returns the URL of a notice, with every macro of OpenRTB in its query.
    func notice(_ kind: BidderLog.Kind) -> String {
        let macros = [
            ("auction", "AUCTION_ID"), ("bid", "AUCTION_BID_ID"), ("imp", "AUCTION_IMP_ID"),
            ("seat", "AUCTION_SEAT_ID"), ("ad", "AUCTION_AD_ID"), ("price", "AUCTION_PRICE"),
            ("cur", "AUCTION_CURRENCY"), ("mbr", "AUCTION_MBR"), ("loss", "AUCTION_LOSS"),
            ("min", "AUCTION_MIN_TO_WIN"), ("ts", "AUCTION_IMP_TS"),
        ]
        let query = macros.map { "\($0.0)=${\($0.1)}" }.joined(separator: "&")
        return "http://127.0.0.1:\(port)/\(kind.rawValue)?\(query)"
    }

    private var mediaType: String { configuration.video.hasSuffix(".webm") ? "video/webm" : "video/mp4" }

    private func escaped(_ text: String) -> String { HTMLText.escaped(text) }
}
