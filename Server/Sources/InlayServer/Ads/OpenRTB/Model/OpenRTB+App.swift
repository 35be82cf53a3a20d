import InlayWire

extension OpenRTB {
    /// The app that sells.
    package struct App: RTBObject {
        /// The exchange's id.
        package var id: String?
        /// The name for people.
        package var name: String?
        /// The id in its store, or the technical name.
        package var bundle: String?
        /// Its web site.
        package var domain: String?
        /// Its page in the store.
        package var storeURL: String?
        /// Which list the categories are from.
        package var categoryTaxonomy: Int?
        /// What it is about.
        package var categories: [String]?
        /// What its section is about.
        package var sectionCategories: [String]?
        /// What its screen is about.
        package var pageCategories: [String]?
        /// Its version.
        package var appVersion: String?
        /// 1: it has one.
        package var hasPrivacyPolicy: Int?
        /// 1: it costs money.
        package var isPaid: Int?
        /// Who sells.
        package var publisher: Publisher?
        /// What is on the screen.
        package var content: JSONValue?
        /// Separated by commas; excludes `keywordList`.
        package var keywords: String?
        /// Words about it.
        package var keywordList: [String]?
        package var ext: JSONValue?

        package init() {}

        package mutating func fields<Fields: RTBFields>(_ fields: inout Fields) {
            fields.text("id", &id)
            fields.text("name", &name)
            fields.text("bundle", &bundle)
            fields.text("domain", &domain)
            fields.text("storeurl", &storeURL)
            fields.integer("cattax", &categoryTaxonomy)
            fields.texts("cat", &categories)
            fields.texts("sectioncat", &sectionCategories)
            fields.texts("pagecat", &pageCategories)
            fields.text("ver", &appVersion)
            fields.integer("privacypolicy", &hasPrivacyPolicy)
            fields.integer("paid", &isPaid)
            fields.object("publisher", &publisher)
            fields.json("content", &content)
            fields.text("keywords", &keywords)
            fields.texts("kwarray", &keywordList)
        }
    }
}
