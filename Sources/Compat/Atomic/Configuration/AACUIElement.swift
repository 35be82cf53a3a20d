/// The optional parts of a container's interface.
public struct AACUIElement: OptionSet, Hashable, Sendable {
    public let rawValue: Int

    /// A set from its bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Messages at the bottom of the screen after an action or its failure.
    public static let cardListToast = AACUIElement(rawValue: 1 << 0)
    /// The message below the last card, `AACCustomString.cardListFooterMessage`.
    public static let cardListFooterMessage = AACUIElement(rawValue: 1 << 1)
    /// The title above the first card, with pull to refresh.
    public static let cardListHeader = AACUIElement(rawValue: 1 << 2)
}

/// No part of the interface; in Swift the same as `[]`. Adding it to other values changes nothing.
public let AACUIElementNone = AACUIElement([])

/// The voting options in a card's overflow menu.
public struct AACCardVotingOption: OptionSet, Hashable, Sendable {
    public let rawValue: Int

    /// A set from its bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// No voting; the default.
    public static let none = AACCardVotingOption(rawValue: 1 << 0)
    /// "This is useful".
    public static let useful = AACCardVotingOption(rawValue: 1 << 1)
    /// "This isn't useful".
    public static let notUseful = AACCardVotingOption(rawValue: 1 << 2)
}
