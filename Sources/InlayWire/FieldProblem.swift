/// A problem with one field of a request.
public struct FieldProblem: Codable, Hashable, Sendable {
    /// A stable name of a kind of problem. The set grows; unknown codes are kept as they are.
    public struct Code: RawRepresentable, Codable, Hashable, Sendable {
        public let rawValue: String

        /// A code by its name on the wire.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// The field's name in the request.
    public var field: String

    /// The kind of problem, to branch on.
    public var code: Code

    /// One sentence to show beside the field.
    public var message: String

    /// Creates a problem of a field.
    public init(field: String, _ code: Code, _ message: String) {
        self.field = field
        self.code = code
        self.message = message
    }
}

extension FieldProblem.Code {
    /// The card has no button of that name.
    public static let unknownButton = Self(rawValue: "unknown-button")
    /// The card has no field of that name.
    public static let unknownField = Self(rawValue: "unknown-field")
    /// The value is of another type than the field.
    public static let wrongType = Self(rawValue: "wrong-type")
    /// The field must not be empty.
    public static let required = Self(rawValue: "required")
    /// The text has too few characters.
    public static let tooShort = Self(rawValue: "too-short")
    /// The text has too many characters.
    public static let tooLong = Self(rawValue: "too-long")
    /// The number is below the minimum.
    public static let tooSmall = Self(rawValue: "too-small")
    /// The number is above the maximum.
    public static let tooLarge = Self(rawValue: "too-large")
    /// The text does not match the field's pattern.
    public static let wrongFormat = Self(rawValue: "wrong-format")
}
