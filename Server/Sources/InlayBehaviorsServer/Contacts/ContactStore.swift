package import InlaySQL
package import InlayServerCore
@_spi(Inlay) package import InlayWire

/// The store of contact lists for the Workbench and commands; XMLAPI uses the same tables.
package struct ContactStore: Sendable {
    /// A page of a list's contacts.
    package struct Page: Hashable, Sendable {
        /// The contacts, in the order in which they were added.
        package let recipients: [Recipient]
        /// The cursor of the next page; `nil` after the last.
        package let next: Int64?
    }

    /// A list with its numbers.
    package struct Summary: Hashable, Sendable {
        package let list: ContactList
        /// The number of contacts or rows.
        package let size: Int
        /// The number of contacts that opted out.
        package let optedOut: Int
    }

    /// The database with the analytics connections, because counts and searches scan all contacts.
    let database: any SQLDatabase
    let now: @Sendable () -> Timestamp

    /// Creates a store on a migrated database.
    package init(database: any SQLDatabase, now: @escaping @Sendable () -> Timestamp) {
        self.database = database.forAnalytics
        self.now = now
    }

    /// Creates a database of contacts, by default with the columns Email (the key) and Mobile User Id.
    package func createDatabase(
        _ environmentID: EnvironmentID, name: String, columns: [ContactColumn] = Self.standardColumns
    ) async throws -> ContactList {
        try await create(environmentID) { try $0.create(name, .database, columns: columns) }
    }

    /// Creates a sub-list of a database; throws `not-found` when there is no such database.
    package func createContactList(
        _ environmentID: EnvironmentID, name: String, of parentID: Int64
    ) async throws -> ContactList {
        try await create(environmentID) { contacts in
            guard try contacts.list(parentID)?.kind == .database else { throw Problem.notFound("list") }
            return try contacts.create(name, .contactList, parentID: parentID, columns: [])
        }
    }

    /// Creates a relational table, whose key columns identify a row.
    package func createTable(
        _ environmentID: EnvironmentID, name: String, columns: [ContactColumn]
    ) async throws -> ContactList {
        try await create(environmentID) { try $0.create(name, .table, columns: columns) }
    }

    /// The default columns of a database.
    package static let standardColumns = [
        ContactColumn("Email", .email, isKey: true), ContactColumn("Mobile User Id"),
    ]

    /// Returns all lists with their sizes, sorted by name.
    package func lists(_ environmentID: EnvironmentID) async throws -> [Summary] {
        try await read(environmentID) { contacts in
            try contacts.lists().map { list in
                let size = try contacts.size(of: list)
                return Summary(list: list, size: size.all, optedOut: size.optedOut)
            }
        }
    }

    /// Returns a list; `nil` when there is none with this id.
    package func list(_ environmentID: EnvironmentID, _ id: Int64) async throws -> ContactList? {
        try await read(environmentID) { try $0.list(id) }
    }

    /// Adds a column; throws `conflict` when the list has one of this name with another type.
    package func addColumn(_ environmentID: EnvironmentID, _ id: Int64, _ column: ContactColumn) async throws
    {
        try await write(environmentID) { contacts in
            guard let list = try contacts.list(id), list.kind != .contactList else {
                throw Problem.notFound("list")
            }
            try contacts.add(column, to: list.id)
        }
    }

    /// Removes a list after ``emptyList(_:_:)``, with everything that was added since. Throws `not-found`.
    package func removeList(_ environmentID: EnvironmentID, _ id: Int64) async throws {
        try await write(environmentID) {
            guard try $0.removeList(id) else { throw Problem.notFound("list") }
        }
    }

    /// Returns a page of a database's or sub-list's contacts after an id; at most 200.
    ///
    /// `search` selects the contacts of which any value contains the text, ignoring case.
    package func recipients(
        _ environmentID: EnvironmentID, _ id: Int64, search: String = "", after: Int64 = 0, limit: Int = 50
    ) async throws -> Page {
        let limit = min(max(limit, 1), 200)
        return try await read(environmentID) { contacts in
            guard let list = try contacts.list(id) else { throw Problem.notFound("list") }
            let rows = try contacts.search(list, text: search, after: after, limit: limit + 1)
            let recipients = try rows.prefix(limit).map { row in
                let owner = try list.parentID.flatMap { try contacts.list($0) } ?? list
                return try Recipient(row, values: contacts.values(of: row.int64("id"), in: owner))
            }
            return Page(recipients: recipients, next: rows.count > limit ? recipients.last?.id : nil)
        }
    }

    /// Returns a contact with its values; `nil` when there is none with this id.
    package func recipient(_ environmentID: EnvironmentID, _ id: Int64) async throws -> Recipient? {
        try await read(environmentID) { contacts in
            guard let row = try contacts.recipientRow(id),
                let list = try contacts.list(try row.int64("list_id"))
            else { return nil }
            return try Recipient(row, values: contacts.values(of: id, in: list))
        }
    }

    /// Adds a contact by hand, or changes the one with the same key. Throws `invalid-value`.
    @discardableResult
    package func save(
        _ environmentID: EnvironmentID, _ listID: Int64, values: [String: String]
    ) async throws -> Int64 {
        try await write(environmentID) { contacts in
            guard let list = try contacts.list(listID), list.kind == .database else {
                throw Problem.notFound("list")
            }
            do {
                return try contacts.save(values, in: list, from: 1).id
            } catch let mismatch as ContactValue.InvalidValue {
                throw Problem.invalidValue("values", mismatch.reason)
            }
        }
    }

    /// Opts a contact out, or in again.
    package func setOptedOut(_ environmentID: EnvironmentID, _ id: Int64, _ isOptedOut: Bool) async throws {
        try await change(environmentID, id) { try $0.setOptedOut(isOptedOut, id, in: $1) }
    }

    /// Removes a contact with its values.
    package func remove(_ environmentID: EnvironmentID, _ id: Int64) async throws {
        try await change(environmentID, id) { try $0.remove(id, from: $1) }
    }

    /// Removes a contact from a sub-list; the contact stays in its database. Throws `not-found`.
    package func removeMember(_ environmentID: EnvironmentID, _ id: Int64, of listID: Int64) async throws {
        try await write(environmentID) {
            guard try $0.removeMember(id, from: listID) else { throw Problem.notFound("contact") }
        }
    }

    /// Returns the rows of a relational table after a key; at most 200.
    package func rows(
        _ environmentID: EnvironmentID, _ tableID: Int64, after: String = "", limit: Int = 50
    ) async throws -> [(key: String, cells: [String: String])] {
        let limit = min(max(limit, 1), 200)
        return try await database.read { connection in
            try connection.rows(
                """
                SELECT row_key, cells FROM relational_rows
                WHERE environment_id = ? AND table_id = ? AND row_key > ? ORDER BY row_key LIMIT ?
                """, [.id(environmentID), .integer(tableID), .text(after), .int(limit)]
            ).map { (try $0.text("row_key"), try JSONColumn.value(try $0.text("cells"))) }
        }
    }

    /// Removes the content of a list in batches: one statement for a large list would exceed its time limit.
    ///
    /// When a batch fails, the earlier ones stay removed, and the call can be repeated.
    package func emptyList(_ environmentID: EnvironmentID, _ list: ContactList) async throws {
        var last: Int64? = 0
        while let after = last {
            try Task.checkCancellation()
            last = try await write(environmentID) { try $0.removeSome(of: list, after: after) }
        }
        let place: [SQLValue] = [.id(environmentID), .integer(list.id)]
        try await database.delete(
            from: "contact_members", key: "environment_id, list_id, recipient_id",
            where: "environment_id = ? AND list_id = ?", place)
        try await database.delete(
            from: "relational_rows", key: "environment_id, table_id, row_key",
            where: "environment_id = ? AND table_id = ?", place)
    }

    private func change(
        _ environmentID: EnvironmentID, _ id: Int64,
        _ body: @escaping @Sendable (ContactTransaction, ContactList) throws -> Void
    ) async throws {
        try await write(environmentID) { contacts in
            guard let row = try contacts.recipientRow(id),
                let list = try contacts.list(try row.int64("list_id"))
            else { throw Problem.notFound("contact") }
            try body(contacts, list)
        }
    }

    private func create(
        _ environmentID: EnvironmentID, _ body: @escaping @Sendable (ContactTransaction) throws -> Int64
    ) async throws -> ContactList {
        try await write(environmentID) { contacts in
            let id = try body(contacts)
            guard let list = try contacts.list(id) else { throw Problem.notFound("list") }
            return list
        }
    }

    func read<T: Sendable>(
        _ environmentID: EnvironmentID, _ body: @escaping @Sendable (ContactTransaction) throws -> T
    ) async throws -> T {
        let moment = now()
        return try await database.read {
            try body(ContactTransaction(environmentID: environmentID, now: moment, connection: $0))
        }
    }

    @discardableResult
    func write<T: Sendable>(
        _ environmentID: EnvironmentID, _ body: @escaping @Sendable (ContactTransaction) throws -> T
    ) async throws -> T {
        let moment = now()
        return try await database.write {
            try body(ContactTransaction(environmentID: environmentID, now: moment, connection: $0))
        }
    }
}
