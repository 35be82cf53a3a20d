@_spi(Inlay) import InlayWire

/// The content of an ad response: an impression with its unit, markup and size.
struct ServedAd: Sendable {
    let impression: AdImpression
    let unit: AdUnit
    let markup: String
    let width: Int
    let height: Int
    let usesMRAID: Bool

    func response(to caller: AdCaller, signedBy key: AdKey) -> AdResponse {
        let type: AdType =
            switch unit.format {
            case .banner, .interstitial: .banner
            case .video: .video
            case .rewarded: .rewarded
            }
        var response = AdResponse(
            type: type, adm: markup, closeTimeout: min(unit.closeTimeout, AdLimits.defaultMaximumCloseDelay),
            width: unit.format == .banner ? Double(width) : 0,
            height: unit.format == .banner ? Double(height) : 0,
            tracker: AdTrackers(view: address(.view, caller, key), click: address(.click, caller, key)))
        guard caller.acceptsExtension else { return response }
        response.ext = AdResponseExtension(
            impressionID: impression.id.rawValue,
            expiresIn: Int((impression.expiresAt - impression.madeAt).microseconds / 1_000_000),
            format: unit.format, refresh: unit.format == .banner && unit.refresh > 0 ? unit.refresh : nil,
            lockLimit: unit.lockLimit, mraid: usesMRAID && unit.allowsMRAID,
            frames: unit.allowsFrames ? true : nil,
            reward: unit.reward.map { AdReward(amount: $0.amount, currency: $0.currency) },
            events: Dictionary(
                events.map { ($0.rawValue, address($0, caller, key)) },
                uniquingKeysWith: { first, _ in first }))
        return response
    }

    private var events: [AdEventName] {
        guard unit.format.isVideo else { return [.close, .error] }
        return [
            .start, .firstQuartile, .midpoint, .thirdQuartile, .complete, .close, .skip, .mute, .unmute,
            .pause, .resume, .error,
        ] + (unit.reward == nil ? [] : [.reward])
    }

    private func address(_ event: AdEventName, _ caller: AdCaller, _ key: AdKey) -> String {
        let token = AdTrackerToken.text(impression.id, event, until: impression.endsAt, key)
        let address = caller.base + InlayPath.adTracker(token: token)
        return event == .error ? address + "?code=[ERRORCODE]" : address
    }
}
