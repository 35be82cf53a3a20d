import Foundation
import InlayBehaviorsServer
import InlayCardsServer
import InlayDevicesServer
import InlayHubServer
import InlayServer
import InlayServerCore
@_spi(Inlay) import InlayWire

/// The fictional ferry company of the demo: its environment, theme, cards and passengers.
struct HarborCompany {
    static let environmentID = EnvironmentID(verified: "harbor")
    static let containerID = CardContainerID("home")
    /// The passenger who uses the demo app.
    static let maya = UserID("maya")

    let server: InlayServer
    /// The address of the server, with which the pictures' addresses start.
    let address: String

    /// Creates everything except the history.
    func create() async throws {
        _ = try await server.services.environments.create(
            id: Self.environmentID.rawValue, name: "Harbor Ferries")
        let cards = server.features.cards
        let theme = try await cards.themes.save(
            Self.environmentID, name: "Harbor", light: HarborTheme.light, dark: HarborTheme.dark)
        try await cards.containers.save(
            Self.environmentID, id: Self.containerID, name: "Home", themeID: theme.id)
        try await cards.containers.makeDefault(Self.environmentID, Self.containerID)
        for (id, profile) in HarborPassengers.everyone {
            try await server.services.users.put(Self.environmentID, id, profile)
        }
        for draft in try drafts() {
            let template = try await cards.templates.create(Self.environmentID, draft)
            try await cards.templates.publish(Self.environmentID, template.id)
        }
    }

    private func drafts() throws -> [CardTemplateDraft] {
        let text = String(decoding: try DemoResources.data("harbor", "templates.json"), as: UTF8.self)
        let addressed = text.replacing(/harbor:([a-z]+)/) { "\(address)/harbor/\($0.output.1).svg" }
        return try JSONDecoder().decode([CardTemplateDraft].self, from: Data(addressed.utf8))
    }
}
