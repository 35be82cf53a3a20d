internal import InlayAds
internal import InlayCore
internal import InlayWire

/// The consent that the app has reported: a yes, a no, or nothing yet.
final class YabbiConsent: Sendable {
    private let answer = Locked<Bool?>(nil)

    var isRefused: Bool { answer.withLock { $0 == false } }

    func set(_ isGiven: Bool) { answer.withLock { $0 = isGiven } }

    func reset() { answer.withLock { $0 = nil } }
}

/// A consent source that marks requests as limited in tracking when the user refused.
struct YabbiConsentSource: AdConsentSource {
    let answer: YabbiConsent

    func consent() -> AdConsent { AdConsent(lmt: answer.isRefused ? true : nil) }
}

/// A provider of the device's location, or of none when the app has disabled locations or the user has refused consent.
struct YabbiLocations: AdLocationProvider {
    let inner: any AdLocationProvider
    let consent: YabbiConsent
    let isOn: Locked<Bool>

    func location() async throws -> AdGeo? {
        guard isOn.withLock({ $0 }), !consent.isRefused else { return nil }
        return try await inner.location()
    }
}
