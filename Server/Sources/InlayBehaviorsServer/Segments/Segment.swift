package import InlayServerCore
@_spi(Inlay) package import InlayWire

/// A segment: the users who fulfil a rule on their profiles, contacts and events.
package struct Segment: Hashable, Sendable, Identifiable {
    package let id: SegmentID
    package let name: String
    package let rule: SegmentRule
    package let createdAt: Timestamp
    package let updatedAt: Timestamp
}

/// The rule that selects the users of a segment.
package struct SegmentRule: Hashable, Sendable, Codable {
    package static let maximumConditions = 20

    /// Whether one condition is enough; otherwise all must be met.
    package var matchesAny: Bool
    /// The conditions; 1 to 20.
    package var conditions: [SegmentCondition]

    /// Creates a rule from conditions, all of which must be met by default.
    package init(_ conditions: [SegmentCondition], matchesAny: Bool = false) {
        self.conditions = conditions
        self.matchesAny = matchesAny
    }

    /// Reads a rule; a condition that cannot be read becomes an unreadable one.
    package init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        matchesAny = try members.decode(Bool.self, forKey: .matchesAny)
        conditions = try members.decode([JSONValue].self, forKey: .conditions).map { stored in
            (try? JSONColumn.value(JSONColumn.text(stored))) ?? .unreadable(stored)
        }
    }

    /// Reads a stored rule; one that cannot be read has a single unreadable condition, so it matches no users.
    init(stored text: String) {
        self = (try? JSONColumn.value(text)) ?? SegmentRule([.unreadable(.string(text))])
    }
}
