import InlayServerCore
@_spi(Inlay) import InlayWire

/// The check that an ad request has only values that an SDK can send.
enum AdRequestCheck {
    /// Throws `invalid-value` with the first invalid field.
    static func check(_ request: AdRequest) throws {
        try text(request.ifa, "ifa", 64)
        try text(request.bundle, "bundle", 256)
        try text(request.appName, "appName", 256)
        try text(request.userAgent, "userAgent", 1_024)
        guard AdPublisherID.canonical(request.pubID) != nil else {
            throw Problem.invalidValue("pubID", "A UUID.")
        }
        guard AdUnitID.canonical(request.unitID) != nil else {
            throw Problem.invalidValue("unitID", "A UUID.")
        }
        if let geo = request.geo, !geo.isPlausible {
            throw Problem.invalidValue("geo", "A place on Earth, with a radius of 0 or more metres.")
        }
        try text(request.ext?.consent?.tcf ?? "", "ext.consent.tcf", AdLimits.maximumConsentBytes)
        try text(request.ext?.consent?.gpp ?? "", "ext.consent.gpp", AdLimits.maximumConsentBytes)
        try text(request.ext?.storeID ?? "", "ext.storeID", 256)
        try text(request.ext?.sdkVersion ?? "", "ext.sdkVersion", 64)
        guard (request.ext?.consent?.gppSids ?? []).count <= AdLimits.maximumConsentSections else {
            throw Problem.invalidValue("ext.consent.gppSids", "At most \(AdLimits.maximumConsentSections).")
        }
    }

    private static func text(_ text: String, _ field: String, _ maximum: Int) throws {
        let hasControls = text.unicodeScalars.contains { $0.value < 32 || $0.value == 127 }
        guard text.utf8.count <= maximum, !hasControls else {
            throw Problem.invalidValue(field, "At most \(maximum) bytes, no control characters.")
        }
    }
}
