@_spi(Inlay) public import InlayWire

/// A filter of a container's cards on the device. With several filters, a card must match all of them.
///
/// ```swift
/// cards.observe("inbox", filters: [.priority.atMost(3), .variable("isSpecial").equal(to: true)])
/// ```
public struct CardFilter: Hashable, Sendable {
    /// The attribute that is compared.
    package enum Subject: Hashable, Sendable {
        case priority, created, templateID, templateName, instanceID
        case variable(String)
    }

    /// A value in the form in which filters compare it.
    public enum Operand: Hashable, Sendable {
        /// A number. Whole numbers beyond ±2^53 are ``integer(_:)``, so that equal numbers are equal operands.
        case number(Double)
        /// A whole number beyond ±2^53, which a `Double` cannot hold exactly.
        case integer(Int64)
        case moment(Timestamp)
        case text(String)
        case flag(Bool)
    }

    /// The comparison: one of nine operators.
    package enum Test: Hashable, Sendable {
        case equal(Operand), notEqual(Operand)
        case greater(Operand), atLeast(Operand), less(Operand), atMost(Operand)
        case between(Operand, Operand)
        case anyOf([Operand]), noneOf([Operand])
    }

    package let subject: Subject
    package let test: Test

    package init(subject: Subject, test: Test) {
        self.subject = subject
        self.test = test
    }

    /// Selects only the card with this id, if the container has it.
    public static func card(id: String) -> CardFilter {
        CardFilter(subject: .instanceID, test: .equal(.text(id)))
    }

    /// Whether the card matches the filter.
    public func matches(_ card: Card) -> Bool {
        guard let actual = operand(of: card) else { return false }
        switch test {
        case .equal(let value): return actual == value
        case .notEqual(let value): return actual.isComparable(with: value) && actual != value
        case .greater(let value): return actual.compare(value) { $0 > 0 }
        case .atLeast(let value): return actual.compare(value) { $0 >= 0 }
        case .less(let value): return actual.compare(value) { $0 < 0 }
        case .atMost(let value): return actual.compare(value) { $0 <= 0 }
        case .between(let start, let end):
            return actual.compare(start) { $0 >= 0 } && actual.compare(end) { $0 <= 0 }
        case .anyOf(let values): return values.contains(actual)
        case .noneOf(let values):
            return values.allSatisfy { actual.isComparable(with: $0) } && !values.contains(actual)
        }
    }

    private func operand(of card: Card) -> Operand? {
        switch subject {
        case .priority: .number(Double(card.instance.priority))
        case .created: .moment(card.instance.createdAt)
        case .templateID: .text(card.instance.templateID)
        case .templateName: .text(card.instance.templateName)
        case .instanceID: .text(card.instance.id)
        case .variable(let name): card.value(of: name).map(Operand.init)
        }
    }
}

extension Array where Element == CardFilter {
    /// Whether the card matches every filter. Without filters, every card matches.
    func match(_ card: Card) -> Bool { allSatisfy { $0.matches(card) } }
}

extension CardFilter.Operand {
    init(_ value: CardVariableValue) {
        switch value {
        case .string(let text): self = .text(text)
        case .number(let number): self.init(number)
        case .integer(let number): self.init(whole: number)
        case .date(let moment): self = .moment(moment)
        case .boolean(let flag): self = .flag(flag)
        }
    }

    /// Creates an operand that is the same for equal numbers, whether whole or not.
    init(_ number: Double) {
        if let whole = Int64(exactly: number) { self.init(whole: whole) } else { self = .number(number) }
    }

    /// Creates an operand of a whole number, with all of its digits.
    init(whole: Int64) { self = whole.magnitude <= 1 << 53 ? .number(Double(whole)) : .integer(whole) }

    /// Whether both values have the same type. A filter with a value of another type selects nothing.
    fileprivate func isComparable(with other: Self) -> Bool {
        switch (self, other) {
        case (.number, .number), (.integer, .integer), (.number, .integer), (.integer, .number),
            (.moment, .moment), (.text, .text), (.flag, .flag):
            true
        default: false
        }
    }

    /// Applies `test` to the order of this value to the other: -1, 0 or 1. Returns `false` when there is no order.
    fileprivate func compare(_ other: Self, _ test: (Int) -> Bool) -> Bool {
        switch (self, other) {
        case (.number(let left), .number(let right)):
            guard !left.isNaN, !right.isNaN else { return false }
            return test(left < right ? -1 : left > right ? 1 : 0)
        case (.integer(let left), .integer(let right)):
            return test(left < right ? -1 : left > right ? 1 : 0)
        case (.integer(let left), .number(let right)):
            return !right.isNaN && test(Self.order(left, right))
        case (.number(let left), .integer(let right)):
            return !left.isNaN && test(-Self.order(right, left))
        case (.moment(let left), .moment(let right)): return test(left < right ? -1 : left > right ? 1 : 0)
        default: return false
        }
    }

    /// Returns the order of a whole number beyond ±2^53 to a number that is within ±2^53 or outside `Int64`.
    private static func order(_ whole: Int64, _ number: Double) -> Int {
        if abs(number) > 0x1p53 { return number < 0 ? 1 : -1 }
        return whole < 0 ? -1 : 1
    }
}
