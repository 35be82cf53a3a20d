import InlaySQL
import InlayWire

extension HubContentStore {
    // MARK: Hubs, channels and articles

    /// What a source holds, of one kind or all, changed last first.
    package func items(
        _ environmentID: String, _ sourceID: String, _ kind: HubKind? = nil
    ) async throws -> [HubItem] {
        try await database.read { connection in
            try Self.items(environmentID, sourceID, connection).filter { kind == nil || $0.kind == kind }
                .sorted { ($1.updatedAt, $0.id) < ($0.updatedAt, $1.id) }
        }
    }

    /// One item, or `nil`.
    package func item(
        _ environmentID: String, _ sourceID: String, _ kind: HubKind, _ id: String
    ) async throws -> HubItem? {
        guard HubReference.isID(id) else { return nil }
        return try await database.read { try Self.item(environmentID, sourceID, kind, id, $0) }
    }

    /// Makes an item. It is in no version before it is released. Throws ``FieldErrors``, `not-found`, `conflict`.
    @discardableResult
    package func create(
        _ environmentID: String, _ sourceID: String, _ kind: HubKind, id: String, _ draft: HubDraft
    ) async throws -> HubItem {
        try HubCheck.id(id)
        try HubCheck.validate(draft, kind)
        let json = try HubJSON.text(draft)
        let moment = now()
        return try await database.write { connection in
            guard try Self.find(environmentID, sourceID, connection) != nil else {
                throw Problem.notFound("content source")
            }
            let row = try connection.row(
                """
                INSERT INTO hub_items (environment_id, source_id, kind, id, draft, revision, released_revision,
                    created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, 0, ?, ?)
                ON CONFLICT (environment_id, source_id, kind, id) DO NOTHING RETURNING *
                """,
                Self.key(environmentID, sourceID, kind, id) + [
                    .text(json),
                    .integer(try Self.nextRevision(environmentID, sourceID, kind, id, connection)),
                    .moment(moment), .moment(moment),
                ])
            guard let row else {
                throw Problem(
                    .conflict, status: 409, title: "This source has a \(kind.rawValue) with this id already.")
            }
            return try HubItem(row)
        }
    }

    /// Saves a draft over the revision its author had read.
    ///
    /// Throws ``FieldErrors``, `not-found`, and `conflict` when someone else saved meanwhile.
    @discardableResult
    package func save(
        _ environmentID: String, _ sourceID: String, _ kind: HubKind, _ id: String, _ draft: HubDraft,
        over revision: Int64
    ) async throws -> HubItem {
        try HubCheck.validate(draft, kind)
        let json = try HubJSON.text(draft)
        let moment = now()
        return try await database.write { connection in
            let row = try connection.row(
                """
                UPDATE hub_items SET draft = ?, revision = revision + 1, updated_at = ?
                WHERE environment_id = ? AND source_id = ? AND kind = ? AND id = ? AND revision = ? RETURNING *
                """,
                [.text(json), .moment(moment)] + Self.key(environmentID, sourceID, kind, id) + [
                    .integer(revision)
                ])
            if let row { return try HubItem(row) }
            guard try Self.item(environmentID, sourceID, kind, id, connection) != nil else {
                throw Problem.notFound(kind.rawValue)
            }
            throw Problem(
                .conflict, status: 409, title: "Someone else saved this \(kind.rawValue) meanwhile.",
                detail: "Read it again and repeat your change.")
        }
    }

    /// Makes the draft what the next publish takes. Releasing an unchanged draft again does nothing.
    @discardableResult
    package func release(
        _ environmentID: String, _ sourceID: String, _ kind: HubKind, _ id: String
    ) async throws -> HubItem {
        let moment = now()
        return try await database.write { connection in
            guard let item = try Self.item(environmentID, sourceID, kind, id, connection) else {
                throw Problem.notFound(kind.rawValue)
            }
            guard item.hasUnreleasedChanges else { return item }
            try Self.release(item, at: moment, in: environmentID, sourceID, connection)
            guard let released = try Self.item(environmentID, sourceID, kind, id, connection) else {
                throw Problem.notFound(kind.rawValue)
            }
            return released
        }
    }

    /// Keeps an item out of versions from the next publish on; its draft stays.
    package func withdraw(
        _ environmentID: String, _ sourceID: String, _ kind: HubKind, _ id: String
    ) async throws {
        let changed = try await database.write { connection in
            try connection.execute(
                """
                UPDATE hub_items SET released = NULL
                WHERE environment_id = ? AND source_id = ? AND kind = ? AND id = ?
                """, Self.key(environmentID, sourceID, kind, id))
        }
        guard changed == 1 else { throw Problem.notFound(kind.rawValue) }
    }

    /// Deletes an item; versions lose it with the next publish.
    package func delete(
        _ environmentID: String, _ sourceID: String, _ kind: HubKind, _ id: String
    ) async throws {
        let changed = try await database.write { connection in
            try connection.execute(
                "DELETE FROM hub_items WHERE environment_id = ? AND source_id = ? AND kind = ? AND id = ?",
                Self.key(environmentID, sourceID, kind, id))
        }
        guard changed == 1 else { throw Problem.notFound(kind.rawValue) }
    }

    /// What was released of an item, newest first; at most 100.
    package func revisions(
        _ environmentID: String, _ sourceID: String, _ kind: HubKind, _ id: String
    ) async throws -> [HubRevision] {
        try await database.read { connection in
            try connection.rows(
                """
                SELECT revision, draft, released_at FROM hub_revisions
                WHERE environment_id = ? AND source_id = ? AND kind = ? AND id = ?
                ORDER BY revision DESC LIMIT 100
                """, Self.key(environmentID, sourceID, kind, id)
            ).map { row in
                HubRevision(
                    revision: try row.int64("revision"), draft: try HubJSON.value(try row.text("draft")),
                    releasedAt: try row.moment("released_at"))
            }
        }
    }

    static func release(
        _ item: HubItem, at moment: Timestamp, in environmentID: String, _ sourceID: String,
        _ connection: any SQLConnection
    ) throws {
        let key = key(environmentID, sourceID, item.kind, item.id)
        let json = try HubJSON.text(item.draft)
        try connection.execute(
            """
            UPDATE hub_items SET released = ?, released_revision = ?
            WHERE environment_id = ? AND source_id = ? AND kind = ? AND id = ?
            """, [.text(json), .integer(item.revision)] + key)
        try connection.execute(
            """
            INSERT INTO hub_revisions (environment_id, source_id, kind, id, revision, draft, released_at)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (environment_id, source_id, kind, id, revision) DO NOTHING
            """, key + [.integer(item.revision), .text(json), .moment(moment)])
    }

    /// The first revision of a new item: above those of an earlier one with this id, whose history stays.
    static func nextRevision(
        _ environmentID: String, _ sourceID: String, _ kind: HubKind, _ id: String,
        _ connection: any SQLConnection
    ) throws -> Int64 {
        let row = try connection.row(
            """
            SELECT MAX(revision) AS last FROM hub_revisions
            WHERE environment_id = ? AND source_id = ? AND kind = ? AND id = ?
            """, key(environmentID, sourceID, kind, id))
        return try (row?.optionalInt64("last") ?? 0) + 1
    }

    static func key(_ environmentID: String, _ sourceID: String, _ kind: HubKind, _ id: String) -> [SQLValue]
    {
        [.text(environmentID), .text(sourceID), .text(kind.rawValue), .text(id)]
    }

    static func items(
        _ environmentID: String, _ sourceID: String, _ connection: any SQLConnection
    ) throws -> [HubItem] {
        try connection.rows(
            "SELECT * FROM hub_items WHERE environment_id = ? AND source_id = ? ORDER BY kind, id",
            [.text(environmentID), .text(sourceID)]
        ).map(HubItem.init)
    }

    static func item(
        _ environmentID: String, _ sourceID: String, _ kind: HubKind, _ id: String,
        _ connection: any SQLConnection
    ) throws -> HubItem? {
        try connection.row(
            "SELECT * FROM hub_items WHERE environment_id = ? AND source_id = ? AND kind = ? AND id = ?",
            key(environmentID, sourceID, kind, id)
        ).map(HubItem.init)
    }
}

/// One released state of an item.
package struct HubRevision: Hashable, Sendable {
    package let revision: Int64
    package let draft: HubDraft
    package let releasedAt: Timestamp
}

extension HubItem {
    init(_ row: SQLRow) throws {
        let kind = try row.text("kind")
        guard let kind = HubKind(rawValue: kind) else { throw Problem.notFound(kind) }
        self.init(
            kind: kind, id: try row.text("id"), draft: try HubJSON.value(try row.text("draft")),
            revision: try row.int64("revision"),
            released: try row.optionalText("released").map { try HubJSON.value($0) },
            releasedRevision: try row.int64("released_revision"), createdAt: try row.moment("created_at"),
            updatedAt: try row.moment("updated_at"))
    }
}
