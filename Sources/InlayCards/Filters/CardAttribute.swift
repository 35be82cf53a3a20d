public import Foundation

/// An attribute of cards to filter by, with the type of its values.
///
/// Each type has only the comparisons that it supports: `CardFilter.templateName.greater(than: "a")` does not compile.
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

    /// The name of that template at the time when the card was made.
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
    /// Selects cards whose attribute equals the value.
    public func equal(to value: Value) -> CardFilter { filter(.equal(value.operand)) }

    /// Selects cards that have the attribute with another value.
    public func notEqual(to value: Value) -> CardFilter { filter(.notEqual(value.operand)) }

    private func filter(_ test: CardFilter.Test) -> CardFilter { CardFilter(subject: subject, test: test) }
}

extension CardAttribute where Value: CardFilterListable {
    /// Selects cards whose attribute is one of the values. An empty list selects no card.
    public func any(of values: [Value]) -> CardFilter { filter(.anyOf(values.map(\.operand))) }

    /// Selects cards that have the attribute with a value that is not in the list.
    public func none(of values: [Value]) -> CardFilter { filter(.noneOf(values.map(\.operand))) }
}

extension CardAttribute where Value: CardFilterOrdered {
    /// Selects cards whose attribute is greater, or later, than the value.
    public func greater(than value: Value) -> CardFilter { filter(.greater(value.operand)) }

    /// Selects cards whose attribute is the value or greater.
    public func atLeast(_ value: Value) -> CardFilter { filter(.atLeast(value.operand)) }

    /// Selects cards whose attribute is less, or earlier, than the value.
    public func less(than value: Value) -> CardFilter { filter(.less(value.operand)) }

    /// Selects cards whose attribute is the value or less.
    public func atMost(_ value: Value) -> CardFilter { filter(.atMost(value.operand)) }

    /// Selects cards whose attribute is from `start` to `end`, both included. Selects no card when `end` is less than
    /// `start`.
    public func between(_ start: Value, and end: Value) -> CardFilter {
        filter(.between(start.operand, end.operand))
    }
}
