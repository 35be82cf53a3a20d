import InlayWire

extension OpenRTB {
    /// What the user agreed to, as far as it decides what may travel to bidders.
    package struct Consent: Hashable, Sendable {
        /// Whether ids of the person may travel.
        package var allowsIDs = true
        /// Whether the exact place may travel.
        package var allowsExactPlace = true
        /// Whether any place finer than a country may travel.
        package var allowsPlace = true

        /// Judges what an app told. Who says nothing and is bound by nothing keeps what was given with the request.
        package init(_ consent: AdConsent?) {
            guard let consent else { return }
            if consent.coppa == true {
                (allowsIDs, allowsExactPlace, allowsPlace) = (false, false, false)
            }
            // 1 restricted, 2 denied. 0 means: not asked, and then the system itself gives no id.
            if consent.lmt == true || consent.att == 1 || consent.att == 2 {
                (allowsIDs, allowsExactPlace) = (false, false)
            }
            if Self.gdprHolds(consent) { apply(Self.tcf(consent)) }
            if GPPString(consent.gpp ?? "").isOptedOut(sections: consent.gppSids ?? []) {
                (allowsIDs, allowsExactPlace) = (false, false)
            }
        }

        // No readable string under the GDPR is no consent.
        private mutating func apply(_ tcf: TCFString?) {
            guard let tcf, tcf.allows(purpose: 1) else {
                (allowsIDs, allowsExactPlace) = (false, false)
                return
            }
            // Ids are for choosing ads by profile (4) or at least for choosing ads at all (2).
            if !tcf.allows(purpose: 2) || !tcf.allows(purpose: 4) { allowsIDs = false }
            if !tcf.allowsExactPlace { allowsExactPlace = false }
        }

        static func gdprHolds(_ consent: AdConsent) -> Bool {
            // Section 2 of a GPP string is the TCF of the EU.
            consent.gdprApplies ?? (consent.gppSids ?? []).contains(2)
        }

        private static func tcf(_ consent: AdConsent) -> TCFString? {
            if let tcf = consent.tcf.flatMap(TCFString.init) { return tcf }
            return GPPString(consent.gpp ?? "").section(2).flatMap { TCFString(String($0)) }
        }
    }
}
