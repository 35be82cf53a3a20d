import InlayWire

extension OpenRTB {
    /// One place that can be bought.
    package struct Impression: RTBObject {
        /// Unique inside of the request.
        package var id: String = ""
        /// Measurements of the place.
        package var metrics: JSONValue?
        /// When a banner may fill it.
        package var banner: Banner?
        /// When a video may fill it.
        package var video: Video?
        /// When sound may fill it; not sold by us.
        package var audio: JSONValue?
        /// When native parts may fill it; not sold by us.
        package var native: JSONValue?
        /// Deals.
        package var privateMarket: PrivateMarket?
        /// What renders: the SDK.
        package var displayManager: String?
        /// Its version.
        package var displayManagerVersion: String?
        /// 1: it fills the screen.
        package var isInterstitial: Int?
        /// The unit.
        package var tagID: String?
        /// The least price per thousand.
        package var floorMicros: Int64?
        /// ISO 4217; USD when it is not told.
        package var floorCurrency: String?
        /// 0 opens inside of the app, 1 in the browser.
        package var clickBrowser: Int?
        /// 1: markup and its files must be https.
        package var isSecure: Int?
        /// Supported iframe busters.
        package var iframeBusters: [String]?
        /// 1: the user gets something for watching.
        package var isRewarded: Int?
        /// How a server stitches it into a stream; 0 unknown.
        package var stitching: Int?
        /// How long may pass between auction and impression.
        package var expirySeconds: Int?
        /// How many people see it; screens in public places.
        package var quantity: JSONValue?
        /// How the place is filled again by itself.
        package var refresh: JSONValue?
        package var ext: JSONValue?

        package init() {}

        package mutating func fields<Fields: RTBFields>(_ fields: inout Fields) {
            fields.needed("id", &id)
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
