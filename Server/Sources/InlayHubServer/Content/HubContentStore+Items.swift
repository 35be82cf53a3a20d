import InlaySQL
package import InlayServerCore
@_spi(Inlay) package import InlayWire

extension HubContentStore {
    // MARK: Hubs, channels and articles

    /// Returns the items of a source, of one kind or all, the last changed first.
    package func items(
        _ environmentID: EnvironmentID, _ sourceID: HubSourceID, _ kind: HubKind? = nil
    ) async throws -> [HubItem] {
        try await database.read { connection in
            try Self.items(environmentID, sourceID, connection).filter { kind == nil || $0.kind == kind }
                .sorted { ($1.updatedAt, $0.id) < ($0.updatedAt, $1.id) }
        }
    }

    /// Returns an item; `nil` when there is none with this id.
    package func item(
        _ environmentID: EnvironmentID, _ sourceID: HubSourceID, _ kind: HubKind, _ id: String
    ) async throws -> HubItem? {
        guard HubReference.isID(id) else { return nil }
        return try await database.read { try Self.item(environmentID, sourceID, kind, id, $0) }
    }

    /// Creates an item. Published versions contain it only after its release.
    ///
    /// Throws ``FieldErrors``, `not-found`, `conflict`.
    @discardableResult
    package func create(
        _ environmentID: EnvironmentID, _ sourceID: HubSourceID, _ kind: HubKind, id: String,
        _ draft: HubDraft
    ) async throws -> HubItem {
        try HubCheck.id(id)
        try HubCheck.validate(draft, kind)
        let json = try HubJSON.text(draft)
        let moment = now()
        return try await database.write { connection in
            guard try Self.find(environmentID, sourceID, connection) != nil else {
                throw Problem.notFound("content source")
            }
            let count = try connection.row(
                "SELECT COUNT(*) AS n FROM hub_items WHERE environment_id = ? AND source_id = ?",
                [.id(environmentID), .id(sourceID)])
            guard try count?.int("n") ?? 0 < HubLimits.maximumItems else {
                throw FieldErrors("id", "A source has at most \(HubLimits.maximumItems) items.")
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

    /// Saves a draft in the place of the revision that its author has read.
    ///
    /// Throws ``FieldErrors``, `not-found`, and `conflict` when another operator saved meanwhile.
    @discardableResult
    package func save(
        _ environmentID: EnvironmentID, _ sourceID: HubSourceID, _ kind: HubKind, _ id: String,
        _ draft: HubDraft,
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

    /// Releases the draft, so that the next published version contains it. Has no effect on a draft without
    /// changes.
    @discardableResult
    package func release(
        _ environmentID: EnvironmentID, _ sourceID: HubSourceID, _ kind: HubKind, _ id: String
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

    /// Withdraws an item: the next published version does not contain it. The draft stays.
    package func withdraw(
        _ environmentID: EnvironmentID, _ sourceID: HubSourceID, _ kind: HubKind, _ id: String
    ) async throws {
        try await database.changeOne(
            kind.rawValue,
            """
            UPDATE hub_items SET released = NULL
            WHERE environment_id = ? AND source_id = ? AND kind = ? AND id = ?
            """, Self.key(environmentID, sourceID, kind, id))
    }

    /// Deletes an item and its draft. The next published version does not contain it.
    package func delete(
        _ environmentID: EnvironmentID, _ sourceID: HubSourceID, _ kind: HubKind, _ id: String
    ) async throws {
        try await database.changeOne(
            kind.rawValue,
            "DELETE FROM hub_items WHERE environment_id = ? AND source_id = ? AND kind = ? AND id = ?",
            Self.key(environmentID, sourceID, kind, id))
    }

    /// Returns the released revisions of an item, newest first; at most 100.
    package func revisions(
        _ environmentID: EnvironmentID, _ sourceID: HubSourceID, _ kind: HubKind, _ id: String
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
        _ item: HubItem, at moment: Timestamp, in environmentID: EnvironmentID, _ sourceID: HubSourceID,
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

    /// Returns the first revision of a new item: one more than the last of an earlier item with this id,
    /// whose revisions are kept.
    static func nextRevision(
        _ environmentID: EnvironmentID, _ sourceID: HubSourceID, _ kind: HubKind, _ id: String,
        _ connection: any SQLConnection
    ) throws -> Int64 {
        let row = try connection.row(
            """
            SELECT MAX(revision) AS last FROM hub_revisions
            WHERE environment_id = ? AND source_id = ? AND kind = ? AND id = ?
            """, key(environmentID, sourceID, kind, id))
        return try (row?.optionalInt64("last") ?? 0) + 1
    }

    static func key(_ environmentID: EnvironmentID, _ sourceID: HubSourceID, _ kind: HubKind, _ id: String)
        -> [SQLValue]
    {
        [.id(environmentID), .id(sourceID), .text(kind.rawValue), .text(id)]
    }

    static func items(
        _ environmentID: EnvironmentID, _ sourceID: HubSourceID, _ connection: any SQLConnection
    ) throws -> [HubItem] {
        try connection.rows(
            "SELECT * FROM hub_items WHERE environment_id = ? AND source_id = ? ORDER BY kind, id",
            [.id(environmentID), .id(sourceID)]
        ).map(HubItem.init)
    }

    static func item(
        _ environmentID: EnvironmentID, _ sourceID: HubSourceID, _ kind: HubKind, _ id: String,
        _ connection: any SQLConnection
    ) throws -> HubItem? {
        try connection.row(
            "SELECT * FROM hub_items WHERE environment_id = ? AND source_id = ? AND kind = ? AND id = ?",
            key(environmentID, sourceID, kind, id)
        ).map(HubItem.init)
    }
}

/// A released revision of an item.
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
