import InlayWire

extension CardLayout {
    /// The layout with `{{name}}` replaced in every text, address and payload.
    ///
    /// Rich text is filled run by run after parsing, so a value can never become mark-up or a link.
    func filled(with values: [String: String]) -> CardLayout {
        guard !values.isEmpty else { return self }
        var filled = self
        filled.nodes = nodes.map { $0.filled(with: values) }
        filled.subviews = subviews.mapValues { subview in
            CardSubview(
                title: VariableText.fill(subview.title, values),
                nodes: subview.nodes.map { $0.filled(with: values) })
        }
        return filled
    }
}

extension CardNode {
    fileprivate func filled(with values: [String: String]) -> CardNode {
        func fill(_ text: String) -> String { VariableText.fill(text, values) }
        switch self {
        case .category(let text): return .category(fill(text))
        case .headline(let text): return .headline(fill(text))
        case .text(let text): return .text(text.filled(with: values))
        case .list(let list):
            return .list(CardList(style: list.style, items: list.items.map { $0.filled(with: values) }))
        case .image(let image): return .image(image.filled(with: values))
        case .textInput(let input): return .textInput(input.filled(with: values))
        case .numberInput(let input): return .numberInput(input.filled(with: values))
        case .submitButton(let button): return .submitButton(button.filled(with: values))
        case .dismissButton(let text): return .dismissButton(text: fill(text))
        case .snoozeButton(let button):
            return .snoozeButton(CardSnoozeButton(text: fill(button.text), seconds: button.seconds))
        case .linkButton(let button):
            return .linkButton(
                CardLinkButton(text: fill(button.text), action: button.action.filled(with: values)))
        case .form(let children): return .form(children.map { $0.filled(with: values) })
        case .unknown: return self
        }
    }
}

extension CardText {
    fileprivate func filled(with values: [String: String]) -> CardText {
        CardText(text: VariableText.fill(text, values), rich: rich.mapText { VariableText.fill($0, values) })
    }
}

extension CardImage {
    fileprivate func filled(with values: [String: String]) -> CardImage {
        CardImage(
            url: VariableText.fillAddress(url, values),
            alternateText: VariableText.fill(alternateText, values),
            height: height, action: action?.filled(with: values))
    }
}

extension CardTextInput {
    fileprivate func filled(with values: [String: String]) -> CardTextInput {
        var filled = self
        filled.label = VariableText.fill(label, values)
        filled.placeholder = placeholder.map { VariableText.fill($0, values) }
        filled.defaultValue = defaultValue.map { VariableText.fill($0, values) }
        return filled
    }
}

extension CardNumberInput {
    fileprivate func filled(with values: [String: String]) -> CardNumberInput {
        var filled = self
        filled.label = VariableText.fill(label, values)
        filled.placeholder = placeholder.map { VariableText.fill($0, values) }
        return filled
    }
}

extension CardSubmitButton {
    fileprivate func filled(with values: [String: String]) -> CardSubmitButton {
        var filled = self
        filled.text = VariableText.fill(text, values)
        filled.action = action?.filled(with: values)
        return filled
    }
}

extension CardLinkAction {
    fileprivate func filled(with values: [String: String]) -> CardLinkAction {
        switch self {
        case .url(let url): .url(VariableText.fillAddress(url, values))
        case .subview: self
        case .payload(let payload): .payload(payload.mapValues { $0.filled(with: values) })
        }
    }
}

extension JSONValue {
    fileprivate func filled(with values: [String: String]) -> JSONValue {
        switch self {
        case .string(let text): .string(VariableText.fill(text, values))
        case .array(let elements): .array(elements.map { $0.filled(with: values) })
        case .object(let members): .object(members.mapValues { $0.filled(with: values) })
        case .null, .bool, .integer, .number: self
        }
    }
}
