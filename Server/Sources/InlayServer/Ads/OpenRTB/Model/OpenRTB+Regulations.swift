import InlayWire

extension OpenRTB {
    /// Laws that hold for a request.
    package struct Regulations: RTBObject {
        /// 1: for children.
        package var coppa: Int?
        /// 1: the GDPR holds.
        package var gdpr: Int?
        /// Superseded by `gpp`.
        package var usPrivacy: String?
        /// The Global Privacy Platform string.
        package var gpp: String?
        /// Sections of it that hold.
        package var gppSections: [Int]?
        package var ext: JSONValue?

        package init() {}

        package mutating func fields<Fields: RTBFields>(_ fields: inout Fields) {
            fields.integer("coppa", &coppa)
            fields.integer("gdpr", &gdpr)
            fields.text("us_privacy", &usPrivacy)
            fields.text("gpp", &gpp)
            fields.integers("gpp_sid", &gppSections)
        }
    }
}
