@_spi(Inlay) package import InlayWire

extension OpenRTB {
    /// A bid request from the exchange to a bidder.
    package struct BidRequest: RTBObject {
        /// The auction's id, which the response repeats.
        package var id: String = ""
        /// The impressions for sale; at least one.
        package var impressions: [Impression] = []
        /// A web site. Never sent, because the exchange serves apps; read so that it can be refused.
        package var site: JSONValue?
        /// The app of the impressions.
        package var app: App?
        /// A screen in a public place. Never sent; read so that it can be refused.
        package var dooh: JSONValue?
        /// The device of the user.
        package var device: Device?
        /// The user.
        package var user: User?
        /// 1 for a test, which is not billed.
        package var test: Int?
        /// 1 for first price, 2 for second price.
        package var auctionType: Int?
        /// The time that the exchange waits for the response, network included.
        package var maximumMilliseconds: Int?
        /// The seats that may bid; `nil` for all.
        package var allowedSeats: [String]?
        /// The seats that may not bid.
        package var blockedSeats: [String]?
        /// 1 when these are all impressions of the screen.
        package var allImpressions: Int?
        /// The allowed currencies of bids, ISO 4217; USD by default.
        package var currencies: [String]?
        /// The allowed languages of creatives, ISO 639-1.
        package var languages: [String]?
        /// The allowed languages of creatives, BCP 47; excludes `languages`.
        package var languageTags: [String]?
        /// The allowed content categories; excludes `blockedCategories`.
        package var allowedCategories: [String]?
        /// The blocked content categories.
        package var blockedCategories: [String]?
        /// The taxonomy of the categories; 1 by default.
        package var categoryTaxonomy: Int?
        /// The blocked advertiser domains.
        package var blockedAdvertisers: [String]?
        /// The store ids of the blocked advertised apps.
        package var blockedApps: [String]?
        /// The source of the request and its supply chain.
        package var source: Source?
        /// The regulations that apply to the request.
        package var regulations: Regulations?
        package var ext: JSONValue?

        package init() {}

        package mutating func fields<Fields: RTBFields>(_ fields: inout Fields) {
            fields.requiredText("id", &id)
            fields.objects("imp", &impressions)
            fields.json("site", &site)
            fields.object("app", &app)
            fields.json("dooh", &dooh)
            fields.object("device", &device)
            fields.object("user", &user)
            fields.integer("test", &test)
            fields.integer("at", &auctionType)
            fields.integer("tmax", &maximumMilliseconds)
            fields.texts("wseat", &allowedSeats)
            fields.texts("bseat", &blockedSeats)
            fields.integer("allimps", &allImpressions)
            fields.texts("cur", &currencies)
            fields.texts("wlang", &languages)
            fields.texts("wlangb", &languageTags)
            fields.texts("acat", &allowedCategories)
            fields.texts("bcat", &blockedCategories)
            fields.integer("cattax", &categoryTaxonomy)
            fields.texts("badv", &blockedAdvertisers)
            fields.texts("bapp", &blockedApps)
            fields.object("source", &source)
            fields.object("regs", &regulations)
        }
    }
}
