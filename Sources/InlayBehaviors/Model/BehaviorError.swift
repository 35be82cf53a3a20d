/// The reason why an event was rejected. Nothing was stored.
public struct BehaviorError: Error, Sendable {
    /// The kind of an error. The set grows: an app handles the codes that it knows and treats all others alike.
    public struct Code: RawRepresentable, Hashable, Sendable {
        public let rawValue: String

        /// A code with this name.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// The kind of the error.
    public let code: Code
    /// The name of the attribute; with `invalidName`, its beginning.
    public let name: String?
    /// The number of attributes, or of bytes.
    public let count: Int?
    /// The error of the store; only with the code `notStored`.
    public let cause: (any Error)?

    private init(
        _ code: Code, name: String? = nil, count: Int? = nil, cause: (any Error)? = nil
    ) {
        self.code = code
        self.name = name
        self.count = count
        self.cause = cause
    }
}

extension BehaviorError.Code {
    /// The event has more attributes than `BehaviorLimits.maximumAttributes`, the automatic ones included.
    public static let tooManyAttributes = Self(rawValue: "tooManyAttributes")
    /// An attribute's name is empty or longer than `BehaviorLimits.maximumNameBytes`; `name` has its beginning.
    public static let invalidName = Self(rawValue: "invalidName")
    /// An attribute's value is longer than `BehaviorLimits.maximumValueBytes`; `count` has its bytes.
    public static let valueTooLong = Self(rawValue: "valueTooLong")
    /// An attribute's value is an infinite number or "not a number", or contains one.
    public static let notFinite = Self(rawValue: "notFinite")
    /// The whole event has more bytes than `BehaviorLimits.maximumEventBytes`.
    public static let tooLarge = Self(rawValue: "tooLarge")
    /// The session was logged out.
    public static let loggedOut = Self(rawValue: "loggedOut")
    /// The event could not be stored, for example because the disk is full or no user is known yet; see `cause`.
    public static let notStored = Self(rawValue: "notStored")
}

extension BehaviorError {
    package static let loggedOut = Self(.loggedOut)

    package static func tooManyAttributes(_ count: Int) -> Self { Self(.tooManyAttributes, count: count) }
    package static func invalidName(_ name: String) -> Self { Self(.invalidName, name: name) }
    package static func valueTooLong(name: String, bytes: Int) -> Self {
        Self(.valueTooLong, name: name, count: bytes)
    }
    package static func notFinite(name: String) -> Self { Self(.notFinite, name: name) }
    package static func tooLarge(bytes: Int) -> Self { Self(.tooLarge, count: bytes) }
    package static func notStored(_ cause: any Error) -> Self { Self(.notStored, cause: cause) }
}

extension BehaviorError: CustomStringConvertible {
    /// The code with the name, the number and the cause, for logs.
    public var description: String {
        ([code.rawValue] + [name, count.map { "\($0)" }, cause.map { "\($0)" }].compactMap(\.self)).joined(
            separator: ": ")
    }
}
