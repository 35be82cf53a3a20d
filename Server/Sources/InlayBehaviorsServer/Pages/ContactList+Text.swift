extension ContactList.Kind {
    /// The label in the Workbench.
    var label: String {
        switch self {
        case .database: "Contacts"
        case .contactList: "Part of a list"
        case .table: "Relational table"
        }
    }
}
