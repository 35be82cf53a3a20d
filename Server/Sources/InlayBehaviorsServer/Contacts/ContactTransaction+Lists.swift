import InlaySQL
import InlayServerCore
@_spi(Inlay) import InlayWire

extension ContactTransaction {
    static let maximumLists = 1_000
    static let maximumColumns = 300

    /// Creates a list with exactly these columns and returns its id; throws `invalid-value` for the 1,001st list.
    func create(
        _ name: String, _ kind: ContactList.Kind, parentID: Int64? = nil, columns: [ContactColumn]
    ) throws -> Int64 {
        let name = try Limits.name(name)
        let count = try connection.row(
            "SELECT COUNT(*) AS n FROM contact_lists WHERE environment_id = ?", [.id(environmentID)])
        guard try count?.int("n") ?? 0 < Self.maximumLists else {
            throw Problem.invalidValue("lists", "At most \(Self.maximumLists) in one environment.")
        }
        let id = try nextNumber("list", from: 10_001)
        try connection.execute(
            """
            INSERT INTO contact_lists (environment_id, id, name, kind, parent_id, created_at, updated_at)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """,
            [
                .id(environmentID), .integer(id), .text(name), .text(kind.rawValue), SQLValue(parentID),
                .moment(now), .moment(now),
            ])
        for column in columns { try add(column, to: id) }
        return id
    }

    /// Adds a column; throws `conflict` when the list has one of this name with another type.
    func add(_ column: ContactColumn, to id: Int64) throws {
        let name = try Limits.name(column.name, "column")
        guard name.utf8.count <= 200, !name.unicodeScalars.contains(where: { $0.value < 0x20 }) else {
            throw Problem.invalidValue("column", "At most 200 bytes, without control characters.")
        }
        let known = try columns(of: id)
        if let same = known.first(where: { $0.key == ContactColumn.key(name) }) {
            // Not an error: programs add their columns at every start, and a request may be repeated.
            guard same.type == column.type else {
                throw Problem(.conflict, status: 409, title: "The list has this column with another type.")
            }
            return
        }
        guard known.count < Self.maximumColumns else {
            throw Problem.invalidValue("column", "A list has at most \(Self.maximumColumns) columns.")
        }
        guard column.choices.count <= 500,
            column.choices.allSatisfy({ (1...256).contains($0.unicodeScalars.count) })
        else {
            throw Problem.invalidValue("choices", "At most 500, of 1 to 256 characters.")
        }
        let value: ContactValue
        do {
            value = try ContactValue(column.defaultValue, for: column)
        } catch let mismatch as ContactValue.InvalidValue {
            throw Problem.invalidValue("default", mismatch.reason)
        }
        try connection.insert(
            into: "contact_columns",
            [
                "environment_id": .id(environmentID), "list_id": .integer(id),
                "column_key": .text(ContactColumn.key(name)), "name": .text(name),
                "type": .int(column.type.rawValue), "default_value": .text(value.text),
                "choices": .text(try JSONColumn.text(column.choices)), "is_key": .bool(column.isKey),
                "place": .int(known.count),
            ])
    }

    /// Returns all lists with their columns, sorted by name.
    func lists() throws -> [ContactList] {
        try connection.rows(
            "SELECT * FROM contact_lists WHERE environment_id = ? ORDER BY name, id", [.id(environmentID)]
        ).map { try ContactList($0, columns: columns(of: try $0.int64("id"))) }
    }

    /// Returns the number of contacts or rows of a list, and the number of contacts that opted out.
    func size(of list: ContactList) throws -> (all: Int, optedOut: Int) {
        let place: [SQLValue] = [.id(environmentID), .integer(list.id)]
        let sql =
            switch list.kind {
            case .database:
                """
                SELECT COUNT(*) AS n, COUNT(opted_out_at) AS o FROM recipients
                WHERE environment_id = ? AND list_id = ?
                """
            case .contactList:
                """
                SELECT COUNT(*) AS n, COUNT(r.opted_out_at) AS o FROM contact_members m
                JOIN recipients r ON r.environment_id = m.environment_id AND r.id = m.recipient_id
                WHERE m.environment_id = ? AND m.list_id = ?
                """
            case .table:
                "SELECT COUNT(*) AS n, 0 AS o FROM relational_rows WHERE environment_id = ? AND table_id = ?"
            }
        let row = try connection.row(sql, place)
        return (try row?.int("n") ?? 0, try row?.int("o") ?? 0)
    }

    /// Removes the next contacts of a database after an id, with their values and memberships; returns the last one's
    /// id, or `nil` when there are no more.
    func removeSome(of list: ContactList, after: Int64, maximum: Int = 500) throws -> Int64? {
        let ids = try connection.rows(
            "SELECT id FROM recipients WHERE environment_id = ? AND list_id = ? AND id > ? ORDER BY id LIMIT ?",
            [.id(environmentID), .integer(list.id), .integer(after), .int(maximum)]
        ).map { try $0.int64("id") }
        for id in ids { try remove(id, from: list) }
        return ids.last
    }

    /// Removes a list with its content and its sub-lists; returns whether there was one.
    func removeList(_ id: Int64) throws -> Bool {
        let place: [SQLValue] = [.id(environmentID), .integer(id)]
        try connection.execute(
            """
            DELETE FROM contact_members WHERE environment_id = ? AND list_id IN (
                SELECT id FROM contact_lists WHERE environment_id = ? AND (id = ? OR parent_id = ?))
            """, [.id(environmentID), .id(environmentID), .integer(id), .integer(id)])
        for table in ["recipient_values", "recipients", "contact_columns"] {
            try connection.execute("DELETE FROM \(table) WHERE environment_id = ? AND list_id = ?", place)
        }
        try connection.execute(
            "DELETE FROM relational_rows WHERE environment_id = ? AND table_id = ?", place)
        try connection.execute(
            "DELETE FROM contact_lists WHERE environment_id = ? AND parent_id = ?", place)
        return try connection.execute(
            "DELETE FROM contact_lists WHERE environment_id = ? AND id = ?", place) == 1
    }

    // MARK: Sub-lists

    func addMember(_ recipientID: Int64, to listID: Int64) throws {
        try connection.execute(
            """
            INSERT INTO contact_members (environment_id, list_id, recipient_id) VALUES (?, ?, ?)
            ON CONFLICT (environment_id, list_id, recipient_id) DO NOTHING
            """, [.id(environmentID), .integer(listID), .integer(recipientID)])
    }

    /// Removes a contact from a sub-list; returns whether it was a member.
    func removeMember(_ recipientID: Int64, from listID: Int64) throws -> Bool {
        try connection.execute(
            "DELETE FROM contact_members WHERE environment_id = ? AND list_id = ? AND recipient_id = ?",
            [.id(environmentID), .integer(listID), .integer(recipientID)]) == 1
    }

    /// Returns the ids of the sub-lists that a contact is in.
    func memberships(_ recipientID: Int64) throws -> [Int64] {
        try connection.rows(
            "SELECT list_id FROM contact_members WHERE environment_id = ? AND recipient_id = ? ORDER BY list_id",
            [.id(environmentID), .integer(recipientID)]
        ).map { try $0.int64("list_id") }
    }

    // MARK: Relational tables

    /// Inserts a row or replaces the one with the same key.
    func put(_ cells: [String: String], key: String, in table: ContactList) throws {
        try connection.execute(
            """
            INSERT INTO relational_rows (environment_id, table_id, row_key, cells, updated_at)
            VALUES (?, ?, ?, ?, ?)
            ON CONFLICT (environment_id, table_id, row_key)
                DO UPDATE SET cells = excluded.cells, updated_at = excluded.updated_at
            """,
            [
                .id(environmentID), .integer(table.id), .text(key), .text(try JSONColumn.text(cells)),
                .moment(now),
            ])
    }

    /// Returns the cells of a row by column name; `nil` when there is no row with this key.
    func cells(key: String, in table: ContactList) throws -> [String: String]? {
        try connection.row(
            "SELECT cells FROM relational_rows WHERE environment_id = ? AND table_id = ? AND row_key = ?",
            [.id(environmentID), .integer(table.id), .text(key)]
        ).map { try JSONColumn.value(try $0.text("cells")) }
    }

    /// Removes a row; returns whether there was one.
    func removeRow(key: String, from table: ContactList) throws -> Bool {
        try connection.execute(
            "DELETE FROM relational_rows WHERE environment_id = ? AND table_id = ? AND row_key = ?",
            [.id(environmentID), .integer(table.id), .text(key)]) == 1
    }
}
