public import Foundation

/// The look and behavior of a container; copied when the container is made.
open class AACConfiguration: NSObject, NSCopying {
    /// The button in the top left; none by default.
    public var presentationStyle = AACConfigurationPresentationStyle.withoutButton
    /// The delegate for taps on the action button and on buttons with a payload.
    public weak var actionDelegate: (any AACStreamContainerActionDelegate)?
    /// The delegate that resolves runtime variables; without a delegate, variables have their default values.
    public weak var runtimeVariableDelegate: (any AACRuntimeVariableDelegate)?
    /// The delegate for the user's actions on cards.
    public weak var cardEventDelegate: (any AACCardEventDelegate)?
    /// The background color of the launch screen; white by default.
    public var launchBackgroundColor: UIColor? = .white
    /// The color of the launch screen's loading indicator; black by default.
    public var launchLoadingIndicatorColor: UIColor? = .black
    /// The color of the launch screen's retry button; black by default.
    public var launchButtonColor: UIColor? = .black
    /// The text color of the launch screen; black at half opacity by default.
    public var launchTextColor: UIColor? = .black.withAlphaComponent(0.5)
    /// The color of the launch screen's icon; `nil`, the default, is black.
    public var launchIconColor: UIColor?
    /// The number of seconds between polls while no WebSocket is open: 15 by default, at least 1; 0 disables polling.
    public var cardListRefreshInterval: TimeInterval = 15
    /// The parts of the interface that are shown; toasts and the list's header by default.
    public var enabledUiElements: AACUIElement = [.cardListToast, .cardListHeader]
    /// The time limit for resolving runtime variables, in seconds; 5 by default. Negative values become 0.
    public var runtimeVariableResolutionTimeout: TimeInterval = 5 {
        didSet { runtimeVariableResolutionTimeout = max(0, runtimeVariableResolutionTimeout) }
    }
    /// The theme: light, dark, or the device's setting, which is the default.
    public var interfaceStyle = AACConfigurationInterfaceStyle.automatic
    /// The voting options of a card's menu; none by default.
    public var cardVotingOptions = AACCardVotingOption.none
    /// Optional behavior, which is disabled by default.
    public private(set) var features = AACFeatureFlags()
    /// The maximum width of a card in points; 0, the default, means the container's width. Negative values become 0.
    public var cardMaxWidth: Double = 0 {
        didSet { cardMaxWidth = max(0, cardMaxWidth) }
    }
    /// The texts that the app has replaced.
    private(set) var customStrings: [AACCustomString: String] = [:]

    /// Creates a configuration with the documented defaults.
    public required override init() {}

    /// Replaces one text of the container.
    public func setValue(_ value: String, for key: AACCustomString) { customStrings[key] = value }

    /// Returns the app's text for a key, or the documented default.
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
