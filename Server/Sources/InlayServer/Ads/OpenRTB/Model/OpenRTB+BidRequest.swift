import InlayWire

extension OpenRTB {
    /// What an exchange asks its bidders.
    package struct BidRequest: RTBObject {
        /// The auction's id; the answer repeats it.
        package var id: String = ""
        /// What can be bought; at least one.
        package var impressions: [Impression] = []
        /// Never sent, since we sell places in apps; read so that it can be refused.
        package var site: JSONValue?
        /// The app that the impressions are in.
        package var app: App?
        /// Screens in public places. Never sent; read so that it can be refused.
        package var dooh: JSONValue?
        /// The device that shows them.
        package var device: Device?
        /// Who looks at it.
        package var user: User?
        /// 1: nothing is billed.
        package var test: Int?
        /// 1 first price, 2 second price.
        package var auctionType: Int?
        /// How long the exchange waits for the answer, network included.
        package var maximumMilliseconds: Int?
        /// Seats that may bid; all others may not.
        package var allowedSeats: [String]?
        /// Seats that may not bid.
        package var blockedSeats: [String]?
        /// 1: these are all impressions of the screen.
        package var allImpressions: Int?
        /// Currencies of bids, ISO 4217; USD when none is named.
        package var currencies: [String]?
        /// Languages of creatives, ISO 639-1.
        package var languages: [String]?
        /// Languages of creatives, BCP 47; in place of `languages`.
        package var languageTags: [String]?
        /// Categories that may be advertised; excludes `blockedCategories`.
        package var allowedCategories: [String]?
        /// Categories that may not be advertised.
        package var blockedCategories: [String]?
        /// Which list the categories are from; 1 when it is not told.
        package var categoryTaxonomy: Int?
        /// Domains of advertisers that are not wanted.
        package var blockedAdvertisers: [String]?
        /// Apps, by store id, that may not be advertised.
        package var blockedApps: [String]?
        /// Who sells.
        package var source: Source?
        /// Laws that hold for this request.
        package var regulations: Regulations?
        package var ext: JSONValue?

        package init() {}

        package mutating func fields<Fields: RTBFields>(_ fields: inout Fields) {
            fields.needed("id", &id)
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
