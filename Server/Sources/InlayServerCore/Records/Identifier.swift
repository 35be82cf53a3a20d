package import InlaySQL

/// An id: text with a type of its own, so that ids of different things cannot be mixed up.
///
/// Encoded as a bare string. Ids sort by their text.
package protocol Identifier: Hashable, Comparable, Encodable, Sendable, CustomStringConvertible {
    /// The text, as the database and the wire have it.
    var rawValue: String { get }
    /// An id whose text comes from the database or was checked.
    init(verified rawValue: String)
}

extension Identifier {
    package var description: String { rawValue }
    /// Whether the text is empty, which no record's id is.
    package var isEmpty: Bool { rawValue.isEmpty }

    package static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }
}

/// The id of a record within an environment. Callers may name any text: with the id of another environment's record
/// they find nothing.
package protocol RecordID: Identifier, Decodable {}

extension RecordID {
    /// An id as a caller names it.
    package init(_ text: String) { self.init(verified: text) }

    package init(from decoder: any Decoder) throws {
        self.init(verified: try decoder.singleValueContainer().decode(String.self))
    }
}

extension SQLValue {
    /// An id as text.
    package static func id(_ id: some Identifier) -> SQLValue { .text(id.rawValue) }
    /// An id as text, or `null`.
    package static func id(_ id: (some Identifier)?) -> SQLValue { SQLValue(id?.rawValue) }
}

extension SQLRow {
    /// An id that is never `NULL`.
    package func id<ID: Identifier>(_ column: String, as type: ID.Type = ID.self) throws -> ID {
        ID(verified: try text(column))
    }

    /// An id, or `nil` for `NULL`.
    package func optionalID<ID: Identifier>(_ column: String, as type: ID.Type = ID.self) throws -> ID? {
        try optionalText(column).map { ID(verified: $0) }
    }
}
