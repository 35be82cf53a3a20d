@_spi(Inlay) package import InlayWire

extension OpenRTB {
    /// A bid for one impression (`bid`).
    package struct Bid: RTBObject {
        /// The bidder's id of the bid.
        package var id: String = ""
        /// The id of the impression.
        package var impressionID: String = ""
        /// The price per thousand impressions, in millionths.
        package var priceMicros: Int64?
        /// The ad's markup: HTML or VAST.
        package var markup: String?
        /// The id of an ad that the exchange already has.
        package var adID: String?
        /// The domains of the advertiser.
        package var advertiserDomains: [String]?
        /// The bundle id of the advertised app.
        package var bundle: String?
        /// The URL of a sample image of the campaign.
        package var sampleURL: String?
        /// The id of the campaign.
        package var campaignID: String?
        /// The id of the creative.
        package var creativeID: String?
        /// The buyer's label of its tactic.
        package var tactic: String?
        /// The taxonomy of the categories.
        package var categoryTaxonomy: Int?
        /// The content categories of the creative.
        package var categories: [String]?
        /// The attributes of the creative.
        package var attributes: [Int]?
        /// The API frameworks that the markup needs.
        package var apis: [Int]?
        /// Superseded by `apis`.
        package var api: Int?
        /// The VAST version of the markup, as an OpenRTB id.
        package var videoProtocol: Int?
        /// The content rating of the creative.
        package var mediaRating: Int?
        /// The language of the creative, ISO 639-1.
        package var language: String?
        /// The language of the creative, BCP 47.
        package var languageTag: String?
        /// The id of the deal.
        package var dealID: String?
        /// The width of the creative in points.
        package var width: Int?
        /// The height of the creative in points.
        package var height: Int?
        /// The width of a size given as a ratio.
        package var widthRatio: Int?
        /// The height of a size given as a ratio.
        package var heightRatio: Int?
        /// The maximum time between auction and impression.
        package var expirySeconds: Int?
        /// The duration of a video.
        package var durationSeconds: Int?
        /// The kind of markup: 1 banner, 2 video, 3 audio, 4 native.
        package var markupType: Int?
        /// The slot in a pod.
        package var slotInPod: Int?
        /// The URL of the win notice.
        package var winURL: String?
        /// The URL of the billing notice.
        package var billingURL: String?
        /// The URL of the loss notice.
        package var lossURL: String?
        package var ext: JSONValue?
        /// Whether every field that the response had could be read.
        package var isFullyRead = true

        package init() {}

        package mutating func fields<Fields: RTBFields>(_ fields: inout Fields) {
            creativeFields(&fields)
            termsFields(&fields)
        }

        private mutating func creativeFields<Fields: RTBFields>(_ fields: inout Fields) {
            fields.requiredText("id", &id)
            fields.requiredText("impid", &impressionID)
            fields.micros("price", &priceMicros)
            fields.text("adm", &markup)
            fields.text("adid", &adID)
            fields.texts("adomain", &advertiserDomains)
            fields.text("bundle", &bundle)
            fields.text("iurl", &sampleURL)
            fields.text("cid", &campaignID)
            fields.text("crid", &creativeID)
            fields.text("tactic", &tactic)
            fields.integer("cattax", &categoryTaxonomy)
            fields.texts("cat", &categories)
            fields.integers("attr", &attributes)
            fields.integers("apis", &apis)
            fields.integer("api", &api)
            fields.integer("protocol", &videoProtocol)
            fields.integer("qagmediarating", &mediaRating)
            fields.text("language", &language)
            fields.text("langb", &languageTag)
        }

        private mutating func termsFields<Fields: RTBFields>(_ fields: inout Fields) {
            fields.text("dealid", &dealID)
            fields.integer("w", &width)
            fields.integer("h", &height)
            fields.integer("wratio", &widthRatio)
            fields.integer("hratio", &heightRatio)
            fields.integer("exp", &expirySeconds)
            fields.integer("dur", &durationSeconds)
            fields.integer("mtype", &markupType)
            fields.integer("slotinpod", &slotInPod)
            fields.text("nurl", &winURL)
            fields.text("burl", &billingURL)
            fields.text("lurl", &lossURL)
        }
    }
}
