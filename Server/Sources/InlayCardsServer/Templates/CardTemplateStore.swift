import Foundation
package import InlaySQL
package import InlayServerCore
@_spi(Inlay) package import InlayWire

/// The card templates of each environment: drafts, and the versions that were published.
package struct CardTemplateStore: Sendable {
    let database: any SQLDatabase
    let now: @Sendable () -> Timestamp

    /// A store on a migrated database.
    package init(database: any SQLDatabase, now: @escaping @Sendable () -> Timestamp) {
        self.database = database
        self.now = now
    }

    /// Returns all templates that are not archived, the last changed first.
    package func list(_ environmentID: EnvironmentID) async throws -> [CardTemplate] {
        try await database.read { connection in
            try connection.rows(
                """
                SELECT * FROM card_templates WHERE environment_id = ? AND is_archived = 0
                ORDER BY updated_at DESC, id
                """, [.id(environmentID)]
            ).map(CardTemplate.init)
        }
    }

    /// Returns a template; `nil` when it does not exist or is archived.
    package func template(_ environmentID: EnvironmentID, _ id: CardTemplateID) async throws -> CardTemplate?
    {
        try await database.read { try Self.find(environmentID, id, $0) }
    }

    /// Creates a template without publishing it. Throws ``FieldErrors``.
    @discardableResult
    package func create(_ environmentID: EnvironmentID, _ draft: CardTemplateDraft) async throws
        -> CardTemplate
    {
        try CardTemplateCheck.validate(draft)
        let json = try JSONColumn.text(draft)
        let moment = now()
        let id = CardTemplateID(UUIDv7.make("tpl", at: moment))
        return try await database.write { connection in
            try Self.requireContainers(environmentID, draft.containerIDs, connection)
            let row = try connection.row(
                """
                INSERT INTO card_templates (environment_id, id, event_name, draft, revision, published_version,
                    published_revision, is_enabled, is_archived, created_at, updated_at)
                VALUES (?, ?, ?, ?, 1, 0, 0, 1, 0, ?, ?) RETURNING *
                """,
                [
                    .id(environmentID), .id(id), .text(draft.eventName), .text(json), .moment(moment),
                    .moment(moment),
                ])
            return try Self.required(row)
        }
    }

    /// Saves a draft over the revision that its author has read.
    ///
    /// Throws ``FieldErrors``, `not-found`, and `conflict` when another operator saved meanwhile.
    @discardableResult
    package func save(
        _ environmentID: EnvironmentID, _ id: CardTemplateID, _ draft: CardTemplateDraft, over revision: Int64
    ) async throws -> CardTemplate {
        try CardTemplateCheck.validate(draft)
        let json = try JSONColumn.text(draft)
        let moment = now()
        return try await database.write { connection in
            try Self.requireContainers(environmentID, draft.containerIDs, connection)
            let row = try connection.row(
                """
                UPDATE card_templates SET draft = ?, event_name = ?, revision = revision + 1, updated_at = ?
                WHERE environment_id = ? AND id = ? AND revision = ? AND is_archived = 0 RETURNING *
                """,
                [
                    .text(json), .text(draft.eventName), .moment(moment), .id(environmentID), .id(id),
                    .integer(revision),
                ])
            if let row { return try CardTemplate(row) }
            guard try Self.find(environmentID, id, connection) != nil else {
                throw Problem.notFound("template")
            }
            throw Problem(
                .conflict, status: 409, title: "Someone else saved this template meanwhile.",
                detail: "Read it again and repeat your change.")
        }
    }

    /// Publishes the draft: compiles it into a new version, from which events make cards from now on.
    ///
    /// Cards that exist keep the version they were made with. Publishing an unchanged draft again does
    /// nothing. Throws ``FieldErrors`` and `not-found`.
    @discardableResult
    package func publish(_ environmentID: EnvironmentID, _ id: CardTemplateID) async throws -> CardTemplate {
        let moment = now()
        return try await database.write { connection in
            guard let template = try Self.find(environmentID, id, connection) else {
                throw Problem.notFound("template")
            }
            guard template.hasUnpublishedChanges else { return template }
            let layout = try CardCompiler.compile(template.draft)
            let row = try connection.row(
                """
                UPDATE card_templates SET published_version = published_version + 1, published_revision = ?,
                    updated_at = ?
                WHERE environment_id = ? AND id = ? RETURNING *
                """,
                [.integer(template.revision), .moment(moment), .id(environmentID), .id(id)])
            let published = try Self.required(row)
            try connection.execute(
                """
                INSERT INTO card_layouts (environment_id, template_id, version, event_name, draft, layout,
                    published_at) VALUES (?, ?, ?, ?, ?, ?, ?)
                """,
                [
                    .id(environmentID), .id(id), .integer(published.publishedVersion),
                    .text(template.draft.eventName), .text(try JSONColumn.text(template.draft)),
                    .text(try JSONColumn.text(layout)), .moment(moment),
                ])
            return published
        }
    }

    /// Returns the draft that new cards are made from; `nil` before the first publication.
    package func publishedDraft(_ environmentID: EnvironmentID, _ id: CardTemplateID) async throws
        -> CardTemplateDraft?
    {
        let text = try await database.read { connection in
            try connection.row(
                """
                SELECT l.draft FROM card_templates t JOIN card_layouts l ON l.environment_id = t.environment_id
                    AND l.template_id = t.id AND l.version = t.published_version
                WHERE t.environment_id = ? AND t.id = ?
                """, [.id(environmentID), .id(id)])?.text("draft")
        }
        return try text.map { try JSONColumn.value($0) }
    }

    /// Enables or disables a template. Events make no cards from a disabled template. Throws `not-found`.
    package func setEnabled(_ environmentID: EnvironmentID, _ id: CardTemplateID, _ isEnabled: Bool)
        async throws
    {
        try await change(environmentID, id, "is_enabled", to: isEnabled)
    }

    /// Archives a template; its cards and counts stay. Throws `not-found`.
    package func archive(_ environmentID: EnvironmentID, _ id: CardTemplateID) async throws {
        try await change(environmentID, id, "is_archived", to: true)
    }

    private func change(
        _ environmentID: EnvironmentID, _ id: CardTemplateID, _ column: String, to value: Bool
    )
        async throws
    {
        let moment = now()
        try await database.changeOne(
            "template",
            """
            UPDATE card_templates SET \(column) = ?, updated_at = ?
            WHERE environment_id = ? AND id = ? AND is_archived = 0
            """, [.bool(value), .moment(moment), .id(environmentID), .id(id)])
    }

    static func find(
        _ environmentID: EnvironmentID, _ id: CardTemplateID, _ connection: any SQLConnection
    ) throws -> CardTemplate? {
        try connection.row(
            "SELECT * FROM card_templates WHERE environment_id = ? AND id = ? AND is_archived = 0",
            [.id(environmentID), .id(id)]
        ).map(CardTemplate.init)
    }

    private static func requireContainers(
        _ environmentID: EnvironmentID, _ ids: [CardContainerID], _ connection: any SQLConnection
    ) throws {
        for (index, id) in ids.enumerated() {
            guard id.isWellFormed, try ContainerStore.find(environmentID, id, connection) != nil else {
                throw FieldErrors("containerIDs[\(index)]", "There is no such container.")
            }
        }
    }

    private static func required(_ row: SQLRow?) throws -> CardTemplate {
        guard let row else { throw Problem.notFound("template") }
        return try CardTemplate(row)
    }
}

extension CardTemplate {
    init(_ row: SQLRow) throws {
        self.init(
            id: try row.id("id"), draft: try JSONColumn.value(try row.text("draft")),
            revision: try row.int64("revision"), publishedVersion: try row.int64("published_version"),
            publishedRevision: try row.int64("published_revision"), isEnabled: try row.bool("is_enabled"),
            createdAt: try row.moment("created_at"), updatedAt: try row.moment("updated_at"))
    }
}
