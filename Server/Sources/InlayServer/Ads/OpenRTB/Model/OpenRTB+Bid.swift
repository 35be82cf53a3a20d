import InlayWire

extension OpenRTB {
    /// An offer for one impression.
    package struct Bid: RTBObject {
        /// The bidder's id.
        package var id: String = ""
        /// What it is for.
        package var impressionID: String = ""
        /// Per thousand impressions.
        package var priceMicros: Int64?
        /// The ad: HTML or VAST.
        package var markup: String?
        /// An ad known before.
        package var adID: String?
        /// Whose ad it is.
        package var advertiserDomains: [String]?
        /// The advertised app.
        package var bundle: String?
        /// A picture of the campaign.
        package var sampleURL: String?
        /// The campaign.
        package var campaignID: String?
        /// The creative.
        package var creativeID: String?
        /// The buyer's label.
        package var tactic: String?
        /// Which list the categories are from.
        package var categoryTaxonomy: Int?
        /// What is advertised.
        package var categories: [String]?
        /// Of the creative.
        package var attributes: [Int]?
        /// Frameworks that the markup needs.
        package var apis: [Int]?
        /// Superseded by `apis`.
        package var api: Int?
        /// Of a VAST answer.
        package var videoProtocol: Int?
        /// Who may see it.
        package var mediaRating: Int?
        /// ISO 639-1.
        package var language: String?
        /// BCP 47.
        package var languageTag: String?
        /// The deal.
        package var dealID: String?
        /// In points.
        package var width: Int?
        /// In points.
        package var height: Int?
        /// Of a ratio.
        package var widthRatio: Int?
        /// Of a ratio.
        package var heightRatio: Int?
        /// How long it may wait for its impression.
        package var expirySeconds: Int?
        /// Of a video.
        package var durationSeconds: Int?
        /// 1 banner, 2 video, 3 audio, 4 native.
        package var markupType: Int?
        /// Where in a pod.
        package var slotInPod: Int?
        /// Called when it wins.
        package var winURL: String?
        /// Called when it is billed.
        package var billingURL: String?
        /// Called when it loses.
        package var lossURL: String?
        package var ext: JSONValue?

        package init() {}

        package mutating func fields<Fields: RTBFields>(_ fields: inout Fields) {
            creativeFields(&fields)
            termsFields(&fields)
        }

        private mutating func creativeFields<Fields: RTBFields>(_ fields: inout Fields) {
            fields.needed("id", &id)
            fields.needed("impid", &impressionID)
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
