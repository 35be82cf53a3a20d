import Foundation
internal import InlayCards

/// A factory of card filters, from filter values and the nine operators.
///
/// An operator traps when it is given a value of a type it does not support, as documented.
public enum AACCardListFilter {
    /// Only the card with this card instance id.
    public static func filter(byCardInstanceId cardInstanceId: String) -> AACCardFilter {
        AACCardFilter(.card(id: cardInstanceId))
    }

    /// Cards whose attribute equals the value.
    public static func filter(byCardsEqualTo value: AACCardFilterValue) -> AACCardFilter {
        make(value, .equal(value.operand))
    }

    /// Cards whose attribute does not equal the value.
    public static func filter(byCardsNotEqualTo value: AACCardFilterValue) -> AACCardFilter {
        make(value, .notEqual(value.operand))
    }

    /// Cards whose attribute is greater than the value, which must be a number or a date.
    public static func filter(byCardsGreaterThan value: AACCardFilterValue) -> AACCardFilter {
        make(ordered(value, "greaterThan"), .greater(value.operand))
    }

    /// Cards whose attribute is greater than or equal to the value, which must be a number or a date.
    public static func filter(byCardsGreaterThanOrEqualTo value: AACCardFilterValue) -> AACCardFilter {
        make(ordered(value, "greaterThanOrEqualTo"), .atLeast(value.operand))
    }

    /// Cards whose attribute is less than the value, which must be a number or a date.
    public static func filter(byCardsLessThan value: AACCardFilterValue) -> AACCardFilter {
        make(ordered(value, "lessThan"), .less(value.operand))
    }

    /// Cards whose attribute is less than or equal to the value, which must be a number or a date.
    public static func filter(byCardsLessThanOrEqualTo value: AACCardFilterValue) -> AACCardFilter {
        make(ordered(value, "lessThanOrEqualTo"), .atMost(value.operand))
    }

    /// Cards whose attribute is one of the values, which must not be Booleans; with an empty list, no cards.
    public static func filter(byCardsIn values: [AACCardFilterValue]) -> AACCardFilter {
        // An empty list names no attribute, and any attribute will do: no value is in the list.
        guard let first = list(values, "in") else { return AACCardFilter(CardFilter.priority.any(of: [])) }
        return make(first, .anyOf(values.map(\.operand)))
    }

    /// Cards whose attribute is none of the values, which must not be Booleans; with an empty list, all cards.
    public static func filter(byCardsNotIn values: [AACCardFilterValue]) -> AACCardFilter {
        guard let first = list(values, "notIn") else {
            return AACCardFilter(CardFilter.priority.none(of: []))
        }
        return make(first, .noneOf(values.map(\.operand)))
    }

    /// Cards whose attribute lies between two numbers or two dates, inclusive.
    public static func filter(
        byCardsBetweenStartValue start: AACCardFilterValue, endValue end: AACCardFilterValue
    ) -> AACCardFilter {
        _ = list([ordered(start, "between"), ordered(end, "between")], "between")
        return make(start, .between(start.operand, end.operand))
    }

    private static func make(_ value: AACCardFilterValue, _ test: CardFilter.Test) -> AACCardFilter {
        AACCardFilter(CardFilter(subject: value.subject, test: test))
    }

    private static func ordered(_ value: AACCardFilterValue, _ name: String) -> AACCardFilterValue {
        precondition(
            value.isOrdered,
            "The filter operator \(name) takes NSInteger and NSDate values, not \(value.typeName).")
        return value
    }

    /// Returns the first value; traps unless all values have the same attribute and the same supported type.
    private static func list(_ values: [AACCardFilterValue], _ name: String) -> AACCardFilterValue? {
        for value in values {
            precondition(
                value.isListable,
                "The filter operator \(name) takes NSInteger, NSDate and NSString values, not \(value.typeName)."
            )
            precondition(
                value.subject == values[0].subject && value.typeName == values[0].typeName,
                "The filter operator \(name) takes values of one attribute and one type.")
        }
        return values.first
    }
}
