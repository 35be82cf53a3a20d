@_spi(Inlay) public import InlaySurface
@_spi(Inlay) public import InlayWire

/// An app's settings for the look and the behavior of a container of cards.
public struct CardListConfiguration: Hashable, Sendable {
    /// The button at the top left of a vertical container.
    public enum PresentationStyle: Hashable, Sendable {
        /// Nothing; the default.
        case withoutButton
        /// A button with this label, whose tap the app handles.
        case actionButton(label: String)
        /// Close where the container is presented over the app, Back where it was pushed.
        case contextualButton(Context)
    }

    /// The button at the top left, which follows how the container was presented.
    public enum Context: Hashable, Sendable { case modal, pushed }

    /// The choice between a container's two themes.
    public enum InterfaceStyle: String, Codable, Hashable, Sendable { case automatic, light, dark }

    /// The button at the top left; none by default.
    public var presentationStyle: PresentationStyle = .withoutButton
    /// Behind the screen of the first load; white by default.
    public var launchBackgroundColor: SurfaceColor = .white
    /// Text on the screen of the first load; black at half opacity by default.
    public var launchTextColor: SurfaceColor = .black.opacity(0.5)
    /// The spinner of the first load; black by default.
    public var launchLoadingIndicatorColor: SurfaceColor = .black
    /// The button that tries a failed first load again; black by default.
    public var launchButtonColor: SurfaceColor = .black
    /// The icon above the message of a failed first load; black by default.
    public var launchIconColor: SurfaceColor = .black
    /// Light, dark, or as the device is set (the default).
    public var interfaceStyle: InterfaceStyle = .automatic
    /// The elements around the cards; toasts and the header by default.
    public var enabledUIElements: CardListConfiguration.UIElements = [.toast, .header]
    /// The votes in a card's menu; none by default.
    public var votingOptions: CardListConfiguration.VotingOptions = []
    /// Shown below the header, scrolling with the cards; nothing by default.
    @_spi(Inlay) public var customHeader: RichText?
    /// The app's own words in place of the defaults.
    public private(set) var customStrings: [CardString: String] = [:]

    /// The widest a card gets, in points, centred where the container is wider; 0 (the default) for no limit.
    /// Negative values become 0.
    public var cardMaxWidth: Double = 0 {
        didSet { if !(cardMaxWidth >= 0 && cardMaxWidth.isFinite) { cardMaxWidth = 0 } }
    }

    /// The interval at which the list is pulled while no live socket is open; 15 s by default. 0 turns polling off,
    /// other values below 1 s become 1 s.
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

    /// Sets the app's own words for a feature.
    public mutating func setValue(_ text: String, for string: CardString) { customStrings[string] = text }

    /// The app's own words, or the default.
    public func text(_ string: CardString) -> String { customStrings[string] ?? string.defaultText }
}

extension CardListConfiguration {
    /// The elements around the cards of a container.
    public struct UIElements: OptionSet, Hashable, Sendable {
        public let rawValue: Int

        /// A set from its bits; the documented ones.
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
