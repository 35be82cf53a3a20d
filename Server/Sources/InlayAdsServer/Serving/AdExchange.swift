import InlaySQL
import InlayServerCore
@_spi(Inlay) package import InlayWire

/// The exchange that answers ad requests: with campaigns by priority, then bids, then house campaigns.
///
/// An ad is sent only after its impression was stored, so that the events of a shown ad can always be booked.
package struct AdExchange: Sendable {
    private typealias EligibleCampaign = AdCatalogSnapshot.EligibleCampaign

    let database: any SQLDatabase
    let catalog: AdCatalog
    let keys: AdKeyStore
    let segments: any UserSegments
    let limiter: RateLimiter
    let requests: AdRequestCounts
    let refusals: AdRefusalCounts
    let traffic: AdTrafficFilter
    let bidding: AdBidding
    let now: @Sendable () -> Timestamp

    /// Returns the ad, or `nil` when there is none. Throws a ``Problem`` for a request that is invalid or refused.
    func answer(_ request: AdRequest, from caller: AdCaller) async throws -> AdResponse? {
        let start = ContinuousClock.now
        try AdRequestCheck.check(request)
        guard let unitID = AdUnitID.canonical(request.unitID),
            let publisherID = AdPublisherID.canonical(request.pubID),
            let place = try await catalog.place(publisherID: publisherID, unitID: unitID),
            !place.app.isBundleChecked || place.app.bundle == request.bundle
        else { throw Problem.unknownUnit }
        let person = AdUser(
            request, userID: caller.userID(in: place.environmentID), in: place.environmentID)
        try limiter.spend(.key(environment: place.environmentID, unitID.rawValue))
        for mark in person.marks { try limiter.spend(.user(environment: place.environmentID, mark)) }
        let invalid = traffic.reason(address: caller.address, agent: caller.agent, device: request.userAgent)
        let asked = ResolvedAdRequest(
            request: request, caller: caller, place: place, person: person, start: start, invalid: invalid)
        count(asked)
        guard let answer = try await ad(for: asked) else { return nil }
        return answer.response(to: caller, signedBy: try await keys.current(place.environmentID, .tracker))
    }

    private func count(_ asked: ResolvedAdRequest) {
        let (environmentID, unitID) = (asked.place.environmentID, asked.place.unit.id)
        guard let reason = asked.invalid else {
            return requests.add(environmentID, unitID: unitID, at: now())
        }
        refusals.addRequest(reason, environmentID, unitID: unitID)
    }

    private func ad(for asked: ResolvedAdRequest) async throws -> ServedAd? {
        let offers = asked.place.snapshot.offers(for: asked.place.unit)
        // Bidders get no requests that they should not pay for, so a bot gets an ad of a campaign or none.
        if asked.invalid != nil { return try await take(offers, asked) }
        if let own = try await take(offers.filter { !$0.campaign.isHouse }, asked) { return own }
        if let bid = try await bidding.ad(for: asked) { return bid }
        return try await take(offers.filter(\.campaign.isHouse), asked)
    }

    /// Returns an ad of the first campaign with capacity for one more.
    private func take(_ offers: [EligibleCampaign], _ asked: ResolvedAdRequest) async throws
        -> ServedAd?
    {
        let moment = now()
        let running = offers.filter { AdPace.isRunning($0.campaign, at: moment) }
        let wanted = try await targeted(running, asked)
        guard !wanted.isEmpty else { return nil }
        let choices = Self.inOrder(wanted).map { offer -> (AdCampaign, ServedAd) in
            let creative = offer.creatives.randomElement() ?? offer.creatives[0]
            let length = offer.videoLengths[creative.id]
            return (
                offer.campaign, asked.answer(offer.campaign, creative, lasting: length, at: moment)
            )
        }
        return try await database.write { connection in
            for (campaign, answer) in choices {
                guard
                    try asked.invalid != nil
                        || asked.reservation(of: answer.impression, campaign, at: moment)
                            .take(campaign, at: moment, in: connection)
                else { continue }
                try answer.keep(connection)
                return answer
            }
            return nil
        }
    }

    /// Returns the campaigns that are for all users or for a segment of the user; anonymous users are in no segment.
    private func targeted(
        _ offers: [EligibleCampaign], _ asked: ResolvedAdRequest
    ) async throws -> [EligibleCampaign] {
        guard offers.contains(where: { $0.campaign.segmentID != nil }) else { return offers }
        let environmentID = asked.place.environmentID
        guard let userID = asked.caller.userID(in: environmentID) else {
            return offers.filter { $0.campaign.segmentID == nil }
        }
        return try await database.read { connection in
            try offers.filter { offer in
                guard let segment = offer.campaign.segmentID else { return true }
                return try segments.contains(environmentID, segment: segment, user: userID, in: connection)
            }
        }
    }

    /// Returns the campaigns by priority; those of the same priority are in random order.
    private static func inOrder(_ offers: [EligibleCampaign]) -> [EligibleCampaign] {
        offers.shuffled().sorted { $0.campaign.priority < $1.campaign.priority }
    }
}

extension Problem {
    /// One error for a unit that does not exist, is disabled or is another publisher's, so that ids cannot be probed.
    static let unknownUnit = Problem(
        .unknownUnit, status: 404, title: "There is no such ad unit of this publisher.",
        detail: "Check pubID and unitID, and that publisher, app and unit are switched on.")
}

extension Problem.Code {
    /// No enabled ad unit has these ids.
    package static let unknownUnit = Self(rawValue: "unknown-unit")
}
