@_spi(Inlay) import InlaySurface
@_spi(Inlay) public import InlayWire

extension CardLayout {
    /// Returns the layout with `{{name}}` replaced in all texts and addresses.
    ///
    /// A value is plain text: it is neither read as markup nor searched for further variables. In an address, values
    /// are percent-encoded, except for a variable at the beginning: it may contain a scheme, and when the address is
    /// then not http, https, mailto or tel, it becomes empty. An unknown name becomes empty too, because braces on
    /// screen do not help the user.
    public func resolved(with values: CardValues) -> CardLayout {
        let resolution = CardResolution(values: values, declared: variables)
        var layout = self
        layout.nodes = nodes.map(resolution.node)
        layout.subviews = subviews.mapValues {
            CardSubview(title: resolution.text($0.title), nodes: $0.nodes.map(resolution.node))
        }
        return layout
    }
}

/// The replacement of a card's variables.
struct CardResolution {
    let values: CardValues
    let declared: [CardVariable]

    func node(_ node: CardNode) -> CardNode {
        switch node {
        case .category(let template): .category(text(template))
        case .headline(let template): .headline(text(template))
        case .text(let template): .text(cardText(template))
        case .list(let list): .list(CardList(style: list.style, items: list.items.map(cardText)))
        case .image(let image): .image(resolved(image))
        case .textInput(let input): .textInput(resolved(input))
        case .numberInput(let input): .numberInput(resolved(input))
        case .submitButton(let button): .submitButton(resolved(button))
        case .dismissButton(let template): .dismissButton(text: text(template))
        case .snoozeButton(let button):
            .snoozeButton(CardSnoozeButton(text: text(button.text), seconds: button.seconds))
        case .linkButton(let button):
            .linkButton(CardLinkButton(text: text(button.text), action: action(button.action)))
        case .form(let nodes): .form(nodes.map(self.node))
        case .unknown: node
        }
    }

    func text(_ template: String) -> String {
        VariableTemplate.fill(template) { name, _ in value(name) }
    }

    func address(_ template: String) -> String {
        var beginsWithVariable = false
        // Markdown parsers percent-encode braces inside an address.
        let plain = VariableTemplate.withPlainBraces(template)
        let address = VariableTemplate.fill(plain) { name, isFirst in
            if isFirst {
                beginsWithVariable = true
                return value(name)
            }
            return PercentEncoding.encode(value(name))
        }
        guard beginsWithVariable else { return address }
        guard case .address(let checked)? = LinkTarget(address) else { return "" }
        return checked
    }

    private func value(_ name: String) -> String { values.text(of: name, declared: declared) ?? "" }

    private func cardText(_ template: CardText) -> CardText {
        CardText(text: text(template.text), rich: template.rich.map(text: text, link: address))
    }

    private func resolved(_ image: CardImage) -> CardImage {
        var image = image
        image.url = address(image.url)
        image.alternateText = text(image.alternateText)
        image.action = image.action.map(action)
        return image
    }

    private func resolved(_ input: CardTextInput) -> CardTextInput {
        var input = input
        input.label = text(input.label)
        input.placeholder = input.placeholder.map(text)
        input.defaultValue = input.defaultValue.map(text)
        return input
    }

    private func resolved(_ input: CardNumberInput) -> CardNumberInput {
        var input = input
        input.label = text(input.label)
        input.placeholder = input.placeholder.map(text)
        return input
    }

    private func resolved(_ button: CardSubmitButton) -> CardSubmitButton {
        var button = button
        button.text = text(button.text)
        button.action = button.action.map(action)
        button.values = button.values.mapValues {
            guard case .string(let template) = $0 else { return $0 }
            return .string(text(template))
        }
        return button
    }

    private func action(_ action: CardLinkAction) -> CardLinkAction {
        switch action {
        case .url(let address): .url(self.address(address))
        case .subview: action
        case .payload(let payload): .payload(payload.mapValues(json))
        }
    }

    private func json(_ value: JSONValue) -> JSONValue {
        switch value {
        case .string(let template): .string(text(template))
        case .array(let elements): .array(elements.map(json))
        case .object(let members): .object(members.mapValues(json))
        default: value
        }
    }
}
