import InlaySQL
import InlayWire
import NIOConcurrencyHelpers

/// All records of one environment at one moment.
final class AdCatalogPage: Sendable {
    /// A campaign with those of its creatives that fit a unit.
    struct Offer: Sendable {
        let campaign: AdCampaign
        let creatives: [AdCreative]
        /// How long the videos among them are, by their ids.
        let videoLengths: [String: Duration]
    }

    let publishers: [String: AdPublisher]
    let apps: [String: AdApp]
    let units: [String: AdUnit]
    private let campaigns: [AdCampaign]
    private let creatives: [String: [AdCreative]]
    private let bidders: [AdBidder]
    private let deals: [AdDeal]
    private let offers = NIOLockedValueBox<[String: [Offer]]>([:])

    init(_ environmentID: String, _ connection: any SQLConnection) throws {
        func all<Record: AdRecord>(_ type: Record.Type) throws -> [Record] {
            try AdRecordStore.list(environmentID, in: connection).map(\AdStored<Record>.record)
        }
        func byID<Record: AdRecord>(_ type: Record.Type) throws -> [String: Record] {
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

    /// Campaigns that may be shown at the unit at some time, most important first.
    func offers(for unit: AdUnit) -> [Offer] {
        if let known = offers.withLockedValue({ $0[unit.id] }) { return known }
        let found = campaigns.compactMap { campaign -> Offer? in
            guard campaign.unitIDs.isEmpty || campaign.unitIDs.contains(unit.id) else { return nil }
            let fitting = (creatives[campaign.id] ?? []).filter { $0.fits(unit) }
            let lengths = fitting.filter { $0.kind == .vast }
                .map { ($0.id, AdEventTiming.length(ofVAST: $0.markup)) }
            return fitting.isEmpty
                ? nil
                : Offer(
                    campaign: campaign, creatives: fitting,
                    videoLengths: Dictionary(lengths) { first, _ in first })
        }
        offers.withLockedValue { $0[unit.id] = found }
        return found
    }

    /// Who is asked for bids for the unit.
    func bidders(for unit: AdUnit) -> [AdBidder] {
        bidders.filter { $0.unitIDs.isEmpty || $0.unitIDs.contains(unit.id) }
    }

    /// What was agreed for the unit.
    func deals(for unit: AdUnit) -> [AdDeal] {
        deals.filter { $0.unitIDs.isEmpty || $0.unitIDs.contains(unit.id) }
    }
}
