@_spi(Inlay) public import InlaySurface
@_spi(Inlay) public import InlayWire

/// An app's settings for the look and the behavior of a container of cards.
public struct CardListConfiguration: Hashable, Sendable {
    /// The button at the top left of a vertical container.
    public enum PresentationStyle: Hashable, Sendable {
        /// No button; the default.
        case withoutButton
        /// A button with this label, whose tap the app handles.
        case actionButton(label: String)
        /// Close for a container that is presented over the app, Back for one that was pushed.
        case contextualButton(Context)
    }

    /// The presentation of the container, which decides between Close and Back.
    public enum Context: Hashable, Sendable { case modal, pushed }

    /// The choice between a container's two themes.
    public enum InterfaceStyle: String, Codable, Hashable, Sendable { case automatic, light, dark }

    /// The button at the top left; none by default.
    public var presentationStyle: PresentationStyle = .withoutButton
    /// The color behind the screen of the first load; white by default.
    public var launchBackgroundColor: SurfaceColor = .white
    /// The color of the text on the screen of the first load; black at half opacity by default.
    public var launchTextColor: SurfaceColor = .black.opacity(0.5)
    /// The color of the spinner of the first load; black by default.
    public var launchLoadingIndicatorColor: SurfaceColor = .black
    /// The color of the button that retries a failed first load; black by default.
    public var launchButtonColor: SurfaceColor = .black
    /// The color of the icon above the message of a failed first load; black by default.
    public var launchIconColor: SurfaceColor = .black
    /// The theme: light, dark, or by the device's setting (the default).
    public var interfaceStyle: InterfaceStyle = .automatic
    /// The elements around the cards; toasts and the header by default.
    public var enabledUIElements: CardListConfiguration.UIElements = [.toast, .header]
    /// The votes in a card's menu; none by default.
    public var votingOptions: CardListConfiguration.VotingOptions = []
    /// The text below the header, which scrolls with the cards; none by default.
    @_spi(Inlay) public var customHeader: RichText?
    /// The app's texts in place of the defaults.
    public private(set) var customStrings: [CardString: String] = [:]

    /// The maximum width of a card, in points; a card is centred in a wider container. 0 (the default) is no limit;
    /// negative and infinite values become 0.
    public var cardMaxWidth: Double = 0 {
        didSet { if !(cardMaxWidth >= 0 && cardMaxWidth.isFinite) { cardMaxWidth = 0 } }
    }

    /// The time between polls while there is no live connection; 15 s by default. 0 and negative values turn polling
    /// off, other values below 1 s become 1 s.
    public var cardListRefreshInterval: Duration = .seconds(15) {
        didSet {
            if cardListRefreshInterval < .zero { cardListRefreshInterval = .zero }
            if cardListRefreshInterval > .zero {
                cardListRefreshInterval = max(cardListRefreshInterval, .seconds(1))
            }
        }
    }

    /// The time that the app has to resolve runtime variables before their defaults are shown; 5 s by default.
    public var runtimeVariableResolutionTimeout: Duration = .seconds(5) {
        didSet { runtimeVariableResolutionTimeout = max(runtimeVariableResolutionTimeout, .zero) }
    }

    /// A configuration with the documented defaults.
    public init() {}

    /// Sets the app's text in place of a default.
    public mutating func setValue(_ text: String, for string: CardString) { customStrings[string] = text }

    /// Returns the app's text, or the default.
    public func text(_ string: CardString) -> String { customStrings[string] ?? string.defaultText }
}

extension CardListConfiguration {
    /// The elements around the cards of a container.
    public struct UIElements: OptionSet, Hashable, Sendable {
        public let rawValue: Int

        /// A set from its bits, which are the documented ones.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// A short message after an action, at the bottom of the screen.
        public static let toast = CardListConfiguration.UIElements(rawValue: 1 << 0)
        /// A message below the last card.
        public static let footer = CardListConfiguration.UIElements(rawValue: 1 << 1)
        /// The title at the top, and with it pull to refresh.
        public static let header = CardListConfiguration.UIElements(rawValue: 1 << 2)
    }
}

extension CardListConfiguration {
    /// The votes that a card's menu may offer.
    public struct VotingOptions: OptionSet, Hashable, Sendable {
        public let rawValue: Int

        /// A set from its bits.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// "This is useful".
        public static let useful = CardListConfiguration.VotingOptions(rawValue: 1 << 1)
        /// "This isn't useful", which asks for a reason.
        public static let notUseful = CardListConfiguration.VotingOptions(rawValue: 1 << 2)
    }
}
