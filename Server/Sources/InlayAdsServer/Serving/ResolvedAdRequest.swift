import InlayOpenRTB
import InlaySQL
import InlayServerCore
@_spi(Inlay) import InlayWire

/// An ad request that was checked, with its ad unit, user and consent.
struct ResolvedAdRequest: Sendable {
    let request: AdRequest
    let caller: AdCaller
    let inventory: ResolvedAdUnit
    let user: AdUser
    /// The time at which the request was received; it limits the time of bidders.
    let start: ContinuousClock.Instant
    /// The reason why the request is invalid traffic; `nil` when it is not.
    let invalid: AdRefusal?
    /// The consent of the user.
    let consent: OpenRTB.ConsentSignals

    init(
        request: AdRequest, caller: AdCaller, inventory: ResolvedAdUnit, user: AdUser,
        start: ContinuousClock.Instant, invalid: AdRefusal?
    ) {
        (self.request, self.caller, self.inventory) = (request, caller, inventory)
        (self.user, self.start, self.invalid) = (user, start, invalid)
        consent = OpenRTB.ConsentSignals(request.ext?.consent)
    }

    /// Returns the response that serves a creative of a campaign.
    func servedAd(
        _ campaign: AdCampaign, _ creative: AdCreative, lasting length: Duration?, at moment: Timestamp
    ) -> ServedAd {
        var impression = impression(
            priceNanos: campaign.cpmMicros, videoLength: length, at: moment)
        impression.campaignID = campaign.id
        impression.creativeID = creative.id.rawValue
        impression.isHeld = campaign.isLimited && invalid == nil
        impression.windowStart = reservation(of: impression, campaign, at: moment).windowStart
        return ServedAd(
            impression: impression, unit: inventory.unit, markup: creative.servedMarkup,
            width: creative.width > 0 ? creative.width : inventory.unit.width,
            height: creative.height > 0 ? creative.height : inventory.unit.height,
            usesMRAID: creative.usesMRAID)
    }

    /// Returns the reservation of an impression, not taken yet.
    func reservation(
        of impression: AdImpression, _ campaign: AdCampaign, at moment: Timestamp
    ) -> AdReservation {
        AdReservation(
            inventory.environmentID, campaign, user: user, holds: impression.hold, at: moment)
    }

    /// Returns the device's address as exact as a recipient may know it, so that notices reveal no more than the bid
    /// request.
    private func address(for recipient: OpenRTB.ConsentRecipient) -> String {
        let isExact = consent.consent(for: recipient).allowsPreciseLocation
        let shared = NetworkAddress.shared(caller.address.description, isExact: isExact)
        return shared.v4 ?? shared.v6 ?? ""
    }

    /// Returns an impression of the ad unit that nobody has seen yet. `recipient` gets its notices.
    func impression(
        id: AdImpressionID? = nil, priceNanos: Int64, videoLength: Duration?, at moment: Timestamp,
        life: Duration? = nil, for recipient: OpenRTB.ConsentRecipient = .publisher
    ) -> AdImpression {
        let expiresAt = moment + min(life ?? inventory.unit.format.life, inventory.unit.format.life)
        var impression = AdImpression(
            environmentID: inventory.environmentID, id: id ?? .make(at: moment), unitID: inventory.unit.id,
            priceNanos: priceNanos, madeAt: moment, expiresAt: expiresAt,
            endsAt: expiresAt + AdImpression.grace)
        impression.userHashes = user.text
        impression.userID = caller.userID(in: inventory.environmentID) ?? UserID("")
        impression.deviceAddress = address(for: recipient)
        impression.userAgent = request.userAgent.prefix(scalars: 512)
        impression.network = caller.address.block.name
        impression.invalid = invalid
        impression.videoLength = videoLength
        return impression
    }
}

extension ServedAd {
    /// Stores the impression and counts the fill. Invalid traffic is not a fill; its requests were counted as refused.
    func store(_ connection: any SQLConnection) throws {
        try impression.insert(connection)
        guard impression.invalid == nil else { return }
        var day = AdDayCount()
        day.fills = 1
        try day.add(
            to: .init(
                environmentID: impression.environmentID, day: AdPace.day(of: impression.madeAt),
                unitID: impression.unitID, campaignID: impression.campaignID,
                bidderID: impression.bidderID), connection)
    }
}
