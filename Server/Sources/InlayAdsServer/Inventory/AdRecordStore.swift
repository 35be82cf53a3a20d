import InlayOpenRTB
import InlaySQL
package import InlayServerCore
@_spi(Inlay) import InlayWire

/// The publishers, apps, units, campaigns, creatives, bidders and deals of each environment.
package struct AdRecordStore: Sendable {
    /// The database channel between nodes; the payload is an environment's id.
    static let changeChannel = "inlay_ads"
    private static let maximumRecords = 5_000

    let database: any SQLDatabase
    let now: @Sendable () -> Timestamp
    /// Throws ``RefusedAddress`` for a URL that this server will not call.
    let checkAddress: @Sendable (_ url: String) async throws -> Void
    /// Called after every change on this node.
    let changed: @Sendable (_ environmentID: EnvironmentID) -> Void

    /// Saves a record, new or in place of the one with its id, and returns it as it is stored.
    ///
    /// Throws ``FieldErrors``, `not-found` when the parent record does not exist, and `conflict` when `revision` is
    /// given and the record was changed since, or when the id belongs to another environment or parent.
    @discardableResult
    package func save<Record: AdRecord>(
        _ environmentID: EnvironmentID, _ record: Record, over revision: Int64? = nil
    ) async throws -> AdStored<Record> {
        let record = try record.checked()
        try await checkAddresses(of: record)
        let text = try JSONColumn.text(record)
        let moment = now()
        let unchanged = revision == nil ? "" : "AND \(Record.table.rawValue).revision = ?"
        let stored = try await database.write { connection in
            try Self.checkParent(environmentID, record, connection)
            try Self.checkLimitAndID(environmentID, record, connection)
            let row = try connection.row(
                """
                INSERT INTO \(Record.table.rawValue) (environment_id, id, parent_id, name, settings, is_enabled,
                    revision, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, 1, ?, ?)
                ON CONFLICT (environment_id, id) DO UPDATE SET name = excluded.name,
                    settings = excluded.settings, is_enabled = excluded.is_enabled,
                    revision = \(Record.table.rawValue).revision + 1, updated_at = excluded.updated_at
                    WHERE \(Record.table.rawValue).parent_id = excluded.parent_id \(unchanged)
                RETURNING *
                """,
                [
                    .id(environmentID), .id(record.id), .id(record.parentID), .text(record.name),
                    .text(text), .bool(record.isEnabled), .moment(moment), .moment(moment),
                ] + (revision.map { [.integer($0)] } ?? []))
            guard let row else { throw Self.changedMeanwhile(Record.table.noun) }
            return try AdStored<Record>(row)
        }
        try await notifyChange(environmentID)
        return stored
    }

    private func checkAddresses(of record: some AdRecord) async throws {
        for (field, url) in record.calledAddresses {
            do {
                try await checkAddress(url)
            } catch is RefusedAddress {
                throw FieldErrors(
                    field,
                    "This host leads into a private network or to this server, which only a server with "
                        + "adsPrivateAddresses calls.")
            }
        }
    }

    /// Returns a record, or `nil`.
    package func find<Record: AdRecord>(
        _ environmentID: EnvironmentID, _ id: Record.ID, as type: Record.Type = Record.self
    ) async throws -> AdStored<Record>? {
        try await database.read {
            try $0.row(
                "SELECT * FROM \(Record.table.rawValue) WHERE environment_id = ? AND id = ?",
                [.id(environmentID), .id(id)]
            ).map(AdStored<Record>.init)
        }
    }

    /// Returns all records of a kind, or those of one parent, sorted by name.
    package func list<Record: AdRecord>(
        _ environmentID: EnvironmentID, of parentID: Record.ParentID? = nil,
        as type: Record.Type = Record.self
    ) async throws -> [AdStored<Record>] {
        try await database.read { try Self.list(environmentID, of: parentID, in: $0) }
    }

    static func list<Record: AdRecord>(
        _ environmentID: EnvironmentID, of parentID: Record.ParentID? = nil, in connection: any SQLConnection
    ) throws -> [AdStored<Record>] {
        try connection.rows(
            """
            SELECT * FROM \(Record.table.rawValue) WHERE environment_id = ?
                \(parentID == nil ? "" : "AND parent_id = ?") ORDER BY name, id
            """, [.id(environmentID)] + (parentID.map { [.id($0)] } ?? [])
        ).map(AdStored<Record>.init)
    }

    /// Removes a record and its child records. Impressions and bills stay in the ledger.
    package func remove<Record: AdRecord>(
        _ environmentID: EnvironmentID, _ id: Record.ID, as type: Record.Type
    ) async throws {
        try await database.write { connection in
            guard try Self.remove(environmentID, id.rawValue, type.table, connection) else {
                throw Problem.notFound(type.table.noun)
            }
        }
        try await notifyChange(environmentID)
    }

    private static func remove(
        _ environmentID: EnvironmentID, _ id: String, _ table: AdRecordTable, _ connection: any SQLConnection
    ) throws -> Bool {
        for child in table.children {
            let rows = try connection.rows(
                "SELECT id FROM \(child.rawValue) WHERE environment_id = ? AND parent_id = ?",
                [.id(environmentID), .text(id)])
            for row in rows { _ = try remove(environmentID, try row.text("id"), child, connection) }
        }
        return try connection.execute(
            "DELETE FROM \(table.rawValue) WHERE environment_id = ? AND id = ?",
            [.id(environmentID), .text(id)]) == 1
    }

    private func notifyChange(_ environmentID: EnvironmentID) async throws {
        changed(environmentID)
        try await database.notify(Self.changeChannel, environmentID.rawValue)
    }

    private static func checkParent(
        _ environmentID: EnvironmentID, _ record: some AdRecord, _ connection: any SQLConnection
    ) throws {
        guard let parent = type(of: record).table.parent else { return }
        let row = try connection.row(
            "SELECT 1 AS one FROM \(parent.rawValue) WHERE environment_id = ? AND id = ?",
            [.id(environmentID), .id(record.parentID)])
        guard row != nil else { throw Problem.notFound(parent.noun) }
    }

    /// Checks the maximum number of records, and that no other environment uses the id: ids of publishers and units are
    /// unique across environments, because an ad request names no environment.
    private static func checkLimitAndID(
        _ environmentID: EnvironmentID, _ record: some AdRecord, _ connection: any SQLConnection
    ) throws {
        let table = type(of: record).table
        if table == .publishers || table == .units {
            let elsewhere = try connection.row(
                "SELECT 1 AS one FROM \(table.rawValue) WHERE id = ? AND environment_id <> ?",
                [.id(record.id), .id(environmentID)])
            guard elsewhere == nil else { throw changedMeanwhile(table.noun) }
        }
        let count = try connection.row(
            "SELECT COUNT(*) AS n FROM \(table.rawValue) WHERE environment_id = ? AND id <> ?",
            [.id(environmentID), .id(record.id)])
        guard try count?.int("n") ?? 0 < maximumRecords else {
            throw FieldErrors("name", "At most \(maximumRecords) in an environment.")
        }
    }

    private static func changedMeanwhile(_ noun: String) -> Problem {
        Problem(
            .conflict, status: 409, title: "This \(noun) was changed by somebody else, or its id is taken.",
            detail: "Load it again.")
    }
}
