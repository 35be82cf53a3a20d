package import Foundation
package import InlayWorkbench

extension HubFeature: WorkbenchSection {
    package var resources: URL? { Bundle.module.copiedResources }

    package var navigation: [NavigationEntry] {
        [
            .init("Hub", icon: "hub", folder: "hub")
        ]
    }

    package var pages: [WorkbenchRoute] {
        [
            HubSourcePages.routes(services, self),
            HubItemPages.routes(services, self),
            HubFilePages.routes(services, self),
            HubVersionPages.routes(services, self),
            HubPolicyPages.routes(services, self),
            HubAnnouncementPages.routes(services, self),
        ].flatMap { $0 }
    }
}
