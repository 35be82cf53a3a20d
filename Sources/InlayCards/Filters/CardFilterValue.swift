public import Foundation
@_spi(Inlay) public import InlayWire

/// A type whose values a filter can compare for equality: text, numbers, dates, Booleans.
public protocol CardFilterValue: Sendable {
    /// The value in the form in which filters compare it.
    var operand: CardFilter.Operand { get }
}

/// A filter value that can be one of a list: everything but a Boolean.
public protocol CardFilterListable: CardFilterValue {}

/// A filter value that has an order: numbers and dates.
public protocol CardFilterOrdered: CardFilterListable {}

extension Int: CardFilterOrdered {
    public var operand: CardFilter.Operand { .init(whole: Int64(self)) }
}

extension Double: CardFilterOrdered {
    public var operand: CardFilter.Operand { .init(self) }
}

extension Timestamp: CardFilterOrdered {
    public var operand: CardFilter.Operand { .moment(self) }
}

extension Date: CardFilterOrdered {
    public var operand: CardFilter.Operand { .moment(Timestamp(seconds: timeIntervalSince1970)) }
}

extension String: CardFilterListable {
    public var operand: CardFilter.Operand { .text(self) }
}

extension Bool: CardFilterValue {
    public var operand: CardFilter.Operand { .flag(self) }
}
