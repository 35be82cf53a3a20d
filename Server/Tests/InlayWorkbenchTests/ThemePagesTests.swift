import Foundation
@_spi(Inlay) import InlayWire
import Testing

@testable import InlayServerTesting

@Suite struct ThemePagesTests {
    private static let colors = [
        ("name", "Harbor blue"), ("light.colors.card", "#FFFFFF"), ("light.colors.headline", "#002B5C"),
        ("dark.colors.card", "#0A1420"), ("light.lengths.radius-card", "12"),
        ("light.typography.headline.size", "22"),
    ]

    @Test func `a theme made in the Workbench reaches a container with its dark look, or without one`()
        async throws
    {
        try await WorkbenchSite.run { site in
            let editor = try await site.signedIn(.editor)
            let root = "/workbench/e/harbor/cards"
            for (dark, container) in [([("hasDark", "on")], "both"), ([], "plain")] {
                let saved = try await editor.post("\(root)/themes/new", Self.colors + dark)
                #expect(saved.status == 303)
                let id = saved.location.split(separator: "/").last.map(String.init) ?? ""
                let fields = [("id", container), ("name", container), ("themeID", id)]
                #expect(try await editor.post("\(root)/containers/new", fields).status == 303)
                let appearance = try #require(
                    try await site.cards.containers.appearance("harbor", "\(container)"))
                #expect(appearance.light.colors == ["card": "#FFFFFF", "headline": "#002B5C"])
                #expect(appearance.light.lengths == ["radius-card": 12])
                #expect(appearance.light.typography["headline"]?.size == 22)
                #expect(appearance.dark?.colors == (dark.isEmpty ? nil : ["card": "#0A1420"]))
            }
        }
    }

    @Test
    func
        `colors with too little contrast are reported, and a form with an invalid color is refused and keeps its input`()
        async throws
    {
        try await WorkbenchSite.run { site in
            let editor = try await site.signedIn(.editor)
            let path = "/workbench/e/harbor/cards/themes/new"
            let pale = [("name", "Pale"), ("light.colors.headline", "#DDDDDD")]
            let saved = try await editor.post(path, pale)
            let page = try await editor.get(saved.location)
            #expect(page.body.contains("One text has too little contrast to its background."))
            let wrong = try await editor.post(
                path,
                [("name", "Wrong"), ("light.colors.paper", "red;}"), ("light.lengths.card-gap", "wide")])
            #expect(wrong.status == 422)
            #expect(wrong.body.contains("value=\"red;}\"") && wrong.body.contains("value=\"wide\""))
            #expect(try await site.cards.themes.list("harbor").map(\.name) == ["Pale"])
        }
    }

    @Test func `saving a theme keeps what the page does not show`() async throws {
        try await WorkbenchSite.run { site in
            var light = CardTheme(colors: ["toast": "#123456", "card": "#FFFFFF"])
            light.lengths = ["radius-media": 4]
            let theme = try await site.cards.themes.save("harbor", name: "API", light: light)
            let editor = try await site.signedIn(.editor)
            let path = "/workbench/e/harbor/cards/themes/\(theme.id)"
            #expect(
                try await editor.post(path, [("name", "API"), ("light.colors.card", "#EEEEEE")]).status == 303
            )
            let saved = try #require(try await site.cards.themes.theme("harbor", theme.id))
            #expect(saved.light.colors == ["toast": "#123456", "card": "#EEEEEE"])
            #expect(saved.light.lengths == ["radius-media": 4])
        }
    }
}
