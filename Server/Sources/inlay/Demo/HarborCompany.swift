import Foundation
import InlayServer
import InlayWire

/// The made-up ferry company of the demo: its environment, look, cards and passengers.
struct HarborCompany {
    static let environmentID = "harbor"
    static let containerID = "home"
    /// The passenger whose phone the demo app is.
    static let maya = "maya"

    let server: InlayServer
    /// Where the server is; the pictures' addresses start with it.
    let address: String

    /// Makes everything but the past.
    func found() async throws {
        _ = try await server.services.environments.create(id: Self.environmentID, name: "Harbor Ferries")
        let cards = server.features.cards
        let theme = try await cards.themes.save(
            Self.environmentID, name: "Harbor", light: HarborLook.light, dark: HarborLook.dark)
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
