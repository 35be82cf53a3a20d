/// The most common requests. A `list` of `nil` is filled from `General->databaseListId`.
extension XMLAPIRequest {
    /// Reads a contact by its address.
    public static func selectRecipient(email: String, list: String? = nil) -> Self {
        Self(.selectRecipientData, values: Self.list(list) + [Field("EMAIL", email)])
    }

    /// Reads a contact by its id.
    public static func selectRecipient(id: String, list: String? = nil) -> Self {
        Self(.selectRecipientData, values: Self.list(list) + [Field("RECIPIENT_ID", id)])
    }

    /// Reads the contact that has these values in these columns.
    public static func selectRecipient(columns: [Field], list: String? = nil) -> Self {
        Self(.selectRecipientData, values: Self.list(list), columns: columns)
    }

    /// Adds a contact with an address, or updates the existing one.
    public static func addRecipient(email: String, list: String? = nil) -> Self {
        let key = [Field("Email", email)]
        return Self(
            .addRecipient, values: Self.list(list) + [Field("UPDATE_IF_FOUND", "true")], columns: key,
            syncFields: key)
    }

    /// Adds a contact with an id in a column. With `updatesIfFound` an existing contact is updated, so that the request
    /// has the same effect when it arrives twice.
    public static func addRecipient(
        column: String, id: String, list: String? = nil, updatesIfFound: Bool = false
    ) -> Self {
        let key = [Field(column, id)]
        let update = updatesIfFound ? [Field("UPDATE_IF_FOUND", "true")] : []
        return Self(
            .addRecipient, values: Self.list(list) + update, columns: key,
            syncFields: updatesIfFound ? key : [])
    }

    /// Adds an anonymous contact; the response has its id.
    public static func addAnonymousRecipient(list: String? = nil) -> Self {
        Self(.addRecipient, values: Self.list(list))
    }

    /// Changes columns of a contact.
    public static func updateRecipient(id: String, list: String? = nil, columns: [Field] = []) -> Self {
        Self(.updateRecipient, values: Self.list(list) + [Field("RECIPIENT_ID", id)], columns: columns)
    }

    /// Adds a column to a list.
    public static func addColumn(
        _ name: String, type: XMLAPIRequest.ColumnType, default value: String = "", list: String? = nil
    ) -> Self {
        Self(
            .addListColumn,
            values: Self.list(list) + [
                Field("COLUMN_NAME", name), Field("COLUMN_TYPE", String(type.rawValue)),
                Field("DEFAULT", value),
            ])
    }

    /// Inserts or updates rows of a relational table.
    public static func insertUpdateRows(_ rows: [[Field]], table: String) -> Self {
        Self(.insertUpdateRelationalTable, values: [Field("TABLE_ID", table)], rows: rows)
    }

    private static func list(_ id: String?) -> [Field] { id.map { [Field("LIST_ID", $0)] } ?? [] }
}
