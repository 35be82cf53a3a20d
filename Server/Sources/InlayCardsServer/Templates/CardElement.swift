@_spi(Inlay) package import InlayWire

/// One element of a card as its author writes it.
///
/// The same JSON as ``InlayWire/CardNode`` (an object with a `type`), except that `text` and `list` hold
/// Markdown only; the parsed form is made when the template is published.
package enum CardElement: Hashable, Sendable {
    case category(String)
    case headline(String)
    /// Markdown, with `{{variables}}`.
    case text(String)
    case list(style: CardList.Style, items: [String])
    case image(CardImage)
    case textInput(CardTextInput)
    case numberInput(CardNumberInput)
    case submitButton(CardSubmitButton)
    case dismissButton(text: String)
    case snoozeButton(CardSnoozeButton)
    case linkButton(CardLinkButton)
    /// A group whose inputs are submitted together; it cannot contain another form.
    case form([CardElement])
}

extension CardElement: Codable {
    private enum Key: String, CodingKey { case type, text, style, items, children }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        func text() throws -> String { try values.decode(String.self, forKey: .text) }
        switch try values.decode(String.self, forKey: .type) {
        case "category": self = .category(try text())
        case "headline": self = .headline(try text())
        case "text": self = .text(try text())
        case "list":
            self = .list(
                style: try values.decode(CardList.Style.self, forKey: .style),
                items: try values.decode([String].self, forKey: .items))
        case "image": self = .image(try CardImage(from: decoder))
        case "textInput": self = .textInput(try CardTextInput(from: decoder))
        case "numberInput": self = .numberInput(try CardNumberInput(from: decoder))
        case "submitButton": self = .submitButton(try CardSubmitButton(from: decoder))
        case "dismissButton": self = .dismissButton(text: try text())
        case "snoozeButton": self = .snoozeButton(try CardSnoozeButton(from: decoder))
        case "linkButton": self = .linkButton(try CardLinkButton(from: decoder))
        case "form": self = .form(try values.decode([CardElement].self, forKey: .children))
        case let other:
            // Unlike a device, the server refuses an unknown type, so that the author sees the mistake.
            throw DecodingError.dataCorruptedError(
                forKey: .type, in: values, debugDescription: "There is no element of type \"\(other)\".")
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(type, forKey: .type)
        switch self {
        case .category(let text), .headline(let text), .text(let text), .dismissButton(let text):
            try values.encode(text, forKey: .text)
        case .list(let style, let items):
            try values.encode(style, forKey: .style)
            try values.encode(items, forKey: .items)
        case .image(let element): try element.encode(to: encoder)
        case .textInput(let element): try element.encode(to: encoder)
        case .numberInput(let element): try element.encode(to: encoder)
        case .submitButton(let element): try element.encode(to: encoder)
        case .snoozeButton(let element): try element.encode(to: encoder)
        case .linkButton(let element): try element.encode(to: encoder)
        case .form(let children): try values.encode(children, forKey: .children)
        }
    }

    /// The element's name in JSON.
    package var type: String {
        switch self {
        case .category: "category"
        case .headline: "headline"
        case .text: "text"
        case .list: "list"
        case .image: "image"
        case .textInput: "textInput"
        case .numberInput: "numberInput"
        case .submitButton: "submitButton"
        case .dismissButton: "dismissButton"
        case .snoozeButton: "snoozeButton"
        case .linkButton: "linkButton"
        case .form: "form"
        }
    }
}
