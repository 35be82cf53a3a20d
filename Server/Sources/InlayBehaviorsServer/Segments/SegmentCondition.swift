import InlayServerCore
@_spi(Inlay) package import InlayWire

/// One condition of a segment, of a kind that a feature contributes.
///
/// In JSON the kind is the name of the definition: `{"event": {…}}`, with `"isNot": true` for the opposite.
package struct SegmentCondition: Hashable, Sendable {
    /// The kind of an `AudienceCondition`.
    package var kind: String
    /// The definition that the condition of this kind reads.
    package var definition: JSONValue
    /// Whether the opposite must hold.
    package var isNot: Bool

    /// A condition with its definition.
    package init(kind: String, _ definition: JSONValue, isNot: Bool = false) {
        self.kind = kind
        self.definition = definition
        self.isNot = isNot
    }

    /// A stored condition that cannot be read. It holds for no users.
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
