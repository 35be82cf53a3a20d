extension HubLog {
    /// The severity of a message, from the most to the least restrictive level.
    public enum Severity: Int, Comparable, CaseIterable, Sendable {
        /// As a level: nothing passes. No message has it.
        case none
        case criticalError, error, warning, info

        public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }
}

extension HubLog {
    /// The audience of a message, from the most to the least restrictive level.
    public enum Verbosity: Int, Comparable, CaseIterable, Sendable {
        /// As a level: nothing passes. No message has it.
        case none
        case debug, info

        public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }
}

extension HubLog {
    /// One line of the hub's log. Holds no token, no key and no content.
    public struct Message: Hashable, Sendable {
        /// The text of the message.
        public var text: String
        /// The severity of the message.
        public var severity: HubLog.Severity
        /// The audience of the message.
        public var verbosity: HubLog.Verbosity

        /// A line.
        public init(_ text: String, severity: HubLog.Severity, verbosity: HubLog.Verbosity) {
            self.text = text
            self.severity = severity
            self.verbosity = verbosity
        }
    }
}
