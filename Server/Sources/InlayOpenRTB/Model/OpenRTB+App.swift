@_spi(Inlay) package import InlayWire

extension OpenRTB {
    /// The app in which the ad is shown (`app`).
    package struct App: RTBObject {
        /// The app's id with the exchange.
        package var id: String?
        /// The app's name.
        package var name: String?
        /// The app's id in its store, or its bundle id.
        package var bundle: String?
        /// The domain of the app's web site.
        package var domain: String?
        /// The URL of the app's page in its store.
        package var storeURL: String?
        /// The taxonomy of the categories.
        package var categoryTaxonomy: Int?
        /// The content categories of the app.
        package var categories: [String]?
        /// The content categories of the current section.
        package var sectionCategories: [String]?
        /// The content categories of the current screen.
        package var pageCategories: [String]?
        /// The app's version.
        package var appVersion: String?
        /// 1 when the app has a privacy policy.
        package var hasPrivacyPolicy: Int?
        /// 1 when the app is paid for.
        package var isPaid: Int?
        /// The publisher of the app.
        package var publisher: Publisher?
        /// The content on the screen.
        package var content: JSONValue?
        /// Keywords separated by commas; excludes `keywordList`.
        package var keywords: String?
        /// Keywords.
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
