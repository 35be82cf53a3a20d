/// One card as it is shown.
public struct CardView: Codable, Hashable, Sendable {
    /// The card instance's id.
    public var card: String
    /// The same, fit for ids in markup.
    public var domID: String
    /// What a screen reader calls it.
    public var label: String
    /// Its elements.
    public var nodes: [NodeView]
    /// What its overflow menu offers; empty for no menu.
    public var menu: [MenuItem]
    /// What a swipe to the side uncovers; empty for no swipe.
    public var quickActions: [MenuItem]
    /// The label of the button that opens the menu; absent without a menu.
    public var moreLabel: String?
    /// What is said while an action is on its way; absent otherwise.
    public var busy: String?

    /// Something to do with a card besides its buttons.
    public struct MenuItem: Codable, Hashable, Sendable {
        /// The event it sends.
        public var event: String
        /// What it says.
        public var label: String
        /// The template of the drawing beside it.
        public var icon: String
    }
}

/// One element as it is shown; exactly one member is present.
public struct NodeView: Codable, Hashable, Sendable {
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
public struct ImageView: Codable, Hashable, Sendable {
    /// Where the page gets it; absent when its address is not http or https, and then only its words show.
    public var source: String?
    /// What a screen reader says.
    public var alternateText: String
    /// `tall`, `medium`, `short` or `original`.
    public var height: String
    /// Its own width in pixels where known.
    public var pixelWidth: Int?
    /// Its own height in pixels where known.
    public var pixelHeight: Int?
    /// Where a tap leads: one of `anchor` and `press` is present, or none.
    public var anchor: Anchor?
    /// What a tap sends.
    public var press: Press?
}

/// A link that a browser follows by itself.
public struct Anchor: Codable, Hashable, Sendable {
    /// A checked address.
    public var href: String
    /// The element's path.
    public var node: String
}

/// What the press of a button sends.
public struct Press: Codable, Hashable, Sendable {
    /// The event's name.
    public var event: String
    /// The element's path.
    public var node: String
    /// The subview to open.
    public var subview: String?
}

/// A button of a card.
public struct ButtonView: Codable, Hashable, Sendable {
    /// What it says.
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
    /// What its press sends.
    public var press: Press?
}

/// An input of a card.
public struct FieldView: Codable, Hashable, Sendable {
    /// Fit for ids in markup, unique on the page.
    public var domID: String
    /// The value's name.
    public var name: String
    /// The visible label.
    public var label: String
    /// Shown while it is empty.
    public var placeholder: String?
    /// What it holds at first.
    public var value: String
    /// Whether it has several lines.
    public var isArea: Bool
    /// How many lines it shows.
    public var lines: Int
    /// Whether it takes a number.
    public var isNumber: Bool
    /// Whether it must be filled.
    public var isRequired: Bool
    /// What is wrong with its value.
    public var problem: String?
}
