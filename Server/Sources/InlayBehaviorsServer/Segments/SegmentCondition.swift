import InlayServerCore
@_spi(Inlay) package import InlayWire

/// A condition of a segment's rule. Features contribute the kinds of conditions.
///
/// In JSON the kind is the key of the definition: `{"event": {…}}`, with `"isNot": true` for the opposite.
package struct SegmentCondition: Hashable, Sendable {
    /// The kind of an `AudienceCondition`.
    package var kind: String
    /// The definition, which the `AudienceCondition` of this kind decodes.
    package var definition: JSONValue
    /// Whether the user must not meet the condition.
    package var isNot: Bool

    /// Creates a condition.
    package init(kind: String, _ definition: JSONValue, isNot: Bool = false) {
        self.kind = kind
        self.definition = definition
        self.isNot = isNot
    }

    /// Returns the condition in place of a stored one that cannot be read. No user meets it.
    static func unreadable(_ stored: JSONValue) -> SegmentCondition {
        SegmentCondition(kind: AudienceConditions.unreadableKind, stored)
    }
}

extension SegmentCondition: Codable {
    private struct Key: CodingKey {
        static let isNot = Key(stringValue: "isNot")

        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    package init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Key.self)
        let kinds = members.allKeys.filter { $0.stringValue != Key.isNot.stringValue }
        guard let kind = kinds.first, kinds.count == 1 else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "A condition has exactly one kind."))
        }
        self.kind = kind.stringValue
        definition = try members.decode(JSONValue.self, forKey: kind)
        isNot = try members.decodeIfPresent(Bool.self, forKey: .isNot) ?? false
    }

    package func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: Key.self)
        try members.encode(definition, forKey: Key(stringValue: kind))
        if isNot { try members.encode(true, forKey: .isNot) }
    }
}
