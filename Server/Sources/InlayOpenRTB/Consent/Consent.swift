@_spi(Inlay) package import InlayWire

extension OpenRTB {
    /// The personal data that one recipient of an ad request may get.
    package struct Consent: Hashable, Sendable {
        /// Whether the GDPR applies to the request.
        package var isGDPR = false
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
    ///
    /// A signal that is present but cannot be read counts as no consent.
    package struct ConsentSignals: Sendable {
        /// The section id by which an app says that no section of its GPP string is in force.
        private static let noSection = -1

        private var base = Consent()
        private let tcf: TCFString?

        /// Parses the signals that an app sent. Without signals everything is allowed.
        package init(_ consent: AdConsent?) {
            guard let consent else {
                tcf = nil
                return
            }
            let gpp = GPPString(consent.gpp ?? "")
            let named = consent.gppSids ?? []
            let inForce = (named.isEmpty ? gpp?.sectionIDs ?? [] : named).filter { $0 != Self.noSection }
            // `tcf` takes precedence over the GPP section; an empty text counts as absent.
            let stated = consent.tcf?.isEmpty == false ? consent.tcf : nil
            let text = stated ?? gpp?.section(GPPString.europe).map { String($0) }
            base.isGDPR = Self.isGDPR(consent, inForce)
            tcf = base.isGDPR ? text.flatMap { TCFString($0) } : nil
            if consent.coppa == true || consent.isUnreadable { base.allowsLocation = false }
            if !base.allowsLocation || Self.isLimited(consent) || gpp?.isOptedOut(sections: inForce) ?? true {
                (base.allowsIDs, base.allowsPreciseLocation) = (false, false)
            }
        }

        /// Whether the GDPR applies. A GPP section that the app names takes precedence over `gdprApplies`. Without
        /// either, a TCF string that is present applies; with `gdprApplies` false it does not, as in the API of the
        /// TCF.
        private static func isGDPR(_ consent: AdConsent, _ inForce: [Int]) -> Bool {
            let isNamed = consent.gppSids?.contains(GPPString.europe) ?? false
            let isThere = consent.tcf?.isEmpty == false || inForce.contains(GPPString.europe)
            return isNamed || consent.gdprApplies ?? isThere
        }

        /// Whether the user limits tracking. Of the statuses of App Tracking Transparency, 3 is "authorized". With 0,
        /// "not determined", iOS itself returns no advertising id.
        private static func isLimited(_ consent: AdConsent) -> Bool {
            consent.lmt == true || ![nil, 0, 3].contains(consent.att)
        }

        /// Returns the consent for a recipient.
        package func consent(for recipient: ConsentRecipient) -> Consent {
            guard base.isGDPR else { return base }
            var consent = base
            // Under the GDPR, a string that is missing or cannot be read is no consent.
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
