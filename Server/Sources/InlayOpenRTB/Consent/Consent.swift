@_spi(Inlay) package import InlayWire

extension OpenRTB {
    /// The personal data that one recipient of an ad request may get.
    package struct Consent: Hashable, Sendable {
        /// Whether the recipient may get ids of the user.
        package var allowsIDs = true
        /// Whether the recipient may get the precise location and the whole IP address.
        package var allowsPreciseLocation = true
        /// Whether the recipient may get any location finer than a country.
        package var allowsLocation = true
    }

    /// A recipient of an ad request's personal data.
    package enum ConsentRecipient: Hashable, Sendable {
        /// The publisher's own server, for which the consented purposes decide and no vendor consent is needed.
        case publisher
        /// A bidder, with its id in the Global Vendor List. Without an id it has no consent under the GDPR.
        case vendor(Int?)
    }

    /// The consent signals of an ad request, parsed once for all recipients.
    package struct ConsentSignals: Sendable {
        private var base = Consent()
        private let isGDPR: Bool
        private let tcf: TCFString?

        /// Parses the signals that an app sent. Without signals everything is allowed.
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
            if consent.coppa == true { base.allowsLocation = false }
            // 1 restricted, 2 denied. 0 is not determined, and then iOS itself returns no id.
            let isLimited = consent.lmt == true || consent.att == 1 || consent.att == 2
            if consent.coppa == true || isLimited || gpp.isOptedOut(sections: named) {
                (base.allowsIDs, base.allowsPreciseLocation) = (false, false)
            }
        }

        /// Returns the consent for a recipient.
        package func consent(for recipient: ConsentRecipient) -> Consent {
            guard isGDPR else { return base }
            var consent = base
            // Under the GDPR an unreadable string is no consent.
            guard let tcf, hasStorage(tcf, recipient) else {
                (consent.allowsIDs, consent.allowsPreciseLocation) = (false, false)
                return consent
            }
            // Ids need the purposes 2 (select basic ads) and 4 (select personalised ads).
            if ![2, 4].allSatisfy({ isAllowed($0, tcf, recipient) }) { consent.allowsIDs = false }
            if !tcf.allowsPreciseLocation { consent.allowsPreciseLocation = false }
            return consent
        }

        /// Returns whether there is consent for purpose 1 (storage), which has no other legal basis.
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
