import InlayCore
@_spi(Inlay) import InlayWire

/// The values of device and app that an ad request contains.
final class AdRequestContext: Sendable {
    let configuration: AdsConfiguration
    let identifier: AdProviderCache<String>
    let location: AdProviderCache<AdGeo>
    let agent: AdProviderCache<String>

    init(_ configuration: AdsConfiguration, work: SessionWork) {
        self.configuration = configuration
        let (identifiers, locations) = (configuration.identifiers, configuration.locations)
        let agents = configuration.userAgents
        identifier = AdProviderCache(work) { try await identifiers.identifier() }
        location = AdProviderCache(work) { try await locations.location() }
        agent = AdProviderCache(work) { try await agents.userAgent() }
    }

    /// Refreshes the values of the providers for later requests.
    func refresh() {
        identifier.refresh()
        location.refresh()
        if agent.value == nil { agent.refresh() }
    }

    /// The user agent of trackers and requests.
    var userAgent: String { agent.value ?? SDKIdentity.header }

    /// Returns a request with the values that are known now, without those that the user does not allow.
    func request(publisher: String, unit: String, format: AdFormat?, size: AdSize?) -> AdRequest {
        let consent = configuration.consent.consent()
        let isAllowed = consent.lmt != true && consent.coppa != true
        // On our own route the request has the consent, which the server applies. The documented route has no
        // field for it.
        let isPlaceAllowed = consent.coppa != true && (isAllowed || configuration.source == .inlay)
        let app = configuration.app
        var request = AdRequest(
            ifa: isAllowed ? Self.identifier(identifier.value) : "", pubID: publisher, unitID: unit,
            bundle: app.bundle, userAgent: userAgent, appName: app.name,
            geo: isPlaceAllowed ? location.value.flatMap { $0.isPlausible ? $0 : nil } : nil)
        if configuration.source == .inlay {
            request.ext = AdRequestExtension(
                consent: consent == AdConsent() ? nil : consent, format: format, size: size,
                sdkVersion: SDKIdentity.version, storeID: app.storeID)
        }
        return request
    }

    // Returns an empty text for a missing id, an id of more than 128 bytes, and the zeros that the system returns when
    // the user does not share the id.
    private static func identifier(_ text: String?) -> String {
        guard let text, text.utf8.count <= 128, text.contains(where: { $0 != "0" && $0 != "-" }) else {
            return ""
        }
        return text
    }
}
