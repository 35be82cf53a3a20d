package import InlayServerCore
@_spi(Inlay) package import InlayWire

/// A contact database, a contact list within one, or a relational table.
package struct ContactList: Hashable, Sendable, Identifiable {
    /// The kind of a list.
    package enum Kind: String, Sendable, Codable {
        /// A database of contacts, with columns.
        case database
        /// A sub-list: some contacts of a database.
        case contactList
        /// A relational table, whose rows are not contacts.
        case table
    }

    /// The number that XMLAPI calls LIST_ID or TABLE_ID.
    package let id: Int64
    package var name: String
    package let kind: Kind
    /// The database of a sub-list's contacts; `nil` for the other kinds.
    package let parentID: Int64?
    /// The columns, in the order in which they were added.
    package var columns: [ContactColumn]
    package let createdAt: Timestamp
    package let updatedAt: Timestamp

    /// The columns that identify a contact or row; empty when several may have the same values.
    package var keyColumns: [ContactColumn] { columns.filter(\.isKey) }

    /// Whether the email column alone is the key.
    var hasEmailKey: Bool { keyColumns.map(\.key) == [ContactColumn.emailKey] }

    /// Returns the column with a name, ignoring case.
    package func column(_ name: String) -> ContactColumn? {
        let key = ContactColumn.key(name)
        return columns.first { $0.key == key }
    }
}

/// A column of a list.
package struct ContactColumn: Hashable, Sendable, Codable {
    /// The key of the column for email addresses.
    static let emailKey = "email"
    /// The key of the column that binds a contact to a user of the environment.
    static let userKey = "mobile user id"

    /// The name as it was entered.
    package let name: String
    package let type: ContactColumnType
    /// The value of new contacts that have none in this column; empty for no default.
    package let defaultValue: String
    /// The allowed values of the types `selectOne` and `multiSelect`; any value when empty.
    package let choices: [String]
    /// Whether the column is one of those that identify a contact or row.
    package let isKey: Bool

    /// Creates a column; its values are checked when it is added to a list.
    package init(
        _ name: String, _ type: ContactColumnType = .text, defaultValue: String = "", choices: [String] = [],
        isKey: Bool = false
    ) {
        self.name = name
        self.type = type
        self.defaultValue = defaultValue
        self.choices = choices
        self.isKey = isKey
    }

    /// The column's key in the database: its name in lower case, so that names differ in more than case.
    var key: String { Self.key(name) }

    static func key(_ name: String) -> String { name.lowercased() }
}

/// The types of columns, with their documented codes as raw values.
package enum ContactColumnType: Int, CaseIterable, Sendable, Codable {
    case text = 0
    case yesNo = 1
    case numeric = 2
    case date = 3
    case time = 4
    case country = 5
    case selectOne = 6
    case email = 7
    case segmenting = 8
    case system = 9
    case smsOptIn = 13
    case smsOptedOutDate = 14
    case smsPhone = 15
    case phone = 16
    case timestamp = 17
    case syncID = 19
    case multiSelect = 20
}

/// A contact with its values.
package struct Recipient: Hashable, Sendable, Identifiable {
    /// The number that XMLAPI calls RecipientId; unique in its environment.
    package let id: Int64
    package let listID: Int64
    /// The user of the environment that the contact is bound to; `nil` when there is none.
    package let userID: UserID?
    /// The origin of the contact: 0 imported, 1 added by hand, 2 opted in, 3 created by a program.
    package let createdFrom: Int
    package let createdAt: Timestamp
    package let updatedAt: Timestamp
    /// The time at which the contact opted out; `nil` while it has not.
    package let optedOutAt: Timestamp?
    /// The values by column name; columns without a value are absent.
    package var values: [String: String]
}
