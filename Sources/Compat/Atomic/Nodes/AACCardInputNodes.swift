public import Foundation
internal import InlayWire
@_spi(Inlay) import InlayWire

/// A group of inputs that are submitted together; the inputs are its children.
public final class AACCardNodeForm: AACCardNode {}

/// An element with a value to submit.
public class AACCardNodeSubmittable: AACCardNode {
    /// The name of the element's value in the submission.
    public let name: String
    /// The text that is shown while the element is empty.
    public let placeholder: String?

    init(_ node: CardNode, name: String, placeholder: String?, cardID: String) {
        self.name = name
        self.placeholder = placeholder
        super.init(node, cardID: cardID)
    }
}

/// A field for text.
public final class AACCardNodeTextInput: AACCardNodeSubmittable {
    /// The initial value of the field.
    public let defaultValue: String?
    /// The height of the field in lines; `nil` for one line.
    public let numberOfLines: NSNumber?
    /// The maximum number of characters; `nil` for no limit.
    public let maximumLength: NSNumber?

    init(_ node: CardNode, input: CardTextInput, cardID: String) {
        defaultValue = input.defaultValue
        numberOfLines = input.lines.map { NSNumber(value: $0) }
        maximumLength = input.rules.maxLength.map { NSNumber(value: $0.value) }
        super.init(node, name: input.name, placeholder: input.placeholder, cardID: cardID)
    }
}

/// A field for a number.
public final class AACCardNodeNumberInput: AACCardNodeSubmittable {
    /// The initial value of the field.
    public let defaultValue: NSDecimalNumber?

    init(_ node: CardNode, input: CardNumberInput, cardID: String) {
        defaultValue = input.defaultValue.map {
            NSDecimalNumber(decimal: Decimal(string: $0.decimalText) ?? Decimal($0))
        }
        super.init(node, name: input.name, placeholder: input.placeholder, cardID: cardID)
    }
}
