package import Foundation
package import InlayWorkbench

extension DevicesFeature: WorkbenchSection {
    static let folder = Bundle.module.copiedResources

    package var resources: URL? { Self.folder }

    package var navigation: [NavigationEntry] {
        [
            .init(
                "Devices", icon: "devices", folder: "devices",
                pages: [
                    .init("Applications", "devices/applications"),
                    .init("Accounts", "devices/accounts"),
                    .init("Devices", "devices/list"),
                    .init("Set-up", "devices/setup"),
                    .init("Mails", "devices/mails"),
                ])
        ]
    }

    package var pages: [WorkbenchRoute] {
        [
            DeviceApplicationPages.routes(services, self),
            EndAccountPages.routes(services, self),
            DevicePages.routes(services, self),
            SetupPages.routes(services, self),
            MailPages.routes(services, self),
        ].flatMap { $0 }
    }
}
