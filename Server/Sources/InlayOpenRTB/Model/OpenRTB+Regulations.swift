@_spi(Inlay) package import InlayWire

extension OpenRTB {
    /// The regulations that apply to a request.
    package struct Regulations: RTBObject {
        /// 1 when COPPA applies, because the app is directed at children.
        package var coppa: Int?
        /// 1 when the GDPR applies.
        package var gdpr: Int?
        /// The US Privacy string; superseded by `gpp`.
        package var usPrivacy: String?
        /// The Global Privacy Platform string.
        package var gpp: String?
        /// The ids of the sections of `gpp` that apply.
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
