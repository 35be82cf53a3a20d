import InlaySQL
import InlayServerCore
@_spi(Inlay) import InlayWire
import NIOConcurrencyHelpers

/// A snapshot of an environment's publishers, apps, units, campaigns, creatives, bidders and deals.
final class AdCatalogSnapshot: Sendable {
    /// A campaign with those of its creatives that fit a unit.
    struct EligibleCampaign: Sendable {
        let campaign: AdCampaign
        let creatives: [AdCreative]
        /// The lengths of the VAST creatives, by id.
        let videoLengths: [AdCreativeID: Duration]
    }

    let publishers: [AdPublisherID: AdPublisher]
    let apps: [AdAppID: AdApp]
    let units: [AdUnitID: AdUnit]
    private let campaigns: [AdCampaign]
    private let creatives: [AdCampaignID: [AdCreative]]
    private let bidders: [AdBidder]
    private let deals: [AdDeal]
    private let campaignsByUnit = NIOLockedValueBox<[AdUnitID: [EligibleCampaign]]>([:])

    init(_ environmentID: EnvironmentID, _ connection: any SQLConnection) throws {
        func all<Record: AdRecord>(_ type: Record.Type) throws -> [Record] {
            try AdRecordStore.list(environmentID, in: connection).map(\AdStored<Record>.record)
        }
        func byID<Record: AdRecord>(_ type: Record.Type) throws -> [Record.ID: Record] {
            Dictionary(try all(type).map { ($0.id, $0) }) { first, _ in first }
        }
        publishers = try byID(AdPublisher.self)
        apps = try byID(AdApp.self)
        units = try byID(AdUnit.self)
        campaigns = try all(AdCampaign.self).filter(\.isEnabled).sorted { $0.priority < $1.priority }
        creatives = Dictionary(grouping: try all(AdCreative.self), by: \.parentID)
        bidders = try all(AdBidder.self).filter(\.isEnabled)
        deals = try all(AdDeal.self).filter(\.isEnabled)
    }

    /// Returns the enabled campaigns with creatives for the unit, by priority. Times, caps and budgets are
    /// not checked.
    func campaigns(for unit: AdUnit) -> [EligibleCampaign] {
        if let cached = campaignsByUnit.withLockedValue({ $0[unit.id] }) { return cached }
        let found = campaigns.compactMap { campaign -> EligibleCampaign? in
            guard campaign.unitIDs.isEmpty || campaign.unitIDs.contains(unit.id) else { return nil }
            let fitting = (creatives[campaign.id] ?? []).filter { $0.fits(unit) }
            let lengths = fitting.filter { $0.kind == .vast }
                .map { ($0.id, AdEventTiming.length(ofVAST: $0.markup)) }
            return fitting.isEmpty
                ? nil
                : EligibleCampaign(
                    campaign: campaign, creatives: fitting,
                    videoLengths: Dictionary(lengths) { first, _ in first })
        }
        campaignsByUnit.withLockedValue { $0[unit.id] = found }
        return found
    }

    /// Returns the bidders that are asked for bids for the unit.
    func bidders(for unit: AdUnit) -> [AdBidder] {
        bidders.filter { $0.unitIDs.isEmpty || $0.unitIDs.contains(unit.id) }
    }

    /// Returns the deals that apply to the unit.
    func deals(for unit: AdUnit) -> [AdDeal] {
        deals.filter { $0.unitIDs.isEmpty || $0.unitIDs.contains(unit.id) }
    }
}
