import InlayWire

extension OpenRTB {
    /// What may travel to one recipient of an ad request.
    package struct Consent: Hashable, Sendable {
        /// Whether ids of the person may travel.
        package var allowsIDs = true
        /// Whether the exact place and the whole address may travel.
        package var allowsExactPlace = true
        /// Whether any place finer than a country may travel.
        package var allowsPlace = true
    }

    /// Who gets what an app tells.
    package enum ConsentRecipient: Hashable, Sendable {
        /// The publisher's own server: the purposes decide, no vendor is asked for.
        case publisher
        /// A bidder, with its id of the Global Vendor List; without one no consent under the GDPR is for it.
        case vendor(Int?)
    }

    /// What the user agreed to, read once for all recipients.
    package struct ConsentStatement: Sendable {
        private var everybody = Consent()
        private let isGDPR: Bool
        private let tcf: TCFString?

        /// Reads what an app told. Who says nothing and is bound by nothing keeps what was given with the request.
        package init(_ consent: AdConsent?) {
            guard let consent else {
                (isGDPR, tcf) = (false, nil)
                return
            }
            let gpp = GPPString(consent.gpp ?? "")
            let named = consent.gppSids ?? []
            // Section 2 of a GPP string is the TCF of the EU.
            isGDPR = consent.gdprApplies ?? (named.isEmpty ? gpp.sectionIDs : named).contains(2)
            tcf =
                isGDPR
                ? consent.tcf.flatMap(TCFString.init) ?? gpp.section(2).flatMap { TCFString(String($0)) }
                : nil
            if consent.coppa == true { everybody.allowsPlace = false }
            // 1 restricted, 2 denied. 0 means: not asked, and then the system itself gives no id.
            let isLimited = consent.lmt == true || consent.att == 1 || consent.att == 2
            if consent.coppa == true || isLimited || gpp.isOptedOut(sections: named) {
                (everybody.allowsIDs, everybody.allowsExactPlace) = (false, false)
            }
        }

        /// What may travel to a recipient.
        package func consent(for recipient: ConsentRecipient) -> Consent {
            guard isGDPR else { return everybody }
            var consent = everybody
            // No readable string under the GDPR is no consent.
            guard let tcf, hasStorage(tcf, recipient) else {
                (consent.allowsIDs, consent.allowsExactPlace) = (false, false)
                return consent
            }
            // Ids are for choosing ads by profile (4) or at least for choosing ads at all (2).
            if ![2, 4].allSatisfy({ isAllowed($0, tcf, recipient) }) { consent.allowsIDs = false }
            if !tcf.allowsExactPlace { consent.allowsExactPlace = false }
            return consent
        }

        /// Purpose 1, for which there is consent or nothing.
        private func hasStorage(_ tcf: TCFString, _ recipient: ConsentRecipient) -> Bool {
            switch recipient {
            case .publisher: tcf.allows(purpose: 1)
            case .vendor(let vendor): vendor.map { tcf.allows(purpose: 1, vendor: $0) } ?? false
            }
        }

        private func isAllowed(_ purpose: Int, _ tcf: TCFString, _ recipient: ConsentRecipient) -> Bool {
            switch recipient {
            case .publisher: tcf.allows(purpose: purpose)
            case .vendor(let vendor): vendor.map { tcf.hasBasis(purpose: purpose, vendor: $0) } ?? false
            }
        }
    }
}
