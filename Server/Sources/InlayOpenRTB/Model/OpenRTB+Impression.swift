@_spi(Inlay) package import InlayWire

extension OpenRTB {
    /// An impression for sale (`imp`).
    package struct Impression: RTBObject {
        /// The id, unique within the request.
        package var id: String = ""
        /// Metrics of the placement.
        package var metrics: JSONValue?
        /// The banner that may fill the impression.
        package var banner: Banner?
        /// The video that may fill the impression.
        package var video: Video?
        /// The audio that may fill the impression; not supported.
        package var audio: JSONValue?
        /// The native ad that may fill the impression; not supported.
        package var native: JSONValue?
        /// The deals for the impression.
        package var privateMarket: PrivateMarket?
        /// The name of the SDK that renders the ad.
        package var displayManager: String?
        /// The version of that SDK.
        package var displayManagerVersion: String?
        /// 1 for an interstitial.
        package var isInterstitial: Int?
        /// The id of the ad unit.
        package var tagID: String?
        /// The floor price per thousand impressions, in millionths.
        package var floorMicros: Int64?
        /// The currency of the floor, ISO 4217; USD by default.
        package var floorCurrency: String?
        /// 0 when links open in the app, 1 in the browser.
        package var clickBrowser: Int?
        /// 1 when the markup and its resources must use https.
        package var isSecure: Int?
        /// The supported iframe busters.
        package var iframeBusters: [String]?
        /// 1 when the user gets a reward.
        package var isRewarded: Int?
        /// The kind of server-side ad insertion; 0 is unknown.
        package var stitching: Int?
        /// The maximum time between auction and impression.
        package var expirySeconds: Int?
        /// The number of viewers of a screen in a public place.
        package var quantity: JSONValue?
        /// The automatic refresh of the placement.
        package var refresh: JSONValue?
        package var ext: JSONValue?

        package init() {}

        package mutating func fields<Fields: RTBFields>(_ fields: inout Fields) {
            fields.requiredText("id", &id)
            fields.json("metric", &metrics)
            fields.object("banner", &banner)
            fields.object("video", &video)
            fields.json("audio", &audio)
            fields.json("native", &native)
            fields.object("pmp", &privateMarket)
            fields.text("displaymanager", &displayManager)
            fields.text("displaymanagerver", &displayManagerVersion)
            fields.integer("instl", &isInterstitial)
            fields.text("tagid", &tagID)
            fields.micros("bidfloor", &floorMicros)
            fields.text("bidfloorcur", &floorCurrency)
            fields.integer("clickbrowser", &clickBrowser)
            fields.integer("secure", &isSecure)
            fields.texts("iframebuster", &iframeBusters)
            fields.integer("rwdd", &isRewarded)
            fields.integer("ssai", &stitching)
            fields.integer("exp", &expirySeconds)
            fields.json("qty", &quantity)
            fields.json("refresh", &refresh)
        }
    }
}
