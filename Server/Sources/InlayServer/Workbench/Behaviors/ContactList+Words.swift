extension ContactList.Kind {
    /// What people call it.
    var words: String {
        switch self {
        case .database: "Contacts"
        case .contactList: "Part of a list"
        case .table: "Relational table"
        }
    }
}
