import InlayCore
import InlayWire

/// What is known of device and app at the moment of a request.
final class AdFacts: Sendable {
    let configuration: AdsConfiguration
    let identifier: AdKnown<String>
    let location: AdKnown<AdGeo>
    let agent: AdKnown<String>

    init(_ configuration: AdsConfiguration, work: SessionWork) {
        self.configuration = configuration
        let (identifiers, locations) = (configuration.identifiers, configuration.locations)
        let agents = configuration.userAgents
        identifier = AdKnown(work) { try await identifiers.identifier() }
        location = AdKnown(work) { try await locations.location() }
        agent = AdKnown(work) { try await agents.userAgent() }
    }

    /// Asks everybody, for the requests to come.
    func refresh() {
        identifier.refresh()
        location.refresh()
        if agent.value == nil { agent.refresh() }
    }

    /// What trackers and requests say they come from.
    var userAgent: String { agent.value ?? SDKIdentity.header }

    /// A request with what is known now. What the user does not allow stays on the device.
    func request(publisher: String, unit: String, format: AdFormat?, size: AdSize?) -> AdRequest {
        let consent = configuration.consent.consent()
        let isAllowed = consent.lmt != true && consent.coppa != true
        // Our own route tells the server what the user said, and the server keeps to it. The documented one cannot.
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

    // The system hands out zeros in place of an id that the user keeps to themselves.
    private static func identifier(_ text: String?) -> String {
        guard let text, text.utf8.count <= 128, text.contains(where: { $0 != "0" && $0 != "-" }) else {
            return ""
        }
        return text
    }
}
