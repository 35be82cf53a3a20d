package import InlayServerCore
@_spi(Inlay) package import InlayWire

/// A list of contacts, a sub-list of one, or a relational table: name, columns and key.
package struct ContactList: Hashable, Sendable, Identifiable {
    /// The kind of entries of a list.
    package enum Kind: String, Sendable, Codable {
        /// Contacts with columns.
        case database
        /// Contacts of a database that belong together.
        case contactList
        /// Rows with columns that are no contacts.
        case table
    }

    /// The number that XMLAPI calls LIST_ID or TABLE_ID.
    package let id: Int64
    package var name: String
    package let kind: Kind
    /// The database that a sub-list's contacts are in.
    package let parentID: Int64?
    /// In the order in which they were added.
    package var columns: [ContactColumn]
    package let createdAt: Timestamp
    package let updatedAt: Timestamp

    /// The columns that identify a contact; empty where any number of contacts may be equal.
    package var keyColumns: [ContactColumn] { columns.filter(\.isKey) }

    /// Whether EMAIL alone is the key.
    var hasEmailKey: Bool { keyColumns.map(\.key) == [ContactColumn.emailKey] }

    /// A column by its name, upper and lower case alike.
    package func column(_ name: String) -> ContactColumn? {
        let key = ContactColumn.key(name)
        return columns.first { $0.key == key }
    }
}

/// A column of a list.
package struct ContactColumn: Hashable, Sendable, Codable {
    /// The key of the column that holds addresses.
    static let emailKey = "email"
    /// The key of the column that ties a contact to a user of the environment.
    static let userKey = "mobile user id"

    /// As people wrote it.
    package let name: String
    package let type: ContactColumnType
    /// The value of a new contact that gives none; empty for none.
    package let defaultValue: String
    /// The choices of the two types of choice.
    package let choices: [String]
    /// Whether it is one of the columns that identify a contact.
    package let isKey: Bool

    /// A column; its name is cut to nothing, see ``ContactStore``.
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

    /// The name of the column in the database: upper and lower case are the same column.
    var key: String { Self.key(name) }

    static func key(_ name: String) -> String { name.lowercased() }
}

/// The types of columns by their documented codes.
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
    /// The user of the environment that it stands for, if it is known.
    package let userID: UserID?
    /// 0 imported, 1 added by hand, 2 opted in, 3 made by a program.
    package let createdFrom: Int
    package let createdAt: Timestamp
    package let updatedAt: Timestamp
    /// The time at which the contact opted out; `nil` while it has not.
    package let optedOutAt: Timestamp?
    /// Values by column name; columns without a value are absent.
    package var values: [String: String]
}
