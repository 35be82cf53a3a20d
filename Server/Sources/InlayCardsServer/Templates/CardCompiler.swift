@_spi(Inlay) package import InlayWire

/// The compiler of an author's draft to the layout that devices show.
package enum CardCompiler {
    /// Returns the layout of a draft; throws ``FieldErrors`` with all faults.
    package static func compile(_ draft: CardTemplateDraft) throws -> CardLayout {
        try CardTemplateCheck.validate(draft)
        return layout(of: draft)
    }

    /// Returns the layout of a draft without any check, for a preview in the editor. Never send it to a device.
    static func layout(of draft: CardTemplateDraft) -> CardLayout {
        let definition = draft.definition
        let subviews = definition.subviews.map {
            ($0.id, CardSubview(title: $0.title, nodes: nodes($0.elements)))
        }
        return CardLayout(
            nodes: nodes(definition.elements),
            subviews: Dictionary(subviews) { first, _ in first },
            options: definition.options,
            variables: definition.variables.map {
                CardVariable(name: $0.name, defaultValue: $0.defaultValue, isRuntime: $0.isRuntime)
            })
    }

    private static func nodes(_ elements: [CardElement]) -> [CardNode] { elements.map(node) }

    private static func node(_ element: CardElement) -> CardNode {
        switch element {
        case .category(let text): .category(text)
        case .headline(let text): .headline(text)
        case .text(let source): .text(text(source))
        case .list(let style, let items): .list(CardList(style: style, items: items.map(text)))
        case .image(let image): .image(image)
        case .textInput(let input): .textInput(input)
        case .numberInput(let input): .numberInput(input)
        case .submitButton(let button): .submitButton(button)
        case .dismissButton(let text): .dismissButton(text: text)
        case .snoozeButton(let button): .snoozeButton(button)
        case .linkButton(let button): .linkButton(button)
        case .form(let children): .form(nodes(children))
        }
    }

    private static func text(_ source: String) -> CardText {
        CardText(text: source, rich: Markdown.parse(source) ?? RichText(plain: source))
    }
}
