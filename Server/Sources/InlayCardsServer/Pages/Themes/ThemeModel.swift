import InlayServerCore
@_spi(Inlay) import InlayWire
import InlayWorkbench

/// The model of a theme's page.
struct ThemeModel {
    /// A colour: a text field, a swatch, and the contrast with its background.
    struct ColorField {
        let colorID: String
        let colorName: String
        let colorLabel: String
        let typed: String
        let defaultColor: String
        let swatch: String
        let isLocked: Bool
        let colorFault: String?
        let hasColorFault: Bool
        let backgroundName: String?
        let ratio: String?
        let isLow: Bool
    }

    struct ColorGroup {
        let groupName: String
        let colors: [ColorField]
    }

    struct SchemeModel {
        let schemeName: String
        let schemeID: String
        let groups: [ColorGroup]
    }

    let csrf: String
    let listPath: String
    let formPath: String
    let previewPath: String
    let archivePath: String?
    let title: String
    let canEdit: Bool
    let faultSummary: FaultSummary?
    let nameField: FieldView
    let darkField: FieldView
    let schemes: [SchemeModel]
    let lengths: [FieldView]
    let typography: [FieldView]
    let lowText: String?

    init(_ form: ThemeForm, id: CardThemeID?, faults: FieldErrors, for request: WorkbenchRequest) {
        let list = request.address("cards", "themes"), isLocked = !request.may(.editor)
        let path = list + "/" + (id.map { FormFields.escaped($0.rawValue) } ?? "new")
        csrf = request.csrfToken
        listPath = list
        formPath = path
        previewPath = list + "/preview"
        archivePath = id == nil ? nil : path + "/delete"
        title = id == nil ? "New theme" : form.name
        canEdit = !isLocked
        func own(_ field: FieldView) -> FieldView {
            field.with(faults: faults).with { $0.isLocked = isLocked }
        }
        nameField = own(.line("name", "Name", form.name, hint: "For your team."))
        darkField = own(
            .check(
                "hasDark", "Dark variant", form.hasDark,
                hint: "Without one, the light variant is used in dark mode too."))
        let schemes = [
            SchemeModel("Light", "light", form, faults, isLocked),
            SchemeModel("Dark", "dark", form, faults, isLocked),
        ]
        self.schemes = schemes
        lengths = ThemeTokens.lengths.map { length in
            own(
                .line("light.lengths.\(length.token)", length.label, form["light.lengths.\(length.token)"])
                    .with {
                        $0.placeholder = "\(length.defaultValue) points"; $0.mode = "decimal"
                    })
        }
        typography = ThemeTokens.styles.flatMap { style -> [FieldView] in
            let path = "light.typography.\(style.style)"
            return [
                own(
                    .line("\(path).family", "\(style.label): family", form["\(path).family"])
                        .with { $0.placeholder = "The system’s" }),
                own(
                    .line("\(path).size", "\(style.label): size", form["\(path).size"])
                        .with {
                            $0.placeholder = "\(style.size) pixels"; $0.mode = "decimal"
                        }),
                own(
                    .line("\(path).weight", "\(style.label): weight", form["\(path).weight"])
                        .with {
                            $0.placeholder = style.weight; $0.mode = "numeric"
                        }),
                own(
                    .check(
                        "\(path).isDynamic", "Follows the user’s text size",
                        form["\(path).isDynamic"] == "on"
                            || form["\(path).size"].isEmpty)
                ).with { $0.isWide = true },
            ]
        }
        let shown = schemes.filter { form.hasDark || $0.schemeID == "light" }
        let low = shown.flatMap(\.groups).flatMap(\.colors).filter(\.isLow).count
        lowText =
            low == 0
            ? nil
            : low == 1
                ? "One text has too little contrast to its background."
                : "\(low) texts have too little contrast to their background."
        var labels = ["name": "Name", "hasDark": "Dark variant"]
        for field in lengths + typography { labels[field.name] = field.label }
        for look in schemes {
            for color in look.groups.flatMap(\.colors) {
                labels[color.colorName] = "\(look.schemeName): \(color.colorLabel)"
            }
        }
        faultSummary = FaultSummary(faults, labels: labels)
    }
}

extension ThemeModel.SchemeModel {
    fileprivate init(
        _ name: String, _ look: String, _ form: ThemeForm, _ faults: FieldErrors, _ isLocked: Bool
    ) {
        schemeName = name
        schemeID = look
        func effective(_ token: String) -> String {
            let typed = form["\(look).colors.\(token)"]
            guard typed.isEmpty, let color = ThemeTokens.all.first(where: { $0.token == token }) else {
                return typed
            }
            return look == "light" ? color.light : color.dark
        }
        groups = ThemeTokens.groups.map { group in
            ThemeModel.ColorGroup(
                groupName: group.name,
                colors: group.colors.map { color in
                    let field = "\(look).colors.\(color.token)"
                    let fault = faults.messages(for: field).first
                    let ratio = color.background.flatMap {
                        Contrast.ratio(effective(color.token), effective($0))
                    }
                    return ThemeModel.ColorField(
                        colorID: FieldView.id(field), colorName: field, colorLabel: color.label,
                        typed: form[field],
                        defaultColor: look == "light" ? color.light : color.dark,
                        swatch: Self.sixDigits(effective(color.token)),
                        isLocked: isLocked, colorFault: fault, hasColorFault: fault != nil,
                        backgroundName: color.background,
                        ratio: ratio.map { String(($0 * 10).rounded(.down) / 10) + " : 1" },
                        isLow: ratio.map { $0 < Contrast.enough } ?? false)
                })
        }
    }

    /// Returns a colour as `#rrggbb`, the only form that a browser's colour field accepts.
    private static func sixDigits(_ color: String) -> String {
        let digits = Array(color.dropFirst())
        guard color.hasPrefix("#"), digits.allSatisfy(\.isHexDigit) else { return "#000000" }
        switch digits.count {
        case 3: return "#" + String(digits.flatMap { [$0, $0] }).lowercased()
        case 6, 8: return "#" + String(digits.prefix(6)).lowercased()
        default: return "#000000"
        }
    }
}
