public import Foundation

/// The look and behavior of a container; copied when the container is made.
open class AACConfiguration: NSObject, NSCopying {
    /// The button in the top left; default none.
    public var presentationStyle = AACConfigurationPresentationStyle.withoutButton
    /// Receives taps on the action button and on buttons with a payload.
    public weak var actionDelegate: (any AACStreamContainerActionDelegate)?
    /// Resolves runtime variables; without it they have their defaults.
    public weak var runtimeVariableDelegate: (any AACRuntimeVariableDelegate)?
    /// Receives the user's actions on cards.
    public weak var cardEventDelegate: (any AACCardEventDelegate)?
    /// Background of the launch screen; default white.
    public var launchBackgroundColor: UIColor? = .white
    /// Spinner of the launch screen; default black.
    public var launchLoadingIndicatorColor: UIColor? = .black
    /// Retry button of the launch screen; default black.
    public var launchButtonColor: UIColor? = .black
    /// Text of the launch screen; default black at half opacity.
    public var launchTextColor: UIColor? = .black.withAlphaComponent(0.5)
    /// Icon of the launch screen; default none.
    public var launchIconColor: UIColor?
    /// Seconds between polls while there is no WebSocket: 15 by default, at least 1, or 0 for never.
    public var cardListRefreshInterval: TimeInterval = 15
    /// The parts that are shown; default toasts and the list's header.
    public var enabledUiElements: AACUIElement = [.cardListToast, .cardListHeader]
    /// Seconds the app has to resolve runtime variables; default 5, never below 0.
    public var runtimeVariableResolutionTimeout: TimeInterval = 5 {
        didSet { runtimeVariableResolutionTimeout = max(0, runtimeVariableResolutionTimeout) }
    }
    /// Light, dark or as the device; default automatic.
    public var interfaceStyle = AACConfigurationInterfaceStyle.automatic
    /// The voting options of a card's menu; default none.
    public var cardVotingOptions = AACCardVotingOption.none
    /// Behaviour that is off by default.
    public private(set) var features = AACFeatureFlags()
    /// The most points a card is wide; 0, the default, is as wide as the container. Below 0 becomes 0.
    public var cardMaxWidth: Double = 0 {
        didSet { cardMaxWidth = max(0, cardMaxWidth) }
    }
    /// The texts the app replaced.
    private(set) var customStrings: [AACCustomString: String] = [:]

    /// A configuration with the documented defaults.
    public required override init() {}

    /// Replaces one text of the container.
    public func setValue(_ value: String, for key: AACCustomString) { customStrings[key] = value }

    /// The text in use: the app's, else the documented default.
    package func text(_ key: AACCustomString) -> String { customStrings[key] ?? key.defaultText }

    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = Self.init()
        copy.presentationStyle = presentationStyle
        copy.actionDelegate = actionDelegate
        copy.runtimeVariableDelegate = runtimeVariableDelegate
        copy.cardEventDelegate = cardEventDelegate
        copy.launchBackgroundColor = launchBackgroundColor
        copy.launchLoadingIndicatorColor = launchLoadingIndicatorColor
        copy.launchButtonColor = launchButtonColor
        copy.launchTextColor = launchTextColor
        copy.launchIconColor = launchIconColor
        copy.cardListRefreshInterval = cardListRefreshInterval
        copy.enabledUiElements = enabledUiElements
        copy.runtimeVariableResolutionTimeout = runtimeVariableResolutionTimeout
        copy.interfaceStyle = interfaceStyle
        copy.cardVotingOptions = cardVotingOptions
        copy.features.runtimeVariableAnalytics = features.runtimeVariableAnalytics
        copy.cardMaxWidth = cardMaxWidth
        copy.customStrings = customStrings
        return copy
    }
}
