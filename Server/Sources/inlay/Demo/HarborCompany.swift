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
    /// The address of the server, the base of the pictures' URLs.
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

/// Harbor's card theme in light and dark.
enum HarborTheme {
    static let light = CardTheme(
        colors: ["paper": "#F6F3EC", "accent": "#0E5F66", "accent-ink": "#FFFFFF"],
        typography: typography)

    static let dark = CardTheme(
        colors: ["paper": "#101618", "accent": "#5CC2C4", "accent-ink": "#08282A"],
        typography: typography)

    private static let typography = [
        "headline": CardTypography(size: 20, weight: 650, isDynamic: true, minimumSize: 16, maximumSize: 44),
        "body": CardTypography(size: 16, isDynamic: true, minimumSize: 13, maximumSize: 40),
        "category": CardTypography(size: 13, weight: 600, isDynamic: true, minimumSize: 12, maximumSize: 32),
        "button": CardTypography(size: 16, weight: 600, isDynamic: true, minimumSize: 14, maximumSize: 36),
        "list-title": CardTypography(size: 28, weight: 700, isDynamic: true, maximumSize: 48),
    ]
}
