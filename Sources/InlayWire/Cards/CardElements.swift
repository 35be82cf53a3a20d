/// A paragraph or more of formatted text.
@_spi(Inlay) public struct CardText: Codable, Hashable, Sendable {
    /// The Markdown source.
    public var text: String
    /// The text as a tree, parsed and sanitised by the server.
    public var rich: RichText

    /// A text with its source and its parsed form.
    public init(text: String, rich: RichText) {
        self.text = text
        self.rich = rich
    }
}

/// A list of short texts.
@_spi(Inlay) public struct CardList: Codable, Hashable, Sendable {
    /// The markers of a list.
    public enum Style: String, Codable, Hashable, Sendable {
        case ordered, unordered, comma
    }

    /// The markers of the list.
    public var style: Style
    /// The items in order.
    public var items: [CardText]

    /// A list with its style and items.
    public init(style: Style, items: [CardText]) {
        self.style = style
        self.items = items
    }
}

/// An image, optionally with an action for a tap.
@_spi(Inlay) public struct CardImage: Codable, Hashable, Sendable {
    /// The height of the image on screen, in points. Everything but `original` is cropped to fill.
    public enum Height: String, Codable, Hashable, Sendable {
        /// 200 points; the default.
        case tall
        /// 120 points.
        case medium
        /// 50 points.
        case short
        /// The image's own ratio at the card's width.
        case original
    }

    /// The image's address, http or https; may contain `{{variables}}`.
    public var url: String
    /// The text for screen readers; empty for decoration.
    public var alternateText: String
    /// The height on screen.
    public var height: Height
    /// The action of a tap; `nil` for none.
    public var action: CardLinkAction?
    /// The image's own width in pixels when the server knows it, so that a page can reserve the space.
    public var pixelWidth: Int?
    /// The image's own height in pixels when the server knows it.
    public var pixelHeight: Int?

    /// Creates an image.
    public init(
        url: String, alternateText: String, height: Height = .tall, action: CardLinkAction? = nil,
        pixelWidth: Int? = nil, pixelHeight: Int? = nil
    ) {
        self.url = url
        self.alternateText = alternateText
        self.height = height
        self.action = action
        self.pixelWidth = pixelWidth
        self.pixelHeight = pixelHeight
    }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        url = try values.decode(String.self, forKey: .url)
        alternateText = try values.decodeIfPresent(String.self, forKey: .alternateText) ?? ""
        height = (try? values.decode(Height.self, forKey: .height)) ?? .tall
        action = try values.decodeIfPresent(CardLinkAction.self, forKey: .action)
        pixelWidth = try? values.decodeIfPresent(Int.self, forKey: .pixelWidth)
        pixelHeight = try? values.decodeIfPresent(Int.self, forKey: .pixelHeight)
    }
}

/// The action of a link button, an image or a submit button.
@_spi(Inlay) public enum CardLinkAction: Hashable, Sendable {
    /// A web address, http, https, mailto or tel, or a scheme that the app handles.
    case url(String)
    /// A subview of the same card, by id.
    case subview(String)
    /// A value handed to the app.
    case payload([String: JSONValue])
}

extension CardLinkAction: Codable {
    private enum Key: String, CodingKey { case url, subview, payload }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        if let url = try values.decodeIfPresent(String.self, forKey: .url) {
            self = .url(url)
        } else if let subview = try values.decodeIfPresent(String.self, forKey: .subview) {
            self = .subview(subview)
        } else {
            self = .payload(try values.decode([String: JSONValue].self, forKey: .payload))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        switch self {
        case .url(let url): try values.encode(url, forKey: .url)
        case .subview(let id): try values.encode(id, forKey: .subview)
        case .payload(let payload): try values.encode(payload, forKey: .payload)
        }
    }
}

/// A button that submits the card with the values of its inputs.
@_spi(Inlay) public struct CardSubmitButton: Codable, Hashable, Sendable {
    /// The title of the button.
    public var text: String
    /// The button's name in the submission and in analytics; optional.
    public var buttonName: String?
    /// Values that are submitted with those of the inputs; an input of the same name takes precedence.
    public var values: [String: CardInputValue]
    /// The action after the server accepted the submission; `nil` for none.
    public var action: CardLinkAction?

    /// Creates a submit button.
    public init(
        text: String, buttonName: String? = nil, values: [String: CardInputValue] = [:],
        action: CardLinkAction? = nil
    ) {
        self.text = text
        self.buttonName = buttonName
        self.values = values
        self.action = action
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        text = try container.decode(String.self, forKey: .text)
        buttonName = try container.decodeIfPresent(String.self, forKey: .buttonName)
        values = try container.decodeIfPresent([String: CardInputValue].self, forKey: .values) ?? [:]
        action = try container.decodeIfPresent(CardLinkAction.self, forKey: .action)
    }
}

/// A button that opens an address or a subview, or hands a payload to the app.
@_spi(Inlay) public struct CardLinkButton: Codable, Hashable, Sendable {
    /// The title of the button.
    public var text: String
    /// The action of a tap.
    public var action: CardLinkAction

    /// Creates a link button.
    public init(text: String, action: CardLinkAction) {
        self.text = text
        self.action = action
    }
}

/// A button that hides the card for a while.
@_spi(Inlay) public struct CardSnoozeButton: Codable, Hashable, Sendable {
    /// The title of the button.
    public var text: String
    /// The duration in seconds; with `nil`, the user chooses it.
    public var seconds: Int64?

    /// A snooze button; without seconds it opens the picker.
    public init(text: String, seconds: Int64? = nil) {
        self.text = text
        self.seconds = seconds
    }
}
