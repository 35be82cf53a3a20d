/// One element of a card.
///
/// On the wire an element is an object with a `type`. An element of a type that this version does not know is kept as
/// `unknown` and not shown.
@_spi(Inlay) public enum CardNode: Hashable, Sendable {
    case category(String)
    case headline(String)
    case text(CardText)
    case list(CardList)
    case image(CardImage)
    case textInput(CardTextInput)
    case numberInput(CardNumberInput)
    case submitButton(CardSubmitButton)
    case dismissButton(text: String)
    case snoozeButton(CardSnoozeButton)
    case linkButton(CardLinkButton)
    /// A group whose inputs are submitted together.
    case form([CardNode])
    case unknown(type: String)
}

extension CardNode: Codable {
    private enum Key: String, CodingKey { case type, text, children }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        func text() throws -> String { try values.decode(String.self, forKey: .text) }
        switch try values.decode(String.self, forKey: .type) {
        case "category": self = .category(try text())
        case "headline": self = .headline(try text())
        case "text": self = .text(try CardText(from: decoder))
        case "list": self = .list(try CardList(from: decoder))
        case "image": self = .image(try CardImage(from: decoder))
        case "textInput": self = .textInput(try CardTextInput(from: decoder))
        case "numberInput": self = .numberInput(try CardNumberInput(from: decoder))
        case "submitButton": self = .submitButton(try CardSubmitButton(from: decoder))
        case "dismissButton": self = .dismissButton(text: try text())
        case "snoozeButton": self = .snoozeButton(try CardSnoozeButton(from: decoder))
        case "linkButton": self = .linkButton(try CardLinkButton(from: decoder))
        case "form": self = .form(try values.decode(LossyArray<CardNode>.self, forKey: .children).elements)
        case let other: self = .unknown(type: other)
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(type, forKey: .type)
        switch self {
        case .category(let text), .headline(let text), .dismissButton(let text):
            try values.encode(text, forKey: .text)
        case .text(let node): try node.encode(to: encoder)
        case .list(let node): try node.encode(to: encoder)
        case .image(let node): try node.encode(to: encoder)
        case .textInput(let node): try node.encode(to: encoder)
        case .numberInput(let node): try node.encode(to: encoder)
        case .submitButton(let node): try node.encode(to: encoder)
        case .snoozeButton(let node): try node.encode(to: encoder)
        case .linkButton(let node): try node.encode(to: encoder)
        case .form(let children): try values.encode(children, forKey: .children)
        case .unknown: break
        }
    }

    /// The element's name on the wire.
    public var type: String {
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
        case .unknown(let type): type
        }
    }

    /// The element and everything inside it, depth first.
    public var flattened: [CardNode] {
        guard case .form(let children) = self else { return [self] }
        return [self] + children.flatMap(\.flattened)
    }
}
