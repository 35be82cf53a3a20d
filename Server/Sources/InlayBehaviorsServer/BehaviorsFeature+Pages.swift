package import Foundation
package import InlayWorkbench

extension BehaviorsFeature: WorkbenchSection {
    package var resources: URL? { Bundle.module.copiedResources }

    package var navigation: [NavigationEntry] {
        [
            .init(
                "Behaviors", icon: "behaviors", folder: "behaviors",
                pages: [
                    .init("Live events", "behaviors/events"),
                    .init("Explorer", "behaviors/explorer"),
                    .init("Goals and funnels", "behaviors/goals", alsoInside: ["behaviors/funnels"]),
                    .init("Campaigns", "behaviors/campaigns"),
                    .init("Contact lists", "behaviors/lists"),
                    .init("Segments", "behaviors/segments"),
                ])
        ]
    }

    package var settings: [NavigationEntry.Page] { [.init("OAuth clients", "settings/oauth", for: .admin)] }

    package var pages: [WorkbenchRoute] {
        [
            StreamPages.routes(services, self),
            ExplorerPages.routes(services, self),
            GoalPages.routes(services, self),
            FunnelPages.routes(services, self),
            CampaignPages.routes(services, self),
            ContactPages.routes(services, self),
            SegmentPages.routes(services, self),
            OAuthClientPages.routes(services, self),
        ].flatMap { $0 }
    }
}
