package import Foundation
package import InlayWorkbench

extension CardsFeature: WorkbenchSection {
    package var resources: URL? { Bundle.module.copiedResources }

    package var navigation: [NavigationEntry] {
        [
            .init(
                "Cards", icon: "cards", folder: "cards",
                pages: [
                    .init("Templates", "cards/templates"),
                    .init("Containers", "cards/containers"),
                    .init("Themes", "cards/themes"),
                    .init("Analytics", "cards/analytics"),
                    .init("Feed inspector", "cards/inspector"),
                ])
        ]
    }

    package var pages: [WorkbenchRoute] {
        [
            TemplatePages.routes(services, self),
            EditorPages.routes(services, self),
            VersionPages.routes(services, self),
            SendPages.routes(services, self),
            ContainerPages.routes(services, self),
            ThemePages.routes(services, self),
            AnalyticsPages.routes(services, self),
            InspectorPages.routes(services, self),
        ].flatMap { $0 }
    }
}
