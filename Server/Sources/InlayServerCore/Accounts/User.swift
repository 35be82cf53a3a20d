@_spi(Inlay) package import InlayWire

/// A user of an app, known by the id in the app's own tokens.
package struct User: Hashable, Sendable, Identifiable {
    /// The id that the app's server chose; unique within its environment.
    package let id: UserID
    /// The known data about the user.
    package var profile: UserProfile
    package let createdAt: Timestamp
    package let updatedAt: Timestamp
    /// The time of the last request, exact to the hour; `nil` before the first request of an app.
    package let lastSeenAt: Timestamp?
}

/// The data that a team has about a user; all of it optional.
package struct UserProfile: Hashable, Sendable {
    /// The fields that every user may have, by their names on the wire.
    package static let fixedFields = ["name", "email", "phone", "city", "region", "country", "external_id"]
    /// The maximum number of custom fields of a user.
    package static let maximumCustomFields = 50
    /// The maximum number of bytes of a value in UTF-8: PostgreSQL indexes no more than 2,700.
    package static let maximumValueLength = 1024

    /// Values by field: the fixed ones and the environment's own (letters, digits, `_`, `-`, `.`).
    package var values: [String: UserField]

    /// Creates a profile with its values.
    package init(_ values: [String: UserField] = [:]) { self.values = values }

    /// Returns the text of a field, as segments compare it; dates in microseconds.
    package func text(_ field: String) -> String? { values[field]?.text }
}

/// The value of a profile field.
package enum UserField: Hashable, Sendable {
    case text(String)
    case date(Timestamp)

    /// The value as it is stored and compared.
    package var text: String {
        switch self {
        case .text(let text): text
        case .date(let date): String(date.microseconds)
        }
    }
}

/// On the wire: a string, or `{"date": microseconds}`.
extension UserField: Codable {
    private enum Key: String, CodingKey { case date }

    package init(from decoder: any Decoder) throws {
        if let text = try? decoder.singleValueContainer().decode(String.self) {
            self = .text(text)
        } else {
            self = .date(try decoder.container(keyedBy: Key.self).decode(Timestamp.self, forKey: .date))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        switch self {
        case .text(let text):
            var container = encoder.singleValueContainer()
            try container.encode(text)
        case .date(let date):
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(date, forKey: .date)
        }
    }
}
