@_spi(Inlay) package import InlayWire

extension OpenRTB {
    /// The publisher of an app.
    package struct Publisher: RTBObject {
        /// The publisher's id with the exchange.
        package var id: String?
        /// The publisher's name.
        package var name: String?
        /// The taxonomy of the categories.
        package var categoryTaxonomy: Int?
        /// The content categories of the publisher.
        package var categories: [String]?
        /// The domain of the publisher's main web site.
        package var domain: String?
        package var ext: JSONValue?

        package init() {}

        package mutating func fields<Fields: RTBFields>(_ fields: inout Fields) {
            fields.text("id", &id)
            fields.text("name", &name)
            fields.integer("cattax", &categoryTaxonomy)
            fields.texts("cat", &categories)
            fields.text("domain", &domain)
        }
    }
}
