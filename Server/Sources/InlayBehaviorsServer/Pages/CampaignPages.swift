import InlayServerCore
@_spi(Inlay) import InlayWire
import InlayWorkbench

/// The page that lists campaigns with their results.
struct CampaignPages: Sendable {
    let behaviors: BehaviorsFeature

    private struct Row {
        let campaignName: String
        let campaignPath: String
        let sessions: String
        let completed: String
        let abandoned: String
        let events: String
        let best: String
    }

    private struct Model {
        let ranges: [ChoiceView]
        let rows: [Row]
        let hasRows: Bool
    }

    static func routes(_ services: ServerServices, _ behaviors: BehaviorsFeature) -> [WorkbenchRoute] {
        let pages = CampaignPages(behaviors: behaviors)
        return [.page("e/:environment/behaviors/campaigns") { try await pages.list($0) }]
    }

    private func list(_ request: WorkbenchRequest) async throws -> WorkbenchResult {
        let range = DayRange(request)
        let found = try await behaviors.events.campaigns(
            request.environmentID, from: range.buckets.from, until: range.buckets.until)
        let explorer = request.address("behaviors", "explorer") + "?days=\(range.count)&by=code&campaign="
        let rows = found.map { campaign in
            Row(
                campaignName: campaign.name, campaignPath: explorer + FormFields.escaped(campaign.name),
                sessions: Count.grouped(campaign.sessions), completed: Count.grouped(campaign.completed),
                abandoned: Count.grouped(campaign.abandoned), events: Count.grouped(campaign.events),
                best: campaign.goals.first.map { "\($0.name) (\(Count.grouped($0.count)))" } ?? "–")
        }
        return .page(
            "Campaigns", "behaviors/campaigns",
            Model(ranges: range.choices, rows: rows, hasRows: !rows.isEmpty))
    }
}
