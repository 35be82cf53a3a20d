import InlayWire

/// Users chosen by what is known of them and by what they did.
package struct Segment: Hashable, Sendable, Identifiable {
    package let id: String
    package let name: String
    package let rule: SegmentRule
    package let createdAt: Timestamp
    package let updatedAt: Timestamp
}

/// What users of a segment must fulfil.
package struct SegmentRule: Hashable, Sendable, Codable {
    package static let mostConditions = 20

    /// Whether one condition is enough; else all must hold.
    package var matchesAny: Bool
    /// 1 to 20.
    package var conditions: [SegmentCondition]

    /// A rule that all conditions must fulfil, or any.
    package init(_ conditions: [SegmentCondition], matchesAny: Bool = false) {
        self.conditions = conditions
        self.matchesAny = matchesAny
    }
}

/// One condition. On the wire: `{"contact": {…}}` or `{"event": {…}}`, with `"isNot": true` for its opposite.
package struct SegmentCondition: Hashable, Sendable, Codable {
    /// How a column's value is compared.
    package enum Comparison: String, Hashable, Sendable, Codable, CaseIterable {
        case equals, contains, beginsWith
        /// Numbers, dates and moments only.
        case lessThan, greaterThan
        /// There is any value.
        case hasValue
    }

    /// A column of a list of contacts.
    package struct Contact: Hashable, Sendable, Codable {
        package var list: Int64
        package var column: String
        package var comparison: Comparison
        package var value: String

        /// A comparison of a column with a value.
        package init(list: Int64, column: String, _ comparison: Comparison, _ value: String = "") {
            self.list = list
            self.column = column
            self.comparison = comparison
            self.value = value
        }
    }

    /// An event that users had often enough, lately.
    package struct Event: Hashable, Sendable, Codable {
        package var code: Int
        /// The event's or goal's name; any when `nil`.
        package var name: String?
        package var atLeast: Int
        package var days: Int

        /// At least so many times in the last days.
        package init(code: Int, name: String? = nil, atLeast: Int = 1, days: Int) {
            self.code = code
            self.name = name
            self.atLeast = atLeast
            self.days = days
        }
    }

    package var contact: Contact?
    package var event: Event?
    /// Whether the opposite is meant.
    package var isNot: Bool?

    /// A condition on contacts.
    package init(_ contact: Contact, isNot: Bool = false) {
        self.contact = contact
        self.isNot = isNot ? true : nil
    }

    /// A condition on events.
    package init(_ event: Event, isNot: Bool = false) {
        self.event = event
        self.isNot = isNot ? true : nil
    }
}
