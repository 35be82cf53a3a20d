@_spi(Inlay) package import InlayWire

extension OpenRTB {
    /// The user of the device.
    package struct User: RTBObject {
        /// The user's id with the exchange.
        package var id: String?
        /// The user's id with the bidder.
        package var buyerID: String?
        /// The year of birth; deprecated, never sent.
        package var birthYear: Int?
        /// The gender; deprecated, never sent.
        package var gender: String?
        /// Interests separated by commas; excludes `keywordList`.
        package var keywords: String?
        /// Interests.
        package var keywordList: [String]?
        /// Data that the bidder has set.
        package var customData: String?
        /// The location of the user's home.
        package var geo: Geo?
        /// Segments of data providers.
        package var data: JSONValue?
        /// The TCF string.
        package var consent: String?
        /// Ids of third parties.
        package var extendedIDs: JSONValue?
        package var ext: JSONValue?

        package init() {}

        package mutating func fields<Fields: RTBFields>(_ fields: inout Fields) {
            fields.text("id", &id)
            fields.text("buyeruid", &buyerID)
            fields.integer("yob", &birthYear)
            fields.text("gender", &gender)
            fields.text("keywords", &keywords)
            fields.texts("kwarray", &keywordList)
            fields.text("customdata", &customData)
            fields.object("geo", &geo)
            fields.json("data", &data)
            fields.text("consent", &consent)
            fields.json("eids", &extendedIDs)
        }
    }
}
