/// How bad something is, from the most to the least restrictive level.
public enum HubSeverity: Int, Comparable, CaseIterable, Sendable {
    /// As a level: nothing passes. No message has it.
    case none
    case criticalError, error, warning, info

    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// Whom a message is for, from the most to the least restrictive level.
public enum HubVerbosity: Int, Comparable, CaseIterable, Sendable {
    /// As a level: nothing passes. No message has it.
    case none
    case debug, info

    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// One line of the hub's log. Holds no token, no key and no content.
public struct HubLogMessage: Hashable, Sendable {
    /// What happened.
    public var text: String
    /// How bad it is.
    public var severity: HubSeverity
    /// Whom it is for.
    public var verbosity: HubVerbosity

    /// A line.
    public init(_ text: String, severity: HubSeverity, verbosity: HubVerbosity) {
        self.text = text
        self.severity = severity
        self.verbosity = verbosity
    }
}
