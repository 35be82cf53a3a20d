package import Foundation
package import InlayWorkbench

extension AdsFeature: WorkbenchSection {
    package var resources: URL? { Bundle.module.copiedResources }

    package var navigation: [NavigationEntry] {
        [
            .init(
                "Ads", icon: "image", folder: "ads",
                pages: [
                    .init("Publishers", "ads/publishers", alsoInside: ["ads/apps", "ads/units"]),
                    .init("Campaigns", "ads/campaigns", alsoInside: ["ads/creatives"]),
                    .init("Bidders", "ads/bidders"),
                    .init("Deals", "ads/deals"),
                    .init("Reports", "ads/reports"),
                    .init("Invalid traffic", "ads/refused"),
                ])
        ]
    }

    package var pages: [WorkbenchRoute] { AdPages.routes(services, self) }
}
