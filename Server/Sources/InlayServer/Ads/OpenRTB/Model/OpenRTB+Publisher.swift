import InlayWire

extension OpenRTB {
    /// Who sells.
    package struct Publisher: RTBObject {
        /// The exchange's id.
        package var id: String?
        /// The name for people.
        package var name: String?
        /// Which list the categories are from.
        package var categoryTaxonomy: Int?
        /// What it publishes.
        package var categories: [String]?
        /// Its main web site.
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
