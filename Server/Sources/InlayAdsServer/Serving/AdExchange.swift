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
    func response(to request: AdRequest, from caller: AdCaller) async throws -> AdResponse? {
        let start = ContinuousClock.now
        try AdRequestCheck.check(request)
        guard let unitID = AdUnitID.canonical(request.unitID),
            let publisherID = AdPublisherID.canonical(request.pubID),
            let inventory = try await catalog.inventory(publisherID: publisherID, unitID: unitID),
            !inventory.app.isBundleChecked || inventory.app.bundle == request.bundle
        else { throw Problem.unknownUnit }
        let user = AdUser(
            request, userID: caller.userID(in: inventory.environmentID), in: inventory.environmentID)
        try limiter.spend(.key(environment: inventory.environmentID, unitID.rawValue))
        for hash in user.hashes { try limiter.spend(.user(environment: inventory.environmentID, hash)) }
        let invalid = traffic.reason(address: caller.address, agent: caller.agent, device: request.userAgent)
        let adRequest = ResolvedAdRequest(
            request: request, caller: caller, inventory: inventory, user: user, start: start, invalid: invalid
        )
        count(adRequest)
        guard let servedAd = try await ad(for: adRequest) else { return nil }
        return servedAd.response(
            to: caller, signedBy: try await keys.current(inventory.environmentID, .tracker))
    }

    private func count(_ adRequest: ResolvedAdRequest) {
        let (environmentID, unitID) = (adRequest.inventory.environmentID, adRequest.inventory.unit.id)
        guard let reason = adRequest.invalid else {
            return requests.add(environmentID, unitID: unitID, at: now())
        }
        refusals.addRequest(reason, environmentID, unitID: unitID)
    }

    private func ad(for adRequest: ResolvedAdRequest) async throws -> ServedAd? {
        let campaigns = adRequest.inventory.snapshot.campaigns(for: adRequest.inventory.unit)
        // Bidders get no requests that they should not pay for, so a bot gets an ad of a campaign or none.
        if adRequest.invalid != nil { return try await take(campaigns, adRequest) }
        if let own = try await take(campaigns.filter { !$0.campaign.isHouse }, adRequest) { return own }
        if let bid = try await bidding.ad(for: adRequest) { return bid }
        return try await take(campaigns.filter(\.campaign.isHouse), adRequest)
    }

    /// Returns an ad of the first campaign with capacity for one more.
    private func take(_ campaigns: [EligibleCampaign], _ adRequest: ResolvedAdRequest) async throws
        -> ServedAd?
    {
        let moment = now()
        let running = campaigns.filter { AdPace.isRunning($0.campaign, at: moment) }
        let wanted = try await targeted(running, adRequest)
        guard !wanted.isEmpty else { return nil }
        let choices = Self.inOrder(wanted).map { eligible -> (AdCampaign, ServedAd) in
            let creative = eligible.creatives.randomElement() ?? eligible.creatives[0]
            let length = eligible.videoLengths[creative.id]
            return (
                eligible.campaign,
                adRequest.servedAd(eligible.campaign, creative, lasting: length, at: moment)
            )
        }
        return try await database.write { connection in
            for (campaign, servedAd) in choices {
                guard
                    try adRequest.invalid != nil
                        || adRequest.reservation(of: servedAd.impression, campaign, at: moment)
                            .take(campaign, at: moment, in: connection)
                else { continue }
                try servedAd.store(connection)
                return servedAd
            }
            return nil
        }
    }

    /// Returns the campaigns that are for all users or for a segment of the user; anonymous users are in no segment.
    private func targeted(
        _ campaigns: [EligibleCampaign], _ adRequest: ResolvedAdRequest
    ) async throws -> [EligibleCampaign] {
        guard campaigns.contains(where: { $0.campaign.segmentID != nil }) else { return campaigns }
        let environmentID = adRequest.inventory.environmentID
        guard let userID = adRequest.caller.userID(in: environmentID) else {
            return campaigns.filter { $0.campaign.segmentID == nil }
        }
        return try await database.read { connection in
            try campaigns.filter { eligible in
                guard let segment = eligible.campaign.segmentID else { return true }
                return try segments.contains(environmentID, segment: segment, user: userID, in: connection)
            }
        }
    }

    /// Returns the campaigns by priority; those of the same priority are in random order.
    private static func inOrder(_ campaigns: [EligibleCampaign]) -> [EligibleCampaign] {
        campaigns.shuffled().sorted { $0.campaign.priority < $1.campaign.priority }
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
