public import Foundation
internal import InlayCards
internal import InlayWire
@_spi(Inlay) import InlayWire

/// An attribute of a card, and the value with which a card filter compares it.
///
/// `AACCardListFilter` checks at run time that the operator supports the value's type, as documented. New code should
/// use `CardFilter` of InlayCards, where the compiler checks the types.
public final class AACCardFilterValue: NSObject {
    let subject: CardFilter.Subject
    let operand: CardFilter.Operand

    private init(_ subject: CardFilter.Subject, _ operand: CardFilter.Operand) {
        self.subject = subject
        self.operand = operand
    }

    /// The card's priority, from 1 to 10.
    public static func byPriority(_ priority: Int) -> AACCardFilterValue {
        AACCardFilterValue(.priority, priority.operand)
    }

    /// The time at which the card was created.
    public static func byCreatedDate(_ createdDate: Date) -> AACCardFilterValue {
        AACCardFilterValue(.created, createdDate.operand)
    }

    /// The id of the card's template.
    public static func byCardTemplateID(_ templateId: String) -> AACCardFilterValue {
        AACCardFilterValue(.templateID, .text(templateId))
    }

    /// The name of the card's template.
    public static func byCardTemplateName(_ templateName: String) -> AACCardFilterValue {
        AACCardFilterValue(.templateName, .text(templateName))
    }

    /// A variable of the card with a text as its value.
    public static func byVariableName(_ name: String, string: String) -> AACCardFilterValue {
        AACCardFilterValue(.variable(name), .text(string))
    }

    /// A variable of the card with a number as its value.
    public static func byVariableName(_ name: String, number: NSNumber) -> AACCardFilterValue {
        if case .integer(let whole) = JSONValue(number) {
            return AACCardFilterValue(.variable(name), Int(whole).operand)
        }
        return AACCardFilterValue(.variable(name), number.doubleValue.operand)
    }

    /// A variable of the card with a date as its value.
    public static func byVariableName(_ name: String, date: Date) -> AACCardFilterValue {
        AACCardFilterValue(.variable(name), date.operand)
    }

    /// A variable of the card with a Boolean as its value.
    public static func byVariableName(_ name: String, boolean: Bool) -> AACCardFilterValue {
        AACCardFilterValue(.variable(name), .flag(boolean))
    }

    var isOrdered: Bool {
        switch operand {
        case .number, .integer, .moment: true
        case .text, .flag: false
        }
    }

    var isListable: Bool {
        if case .flag = operand { false } else { true }
    }

    /// The documented name of the value's type, for messages.
    var typeName: String {
        switch operand {
        case .number, .integer: "NSInteger"
        case .moment: "NSDate"
        case .text: "NSString"
        case .flag: "BOOL"
        }
    }
}
