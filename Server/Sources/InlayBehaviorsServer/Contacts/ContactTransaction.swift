import InlaySQL
import InlayServerCore
@_spi(Inlay) import InlayWire

/// The contacts of one environment within one transaction.
///
/// Every statement names the environment, so the id of another environment's list or contact finds nothing.
/// Values and the keys of columns are arguments of statements and never part of their text.
struct ContactTransaction {
    let environmentID: EnvironmentID
    let now: Timestamp
    let connection: any SQLConnection

    /// Returns a list with its columns; `nil` when there is none with this id.
    func list(_ id: Int64) throws -> ContactList? {
        let row = try connection.row(
            "SELECT * FROM contact_lists WHERE environment_id = ? AND id = ?",
            [.id(environmentID), .integer(id)])
        return try row.map { try ContactList($0, columns: columns(of: id)) }
    }

    func columns(of id: Int64) throws -> [ContactColumn] {
        try connection.rows(
            "SELECT * FROM contact_columns WHERE environment_id = ? AND list_id = ? ORDER BY place, column_key",
            [.id(environmentID), .integer(id)]
        ).map(ContactColumn.init)
    }

    /// Locks the list until this transaction ends, so that between the search for a key and the insertion no other node
    /// adds a contact with the same key.
    func lock(_ list: ContactList) throws {
        try connection.execute(
            "UPDATE contact_lists SET updated_at = updated_at WHERE environment_id = ? AND id = ?",
            [.id(environmentID), .integer(list.id)])
    }

    /// Returns the next number of one of the environment's counters.
    func nextNumber(_ counter: String, from first: Int64) throws -> Int64 {
        let row = try connection.row(
            """
            INSERT INTO contact_counters (environment_id, name, value) VALUES (?, ?, ?)
            ON CONFLICT (environment_id, name) DO UPDATE SET value = contact_counters.value + 1
            RETURNING value
            """, [.id(environmentID), .text(counter), .integer(first)])
        return try row?.int64("value") ?? first
    }

    // MARK: Finding

    /// Returns the id of the oldest contact that has all these values; `nil` when there is none, or when `values` or
    /// one of them is empty.
    func oldest(_ list: ContactList, where values: [(column: ContactColumn, text: String)]) throws -> Int64? {
        guard let first = values.first, values.allSatisfy({ !$0.text.isEmpty }) else { return nil }
        var sql = """
            SELECT v.recipient_id FROM recipient_values v
            WHERE v.environment_id = ? AND v.list_id = ? AND v.column_key = ? AND v.folded = ?
            """
        var arguments = self.arguments(list.id, first)
        for value in values.dropFirst() {
            sql += """
                 AND EXISTS (SELECT 1 FROM recipient_values w WHERE w.environment_id = ? AND w.list_id = ?
                AND w.column_key = ? AND w.folded = ? AND w.recipient_id = v.recipient_id)
                """
            arguments += self.arguments(list.id, value)
        }
        return try connection.row(sql + " ORDER BY v.recipient_id LIMIT 1", arguments)?.int64("recipient_id")
    }

    private func arguments(_ listID: Int64, _ value: (column: ContactColumn, text: String)) -> [SQLValue] {
        [
            .id(environmentID), .integer(listID), .text(value.column.key),
            .text(ContactValue.folded(value.text, in: value.column)),
        ]
    }

    /// Returns the row of a contact, without its values; `nil` when there is none with this id.
    func recipientRow(_ id: Int64) throws -> SQLRow? {
        try connection.row(
            "SELECT * FROM recipients WHERE environment_id = ? AND id = ?",
            [.id(environmentID), .integer(id)])
    }

    /// Returns the values of a contact by the names of the list's columns.
    func values(of id: Int64, in list: ContactList) throws -> [String: String] {
        let rows = try connection.rows(
            """
            SELECT column_key, value FROM recipient_values
            WHERE environment_id = ? AND list_id = ? AND recipient_id = ?
            """, [.id(environmentID), .integer(list.id), .integer(id)])
        let names = Dictionary(list.columns.map { ($0.key, $0.name) }) { first, _ in first }
        return try rows.reduce(into: [:]) { values, row in
            if let name = names[try row.text("column_key")] { values[name] = try row.text("value") }
        }
    }

    // MARK: Changing

    /// Adds a contact with these values and the other columns' defaults; returns its id.
    func insert(
        _ list: ContactList, _ values: [(column: ContactColumn, value: ContactValue)], from: Int = 1,
        owner: UserID? = nil
    ) throws -> Int64 {
        let id = try nextNumber("recipient", from: 1_000_001)
        try connection.execute(
            """
            INSERT INTO recipients (environment_id, list_id, id, user_id, owner_id, created_from, created_at,
                updated_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                .id(environmentID), .integer(list.id), .integer(id), .id(owner), .id(owner),
                .int(from), .moment(now), .moment(now),
            ])
        let given = Set(values.map(\.column.key))
        let defaults = try list.columns.filter { !$0.defaultValue.isEmpty && !given.contains($0.key) }
            .map { ($0, try ContactValue($0.defaultValue, for: $0)) }
        for (column, value) in defaults + values { try set(column, value, of: id, in: list) }
        try bind(id, list)
        return id
    }

    /// Sets values of a contact; an empty value is deleted. With an `owner`, the user of an app's token, the contact
    /// stays that user's, whatever the column Mobile User Id says.
    func update(
        _ id: Int64, in list: ContactList, _ values: [(column: ContactColumn, value: ContactValue)],
        owner: UserID? = nil
    ) throws {
        for (column, value) in values { try set(column, value, of: id, in: list) }
        try connection.execute(
            "UPDATE recipients SET updated_at = ? WHERE environment_id = ? AND list_id = ? AND id = ?",
            [.moment(now), .id(environmentID), .integer(list.id), .integer(id)])
        guard values.contains(where: { $0.column.key == ContactColumn.userKey }) else { return }
        if let owner {
            try connection.execute(
                """
                UPDATE recipients SET owner_id = COALESCE(owner_id, ?)
                WHERE environment_id = ? AND list_id = ? AND id = ?
                """, [.id(owner), .id(environmentID), .integer(list.id), .integer(id)])
        }
        try bind(id, list)
    }

    /// Opts a contact out or in again; a second opt-out keeps the time of the first.
    func setOptedOut(_ isOptedOut: Bool, _ id: Int64, in list: ContactList) throws {
        try connection.execute(
            """
            UPDATE recipients SET opted_out_at = \(isOptedOut ? "COALESCE(opted_out_at, ?)" : "NULL"),
                updated_at = ? WHERE environment_id = ? AND list_id = ? AND id = ?
            """,
            (isOptedOut ? [.moment(now)] : [])
                + [.moment(now), .id(environmentID), .integer(list.id), .integer(id)])
    }

    /// Removes a contact with its values and memberships.
    func remove(_ id: Int64, from list: ContactList) throws {
        for statement in [
            "DELETE FROM recipient_values WHERE environment_id = ? AND list_id = ? AND recipient_id = ?",
            "DELETE FROM recipients WHERE environment_id = ? AND list_id = ? AND id = ?",
        ] {
            try connection.execute(statement, [.id(environmentID), .integer(list.id), .integer(id)])
        }
        try connection.execute(
            "DELETE FROM contact_members WHERE environment_id = ? AND recipient_id = ?",
            [.id(environmentID), .integer(id)])
    }

    private func set(
        _ column: ContactColumn, _ value: ContactValue, of id: Int64, in list: ContactList
    ) throws {
        let place: [SQLValue] = [
            .id(environmentID), .integer(list.id), .integer(id), .text(column.key),
        ]
        guard !value.text.isEmpty else {
            try connection.execute(
                """
                DELETE FROM recipient_values
                WHERE environment_id = ? AND list_id = ? AND recipient_id = ? AND column_key = ?
                """, place)
            return
        }
        try connection.execute(
            """
            INSERT INTO recipient_values (environment_id, list_id, recipient_id, column_key, value, folded, number)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (environment_id, list_id, recipient_id, column_key)
                DO UPDATE SET value = excluded.value, folded = excluded.folded, number = excluded.number
            """, place + [.text(value.text), .text(value.folded), SQLValue(value.number)])
    }

    /// Binds the contact to a user: the verified user whose app created it or changed the column Mobile User Id, else
    /// the one in that column.
    private func bind(_ id: Int64, _ list: ContactList) throws {
        let contact: [SQLValue] = [.id(environmentID), .integer(list.id), .integer(id)]
        let named = try connection.row(
            """
            SELECT value FROM recipient_values
            WHERE environment_id = ? AND list_id = ? AND recipient_id = ? AND column_key = ?
            """, contact + [.text(ContactColumn.userKey)])?.text("value")
        // The column takes any text; what is no user's id binds the contact to no user.
        let userID = named.flatMap { IDRule.admits($0) ? UserID($0) : nil }
        try connection.execute(
            """
            UPDATE recipients SET user_id = COALESCE(owner_id, CAST(? AS TEXT))
            WHERE environment_id = ? AND list_id = ? AND id = ?
            """, [.id(userID)] + contact)
    }
}

extension ContactList {
    init(_ row: SQLRow, columns: [ContactColumn]) throws {
        self.init(
            id: try row.int64("id"), name: try row.text("name"),
            kind: Kind(rawValue: try row.text("kind")) ?? .database,
            parentID: try row.optionalInt64("parent_id"), columns: columns,
            createdAt: try row.moment("created_at"), updatedAt: try row.moment("updated_at"))
    }
}

extension ContactColumn {
    init(_ row: SQLRow) throws {
        self.init(
            try row.text("name"), ContactColumnType(rawValue: try row.int("type")) ?? .text,
            defaultValue: try row.text("default_value"),
            choices: try JSONColumn.value(try row.text("choices")),
            isKey: try row.bool("is_key"))
    }
}

extension Recipient {
    init(_ row: SQLRow, values: [String: String]) throws {
        self.init(
            id: try row.int64("id"), listID: try row.int64("list_id"),
            userID: try row.optionalID("user_id"), createdFrom: try row.int("created_from"),
            createdAt: try row.moment("created_at"), updatedAt: try row.moment("updated_at"),
            optedOutAt: try row.optionalMoment("opted_out_at"), values: values)
    }
}
