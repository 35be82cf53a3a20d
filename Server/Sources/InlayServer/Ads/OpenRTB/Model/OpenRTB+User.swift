import InlayWire

extension OpenRTB {
    /// Who looks.
    package struct User: RTBObject {
        /// The exchange's id.
        package var id: String?
        /// The bidder's id.
        package var buyerID: String?
        /// Out of date; taken out with the ids.
        package var birthYear: Int?
        /// Out of date; taken out with the ids.
        package var gender: String?
        /// Interests.
        package var keywords: String?
        /// Interests.
        package var keywordList: [String]?
        /// The bidder's own.
        package var customData: String?
        /// Home.
        package var geo: Geo?
        /// Segments of data sellers.
        package var data: JSONValue?
        /// The TCF string.
        package var consent: String?
        /// Ids of others.
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
