internal import InlayAds
internal import InlayCore
internal import InlayWire

/// The app's statement about consent: one yes or no, and none before it was asked.
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

/// The system's place, unless the app turned it off or the user said no.
struct YabbiLocations: AdLocationProvider {
    let inner: any AdLocationProvider
    let consent: YabbiConsent
    let isOn: Locked<Bool>

    func location() async throws -> AdGeo? {
        guard isOn.withLock({ $0 }), !consent.isRefused else { return nil }
        return try await inner.location()
    }
}
