@_spi(Inlay) public import InlaySurface

/// The view model of a card.
@_spi(Inlay) public struct CardView: Codable, Hashable, Sendable {
    /// The card instance's id.
    public var card: String
    /// The id in a form that is valid in markup.
    public var domID: String
    /// The label for screen readers.
    public var label: String
    /// The elements of the card.
    public var nodes: [NodeView]
    /// The items of the overflow menu; empty for no menu.
    public var menu: [MenuItem]
    /// The buttons that a swipe to the side uncovers; empty for no swipe.
    public var quickActions: [MenuItem]
    /// The label of the button that opens the menu; absent without a menu.
    public var moreLabel: String?
    /// The text while an action is being sent; absent otherwise.
    public var busy: String?

    /// An item of the overflow menu, or a button of the swipe.
    public struct MenuItem: Codable, Hashable, Sendable {
        /// The name of the event that the item sends.
        public var event: String
        /// The text.
        public var label: String
        /// The template of the icon.
        public var icon: String
    }
}

/// The view model of an element; exactly one member is present.
@_spi(Inlay) public struct NodeView: Codable, Hashable, Sendable {
    /// The category, a small text above a headline.
    public var category: String?
    /// The headline.
    public var headline: String?
    /// Formatted text.
    public var text: SafeHTML?
    /// A list.
    public var list: ListView?
    /// An image.
    public var image: ImageView?
    /// An input.
    public var field: FieldView?
    /// A group of consecutive buttons.
    public var buttons: [ButtonView]?
    /// A form of inputs and buttons.
    public var form: FormView?

    /// A list of short texts; exactly one of the three is present.
    public struct ListView: Codable, Hashable, Sendable {
        /// The items of a numbered list.
        public var ordered: [SafeHTML]?
        /// The items of a list with bullets.
        public var unordered: [SafeHTML]?
        /// The items on one line, separated by commas.
        public var commaSeparated: SafeHTML?
    }

    /// A form with its elements.
    public struct FormView: Codable, Hashable, Sendable {
        /// The elements of the form.
        public var nodes: [NodeView]
    }
}

/// The view model of an image.
@_spi(Inlay) public struct ImageView: Codable, Hashable, Sendable {
    /// The address at which the page loads the image; absent when the image's address is not http or https. Then only
    /// the alternate text is shown.
    public var source: String?
    /// The label for screen readers.
    public var alternateText: String
    /// `tall`, `medium`, `short` or `original`.
    public var height: String
    /// The width of the file in pixels, if known.
    public var pixelWidth: Int?
    /// The height of the file in pixels, if known.
    public var pixelHeight: Int?
    /// The link of a tap: at most one of `anchor` and `press` is present.
    public var anchor: Anchor?
    /// The event of a tap.
    public var press: Press?
}

/// A link that a browser follows by itself.
@_spi(Inlay) public struct Anchor: Codable, Hashable, Sendable {
    /// The checked address.
    public var href: String
    /// The element's path.
    public var node: String
}

/// The event of a button.
@_spi(Inlay) public struct Press: Codable, Hashable, Sendable {
    /// The event's name.
    public var event: String
    /// The element's path.
    public var node: String
    /// The subview to open.
    public var subview: String?
}

/// A button of a card.
@_spi(Inlay) public struct ButtonView: Codable, Hashable, Sendable {
    /// The text.
    public var label: String
    /// Whether the button is drawn as the primary action.
    public var isPrimary: Bool
    /// Whether the button submits its form.
    public var isSubmit: Bool
    /// Whether the button cannot be pressed now.
    public var isDisabled: Bool
    /// The link that a browser follows. One of `anchor` and `press` is present, or none when the link is not allowed.
    public var anchor: Anchor?
    /// The event that the button sends.
    public var press: Press?
}

/// An input of a card.
@_spi(Inlay) public struct FieldView: Codable, Hashable, Sendable {
    /// The id in markup, unique on the page.
    public var domID: String
    /// The name of the value.
    public var name: String
    /// The visible label.
    public var label: String
    /// The text that is shown while the input is empty.
    public var placeholder: String?
    /// The initial value.
    public var value: String
    /// Whether the input has several lines.
    public var isArea: Bool
    /// The number of visible lines, 1 to 20.
    public var lines: Int
    /// Whether the value is a number.
    public var isNumber: Bool
    /// Whether a value is required.
    public var isRequired: Bool
    /// The problem with the value.
    public var problem: String?
}
