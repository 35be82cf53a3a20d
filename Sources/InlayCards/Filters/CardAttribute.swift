public import Foundation

/// An attribute of cards to filter by, with the type of its values.
///
/// The verbs that a type does not support do not exist for it, so
/// `CardFilter.templateName.greaterThan("a")` is no filter that fails but code that does not compile.
public struct CardAttribute<Value: CardFilterValue>: Hashable, Sendable {
    let subject: CardFilter.Subject
}

extension CardFilter {
    /// The card's priority, 1 to 10.
    public static var priority: CardAttribute<Int> { CardAttribute(subject: .priority) }

    /// The time at which the card was created, by the server's clock.
    public static var created: CardAttribute<Date> { CardAttribute(subject: .created) }

    /// The id of the template that the card was made from.
    public static var templateID: CardAttribute<String> { CardAttribute(subject: .templateID) }

    /// The name of that template at the moment the card was made.
    public static var templateName: CardAttribute<String> { CardAttribute(subject: .templateName) }

    /// A variable of the card, with the type its template declares.
    ///
    /// A card whose variable is absent or of another type matches no filter over it, negated or not.
    public static func variable<Value: CardFilterValue>(
        _ name: String, as type: Value.Type = Value.self
    ) -> CardAttribute<Value> {
        CardAttribute(subject: .variable(name))
    }
}

extension CardAttribute {
    /// Cards whose attribute equals the value.
    public func equal(to value: Value) -> CardFilter { filter(.equal(value.operand)) }

    /// Cards whose attribute is there and differs from the value.
    public func notEqual(to value: Value) -> CardFilter { filter(.notEqual(value.operand)) }

    private func filter(_ test: CardFilter.Test) -> CardFilter { CardFilter(subject: subject, test: test) }
}

extension CardAttribute where Value: CardFilterListable {
    /// Cards whose attribute is one of the values; none of an empty list.
    public func any(of values: [Value]) -> CardFilter { filter(.anyOf(values.map(\.operand))) }

    /// Cards whose attribute is there and is none of the values.
    public func none(of values: [Value]) -> CardFilter { filter(.noneOf(values.map(\.operand))) }
}

extension CardAttribute where Value: CardFilterOrdered {
    /// Cards whose attribute is greater, or later, than the value; the value itself is excluded.
    public func greater(than value: Value) -> CardFilter { filter(.greater(value.operand)) }

    /// Cards whose attribute is the value or greater.
    public func atLeast(_ value: Value) -> CardFilter { filter(.atLeast(value.operand)) }

    /// Cards whose attribute is less, or earlier, than the value; the value itself is excluded.
    public func less(than value: Value) -> CardFilter { filter(.less(value.operand)) }

    /// Cards whose attribute is the value or less.
    public func atMost(_ value: Value) -> CardFilter { filter(.atMost(value.operand)) }

    /// Cards whose attribute lies from `start` to `end`, both included; nothing when `end` comes first.
    public func between(_ start: Value, and end: Value) -> CardFilter {
        filter(.between(start.operand, end.operand))
    }
}
