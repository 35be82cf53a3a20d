@_spi(Inlay) public import InlaySurface

/// One card as it is shown.
@_spi(Inlay) public struct CardView: Codable, Hashable, Sendable {
    /// The card instance's id.
    public var card: String
    /// The same, fit for ids in markup.
    public var domID: String
    /// The label for screen readers.
    public var label: String
    /// Its elements.
    public var nodes: [NodeView]
    /// The items of its overflow menu; empty for no menu.
    public var menu: [MenuItem]
    /// The buttons that a swipe to the side uncovers; empty for no swipe.
    public var quickActions: [MenuItem]
    /// The label of the button that opens the menu; absent without a menu.
    public var moreLabel: String?
    /// The text while an action is under way; absent otherwise.
    public var busy: String?

    /// Something to do with a card besides its buttons.
    public struct MenuItem: Codable, Hashable, Sendable {
        /// The event it sends.
        public var event: String
        /// The text.
        public var label: String
        /// The template of the drawing beside it.
        public var icon: String
    }
}

/// One element as it is shown; exactly one member is present.
@_spi(Inlay) public struct NodeView: Codable, Hashable, Sendable {
    /// Small words above a headline.
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
    /// Buttons that follow each other.
    public var buttons: [ButtonView]?
    /// Inputs and buttons that belong together.
    public var form: FormView?

    /// A list of short texts; exactly one of the three is present.
    public struct ListView: Codable, Hashable, Sendable {
        /// Numbered items.
        public var ordered: [SafeHTML]?
        /// Items with bullets.
        public var unordered: [SafeHTML]?
        /// Items on one line, separated by commas.
        public var commaSeparated: SafeHTML?
    }

    /// A form with its elements.
    public struct FormView: Codable, Hashable, Sendable {
        /// Its elements.
        public var nodes: [NodeView]
    }
}

/// An image as it is shown.
@_spi(Inlay) public struct ImageView: Codable, Hashable, Sendable {
    /// The address at which the page loads it; absent when the image's address is not http or https, and then only its text shows.
    public var source: String?
    /// The label for screen readers.
    public var alternateText: String
    /// `tall`, `medium`, `short` or `original`.
    public var height: String
    /// Its own width in pixels where known.
    public var pixelWidth: Int?
    /// Its own height in pixels where known.
    public var pixelHeight: Int?
    /// The link of a tap: at most one of `anchor` and `press` is present.
    public var anchor: Anchor?
    /// The event of a tap.
    public var press: Press?
}

/// A link that a browser follows by itself.
@_spi(Inlay) public struct Anchor: Codable, Hashable, Sendable {
    /// A checked address.
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
    /// Whether it is the main thing to do.
    public var isPrimary: Bool
    /// Whether it submits.
    public var isSubmit: Bool
    /// Whether it can be pressed now.
    public var isDisabled: Bool
    /// A link that a browser follows; one of `anchor` and `press` is present, or none where its target is
    /// not allowed.
    public var anchor: Anchor?
    /// The event that it sends.
    public var press: Press?
}

/// An input of a card.
@_spi(Inlay) public struct FieldView: Codable, Hashable, Sendable {
    /// Fit for ids in markup, unique on the page.
    public var domID: String
    /// The value's name.
    public var name: String
    /// The visible label.
    public var label: String
    /// Shown while it is empty.
    public var placeholder: String?
    /// The initial value.
    public var value: String
    /// Whether it has several lines.
    public var isArea: Bool
    /// The number of lines that it shows.
    public var lines: Int
    /// Whether it takes a number.
    public var isNumber: Bool
    /// Whether it must be filled.
    public var isRequired: Bool
    /// The problem with its value.
    public var problem: String?
}
