import InlayWire

/// Themes: colours, sizes and type of the surfaces, by day and by night, with a preview.
struct ThemePages: Sendable {
    let services: ServerServices
    let stores: WorkbenchStores

    private struct Swatch { let swatchColor: String, swatchX: Int }

    private struct Row {
        let rowPath: String
        let rowName: String
        let swatches: [Swatch]
        let hasDark: Bool
        let used: String
        let changed: Moment
    }

    static func routes(_ services: ServerServices, _ stores: WorkbenchStores) -> [WorkbenchRoute] {
        let pages = ThemePages(services: services, stores: stores)
        let root = "e/:environment/cards/themes"
        return [
            .page(root) { try await pages.list($0) },
            .page("\(root)/new", for: .editor) { pages.form(ThemeForm(nil), $0, faults: FieldErrors()) },
            .form("\(root)/new", for: .editor) { try await pages.save($0, nil) },
            .page("\(root)/preview") { try pages.preview(ThemeForm(nil), $0.query) },
            .form("\(root)/preview", for: .editor) { try pages.preview(ThemeForm($0.form), $0.form) },
            .page("\(root)/:theme") {
                pages.form(ThemeForm(try await pages.found($0)), $0, faults: FieldErrors())
            },
            .form("\(root)/:theme", for: .editor) { try await pages.save($0, try await pages.found($0)) },
            .page("\(root)/:theme/preview") {
                try pages.preview(ThemeForm(try await pages.found($0)), $0.query)
            },
            .page("\(root)/:theme/delete", for: .editor) { try await pages.confirm($0) },
            .form("\(root)/:theme/delete", for: .editor) { try await pages.delete($0) },
        ]
    }

    private func found(_ request: WorkbenchRequest) async throws -> CardThemeRecord {
        try await request.found("theme", stores.themes.theme)
    }

    private func list(_ request: WorkbenchRequest) async throws -> WorkbenchAnswer {
        let themes = try await stores.themes.list(request.environmentID)
        let containers = try await stores.containers.list(request.environmentID)
        let path = request.address("cards", "themes")
        let rows = themes.map { theme in
            let names = containers.filter { $0.themeID == theme.id }.map(\.name)
            return Row(
                rowPath: "\(path)/\(FormFields.escaped(theme.id))", rowName: theme.name,
                swatches: Self.swatches(theme.light),
                hasDark: theme.dark != nil, used: names.isEmpty ? "Not used" : names.joined(separator: ", "),
                changed: request.moment(theme.updatedAt))
        }
        return .page("Themes", "cards/themes", ListModel(rows, path: path, for: request))
    }

    private static func swatches(_ theme: CardTheme) -> [Swatch] {
        let shown = ["paper", "card", "headline", "body", "button", "link"]
        return shown.enumerated().map { index, token in
            let usual = ThemeTokens.all.first { $0.token == token }?.light ?? "#FFFFFF"
            return Swatch(swatchColor: theme.colors[token] ?? usual, swatchX: index * 16)
        }
    }

    private func form(
        _ form: ThemeForm, _ request: WorkbenchRequest, faults: FieldErrors
    ) -> WorkbenchAnswer {
        let model = ThemeModel(form, id: request.parameters["theme"], faults: faults, for: request)
        return .page(
            model.title, "cards/theme", model, scripts: ["theme.js"], faults: faults
        )
    }

    private func save(_ request: WorkbenchRequest, _ known: CardThemeRecord?) async throws -> WorkbenchAnswer
    {
        let typed = ThemeForm(request.form)
        var (light, dark, faults) = typed.themes()
        if let known { (light, dark) = Self.merged(light, dark, over: known) }
        do {
            try faults.throwIfAny()
            let saved = try await stores.themes.save(
                request.environmentID, id: known?.id, name: typed.name, light: light, dark: dark)
            try services.audit.record(
                known == nil ? "created theme" : "changed theme", saved.name, by: request)
            return .redirect(
                to: request.address("cards", "themes", saved.id),
                Flash("Saved “\(saved.name)”. Containers with this theme change at the apps’ next look."))
        } catch let refused as FieldErrors {
            faults = refused
            return form(typed, request, faults: faults)
        }
    }

    /// Keeps what the editor does not show, such as tokens set through the API.
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

    private func preview(_ form: ThemeForm, _ fields: FormFields) throws -> WorkbenchAnswer {
        let (light, dark, _) = form.themes()
        return try .preview(
            ThemeSample.draft, CardAppearance(version: 1, light: light, dark: dark), fields)
    }

    private func confirm(_ request: WorkbenchRequest) async throws -> WorkbenchAnswer {
        let theme = try await found(request)
        let path = request.address("cards", "themes", theme.id)
        return .confirm(
            "Delete", theme.name,
            "Containers that use it get Inlay’s own look. A deleted theme cannot be brought back.",
            at: path + "/delete", back: path, for: request)
    }

    private func delete(_ request: WorkbenchRequest) async throws -> WorkbenchAnswer {
        let theme = try await found(request)
        try await stores.themes.delete(request.environmentID, theme.id)
        try services.audit.record(
            "deleted theme", theme.name, by: request)
        return .redirect(to: request.address("cards", "themes"), Flash("Deleted “\(theme.name)”."))
    }
}

/// The card that a theme is tried on: one of everything.
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
