public import Foundation
internal import InlayWire
@_spi(Inlay) import InlayWire

/// The actions on a card that need no view.
public enum AACSessionCardActionTypes: Int, Sendable, CaseIterable {
    case dismiss, snooze, submit
}

/// An action on a card, to be run with `AACSession.onCardAction`.
public final class AACSessionCardAction: NSObject {
    /// The container the card is in.
    public let containerId: String
    /// The card instance id.
    public let cardId: String
    /// The action.
    public let actionType: AACSessionCardActionTypes
    /// For a snooze, for how many seconds; must not be negative.
    public let snoozeInterval: TimeInterval
    /// For a submission, strings, numbers and booleans by name.
    public let submitValues: [String: Any]?
    /// For a submission, the name of the button.
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

    /// Dismisses a card.
    public convenience init(dismissActionWithContainerId containerId: String, cardId: String) {
        self.init(.dismiss, containerId, cardId)
    }

    /// Snoozes a card for some seconds from now.
    public convenience init(
        snoozeActionWithContainerId containerId: String, cardId: String, snoozeInterval: TimeInterval
    ) {
        self.init(.snooze, containerId, cardId, interval: snoozeInterval)
    }

    /// Submits a card with a button's name and values. The SDK does not check them; the server does, and a submission
    /// that does not fit its card is a data error.
    public convenience init(
        submitActionWithContainerId containerId: String, cardId: String, submitButtonName: String,
        submitValues: [String: Any]?
    ) {
        self.init(.submit, containerId, cardId, button: submitButtonName, values: submitValues)
    }

    /// Submits a card without a button's name, as before 24.2.0.
    @available(*, deprecated, message: "Before 24.2.0. Give the name of the button, too.")
    public convenience init(
        submitActionWithContainerId containerId: String, cardId: String, submitValues: [String: Any]?
    ) {
        self.init(.submit, containerId, cardId, values: submitValues)
    }

    /// The values in the engine's types; `nil` when one is no string, number or boolean.
    var typedValues: [String: CardInputValue]? {
        var typed: [String: CardInputValue] = [:]
        for (name, value) in submitValues ?? [:] {
            guard let known = SubmitValue.typed(value) else { return nil }
            typed[name] = known
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

    /// The number as a submission carries it; `nil` for a whole number that would have other digits there.
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
        // Foundation's type code of a Boolean; "B" is C's `bool`. An Int8 has the code "c" too.
        return ["c", "B"].contains(String(cString: number.objCType))
    }
}
