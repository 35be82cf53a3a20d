public import Foundation
internal import InlayWire
@_spi(Inlay) import InlayWire

/// The actions on a card that need no view.
public enum AACSessionCardActionTypes: Int, Sendable, CaseIterable {
    case dismiss, snooze, submit
}

/// An action on a card, to be run with `AACSession.onCardAction`.
public final class AACSessionCardAction: NSObject {
    /// The id of the card's container.
    public let containerId: String
    /// The card instance id.
    public let cardId: String
    /// The action.
    public let actionType: AACSessionCardActionTypes
    /// The length of a snooze in seconds, from 0 to 10^11; 0 for other actions.
    public let snoozeInterval: TimeInterval
    /// The values of a submission by name: strings, numbers and Booleans.
    public let submitValues: [String: Any]?
    /// The name of the button of a submission.
    public let submitButtonName: String?

    private init(
        _ type: AACSessionCardActionTypes, _ containerId: String, _ cardId: String,
        interval: TimeInterval = 0,
        button: String? = nil, values: [String: Any]? = nil
    ) {
        actionType = type
        self.containerId = containerId
        self.cardId = cardId
        snoozeInterval = interval
        submitButtonName = button
        submitValues = values
    }

    /// Creates an action that dismisses a card.
    public convenience init(dismissActionWithContainerId containerId: String, cardId: String) {
        self.init(.dismiss, containerId, cardId)
    }

    /// Creates an action that snoozes a card for a number of seconds.
    public convenience init(
        snoozeActionWithContainerId containerId: String, cardId: String, snoozeInterval: TimeInterval
    ) {
        self.init(.snooze, containerId, cardId, interval: snoozeInterval)
    }

    /// Creates an action that submits a card with a button's name and values. The server checks both; a submission
    /// that does not fit its card is a data error.
    public convenience init(
        submitActionWithContainerId containerId: String, cardId: String, submitButtonName: String,
        submitValues: [String: Any]?
    ) {
        self.init(.submit, containerId, cardId, button: submitButtonName, values: submitValues)
    }

    /// Creates an action that submits a card without a button's name, as before 24.2.0.
    @available(*, deprecated, message: "Before 24.2.0. Give the name of the button, too.")
    public convenience init(
        submitActionWithContainerId containerId: String, cardId: String, submitValues: [String: Any]?
    ) {
        self.init(.submit, containerId, cardId, values: submitValues)
    }

    /// The values in InlayWire's types; `nil` when a value is no string, number or Boolean, or is a whole number that a
    /// `Double` cannot hold exactly.
    var typedValues: [String: CardInputValue]? {
        var typed: [String: CardInputValue] = [:]
        for (name, value) in submitValues ?? [:] {
            guard let converted = SubmitValue.typed(value) else { return nil }
            typed[name] = converted
        }
        return typed
    }
}

/// The conversion of a dictionary's values of `Any` to strings, numbers and booleans.
enum SubmitValue {
    static func typed(_ value: Any) -> CardInputValue? {
        switch value {
        case let text as String: .string(text)
        // Booleans come before numbers because on Apple's systems a Boolean is also an `NSNumber`.
        case let flag as Bool where isBoolean(value): .boolean(flag)
        case let number as NSNumber: exact(number).map { .number($0) }
        case let number as any BinaryInteger: Double(exactly: number).map { .number($0) }
        case let number as any BinaryFloatingPoint: .number(Double(number))
        default: nil
        }
    }

    /// Returns the number as a `Double`; `nil` for a whole number that a `Double` cannot hold exactly.
    private static func exact(_ number: NSNumber) -> Double? {
        switch JSONValue(number) {
        case .integer(let whole): Double(exactly: whole)
        case .number(let double): double
        default: nil
        }
    }

    private static func isBoolean(_ value: Any) -> Bool {
        if type(of: value) == Bool.self { return true }
        guard let number = value as? NSNumber else { return false }
        // The type codes of Foundation's Boolean ("c") and C's `bool` ("B"). An `Int8` also has the code "c".
        return ["c", "B"].contains(String(cString: number.objCType))
    }
}
