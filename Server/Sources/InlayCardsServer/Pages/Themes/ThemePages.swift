import InlayServerCore
@_spi(Inlay) import InlayWire
import InlayWorkbench

/// The pages of themes: colours, lengths and typography for light and dark mode, with a preview.
struct ThemePages: RecordFormPages, RecordRemovalPages {
    let services: ServerServices
    let cards: CardsFeature
    let root = "e/:environment/cards/themes"
    let noun = "theme"

    /// The values of a theme that an operator typed.
    struct Draft: Sendable {
        let name: String
        let light: CardTheme
        let dark: CardTheme?
    }

    private struct Swatch { let swatchColor: String, swatchX: Int }

    private struct Row {
        let rowPath: String
        let rowName: String
        let swatches: [Swatch]
        let hasDark: Bool
        let used: String
        let changed: Moment
    }

    static func routes(_ services: ServerServices, _ cards: CardsFeature) -> [WorkbenchRoute] {
        let pages = ThemePages(services: services, cards: cards)
        let root = pages.root
        return [
            .page(root) { try await pages.list($0) },
            .page("\(root)/preview") { try pages.preview(ThemeForm(nil), $0.query) },
            .form("\(root)/preview", for: .editor) { try pages.preview(ThemeForm($0.form), $0.form) },
            .page("\(root)/:theme/preview") {
                try pages.preview(ThemeForm(try await pages.found($0)), $0.query)
            },
        ] + pages.newRoutes + pages.changeRoutes + pages.removalRoutes
    }

    func find(_ request: WorkbenchRequest, _ id: String) async throws -> CardThemeRecord? {
        try await cards.themes.theme(request.environmentID, CardThemeID(id))
    }

    func name(of theme: CardThemeRecord) -> String { theme.name }

    private func list(_ request: WorkbenchRequest) async throws -> WorkbenchResult {
        let themes = try await cards.themes.list(request.environmentID)
        let containers = try await cards.containers.list(request.environmentID)
        let path = request.address("cards", "themes")
        let rows = themes.map { theme in
            let names = containers.filter { $0.themeID == theme.id }.map(\.name)
            return Row(
                rowPath: "\(path)/\(FormFields.escaped(theme.id.rawValue))", rowName: theme.name,
                swatches: Self.swatches(theme.light),
                hasDark: theme.dark != nil, used: names.isEmpty ? "Not used" : names.joined(separator: ", "),
                changed: request.moment(theme.updatedAt))
        }
        return .page("Themes", "cards/themes", ListModel(rows, path: path, for: request))
    }

    private static func swatches(_ theme: CardTheme) -> [Swatch] {
        let shown = ["paper", "card", "headline", "body", "button", "link"]
        return shown.enumerated().map { index, token in
            let defaultColor = ThemeTokens.all.first { $0.token == token }?.light ?? "#FFFFFF"
            return Swatch(swatchColor: theme.colors[token] ?? defaultColor, swatchX: index * 16)
        }
    }

    // MARK: The form

    func form(
        _ request: WorkbenchRequest, _ theme: CardThemeRecord?, faults: FieldErrors
    ) -> WorkbenchResult {
        let form = request.hasForm ? ThemeForm(request.form) : ThemeForm(theme)
        let model = ThemeModel(form, id: theme?.id, faults: faults, for: request)
        return .page(
            model.title, "cards/theme", model, scripts: ["theme.js"], faults: faults
        )
    }

    func draft(_ request: WorkbenchRequest, over known: CardThemeRecord?) throws -> Draft {
        let typed = ThemeForm(request.form)
        var (light, dark, faults) = typed.themes()
        if let known { (light, dark) = Self.merged(light, dark, over: known) }
        try faults.throwIfAny()
        return Draft(name: typed.name, light: light, dark: dark)
    }

    func subject(of draft: Draft, _ request: WorkbenchRequest) -> AuditSubject { AuditSubject(draft.name) }

    func save(
        _ draft: Draft, over known: CardThemeRecord?, _ request: WorkbenchRequest
    ) async throws -> CardThemeRecord {
        try await cards.themes.save(
            request.environmentID, id: known?.id, name: draft.name, light: draft.light, dark: draft.dark)
    }

    func saved(_ theme: CardThemeRecord, isNew: Bool, _ request: WorkbenchRequest) -> WorkbenchResult {
        .redirect(
            to: request.address("cards", "themes", theme.id.rawValue),
            Flash("Saved “\(theme.name)”. Containers with this theme change after the apps’ next refresh."))
    }

    /// Returns the looks with the saved values that the editor does not show, such as tokens set through the API.
    private static func merged(
        _ light: CardTheme, _ dark: CardTheme?, over known: CardThemeRecord
    ) -> (CardTheme, CardTheme?) {
        let shownColors = Set(ThemeTokens.all.map(\.token)),
            shownLengths = Set(ThemeTokens.lengths.map(\.token))
        func merge(_ theme: CardTheme, _ old: CardTheme) -> CardTheme {
            var theme = theme
            for (token, color) in old.colors where !shownColors.contains(token) {
                theme.colors[token] = color
            }
            for (token, length) in old.lengths where !shownLengths.contains(token) {
                theme.lengths[token] = length
            }
            for (style, type) in old.typography {
                theme.typography[style]?.minimumSize = type.minimumSize
                theme.typography[style]?.maximumSize = type.maximumSize
            }
            return theme
        }
        return (merge(light, known.light), dark.map { merge($0, known.dark ?? CardTheme()) })
    }

    private func preview(_ form: ThemeForm, _ fields: FormFields) throws -> WorkbenchResult {
        let (light, dark, _) = form.themes()
        return try .preview(
            ThemeSample.draft, CardAppearance(version: 1, light: light, dark: dark), fields)
    }

    // MARK: Removal

    func warning(about theme: CardThemeRecord, _ request: WorkbenchRequest) -> String {
        "Containers that use it get the default theme. A deleted theme cannot be restored."
    }

    func cancelPath(of theme: CardThemeRecord, _ request: WorkbenchRequest) -> String {
        request.address("cards", "themes", theme.id.rawValue)
    }

    func remove(_ theme: CardThemeRecord, _ request: WorkbenchRequest) async throws {
        try await cards.themes.delete(request.environmentID, theme.id)
    }

    func pathAfterRemoval(of theme: CardThemeRecord, _ request: WorkbenchRequest) -> String {
        request.address("cards", "themes")
    }
}

/// The card in the preview of a theme: one element of most kinds.
enum ThemeSample {
    static let draft = CardTemplateDraft(
        name: "Sample", eventName: "sample",
        definition: .init(elements: [
            .category("Category"), .headline("A headline of the usual length"),
            .text(
                "Text with **weight**, _slant_ and [a link](https://example.com), as long as a card’s text often is."
            ),
            .list(style: .unordered, items: ["First", "Second"]),
            .form([
                .textInput(.init(name: "field", label: "A field", placeholder: "Something")),
                .submitButton(.init(text: "Main button")),
            ]),
            .linkButton(.init(text: "Other button", action: .url("https://example.com"))),
        ]))
}
