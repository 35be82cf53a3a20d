package import InlaySQL
package import InlayServerCore
@_spi(Inlay) package import InlayWire

/// The containers of each environment.
///
/// Containers are archived, never deleted: the versions of their feeds must go on growing if the same id
/// is used again, or devices would take every new feed for an old one.
package struct ContainerStore: Sendable {
    let database: any SQLDatabase
    let now: @Sendable () -> Timestamp

    /// A store on a migrated database.
    package init(database: any SQLDatabase, now: @escaping @Sendable () -> Timestamp) {
        self.database = database
        self.now = now
    }

    /// Returns all containers that are not archived: the default one first, the others by name.
    package func list(_ environmentID: EnvironmentID) async throws -> [CardContainer] {
        try await database.read { connection in
            try connection.rows(
                """
                SELECT * FROM card_containers WHERE environment_id = ? AND is_archived = 0
                ORDER BY is_default DESC, name, id
                """, [.id(environmentID)]
            ).map(CardContainer.init)
        }
    }

    /// Returns a container; `nil` when it does not exist or is archived.
    package func container(_ environmentID: EnvironmentID, _ id: CardContainerID) async throws
        -> CardContainer?
    {
        try await database.read { try Self.find(environmentID, id, $0) }
    }

    /// Creates or changes a container. An environment's first container becomes its default.
    ///
    /// An archived container with this id is restored. Throws ``FieldErrors`` for a wrong id, name or theme.
    @discardableResult
    package func save(
        _ environmentID: EnvironmentID, id: CardContainerID, name: String, themeID: CardThemeID? = nil
    ) async throws -> CardContainer {
        var errors = FieldErrors()
        if !id.isWellFormed {
            errors.add("id", "Letters, digits, \"_\", \"-\" and \".\", at most 64.")
        }
        errors.checkName(name)
        try errors.throwIfAny()
        let moment = now()
        return try await writeDefault { connection in
            try Self.requireTheme(environmentID, themeID, connection)
            return try Self.upsert(environmentID, id, name, themeID, at: moment, connection)
        }
    }

    /// Creates a container of a new environment in a transaction. The id and the name are not checked.
    func save(
        _ environmentID: EnvironmentID, id: CardContainerID, name: String, in connection: any SQLConnection
    ) throws {
        _ = try Self.upsert(environmentID, id, name, nil, at: now(), connection)
    }

    /// Makes another container the default one. Throws `not-found`.
    package func makeDefault(_ environmentID: EnvironmentID, _ id: CardContainerID) async throws {
        try await writeDefault { connection in
            guard try Self.find(environmentID, id, connection) != nil else {
                throw Problem.notFound("container")
            }
            try connection.execute(
                "UPDATE card_containers SET is_default = 0 WHERE environment_id = ? AND is_default = 1",
                [.id(environmentID)])
            // Another node may have archived it since it was read.
            let count = try connection.execute(
                "UPDATE card_containers SET is_default = 1 WHERE environment_id = ? AND id = ? AND is_archived = 0",
                [.id(environmentID), .id(id)])
            guard count == 1 else { throw Problem.notFound("container") }
        }
    }

    /// Writes what can make a container the default one.
    ///
    /// An environment has one default container. When another node has made one the default meanwhile, the body runs
    /// again and finds it.
    private func writeDefault<T: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> T
    ) async throws -> T {
        do {
            return try await database.write(body)
        } catch let error as SQLError where error.kind == .uniqueViolation {
            return try await database.write(body)
        }
    }

    /// Archives a container. Throws `not-found`, and `conflict` for the default one.
    package func archive(_ environmentID: EnvironmentID, _ id: CardContainerID) async throws {
        let moment = now()
        try await database.write { connection in
            guard let container = try Self.find(environmentID, id, connection) else {
                throw Problem.notFound("container")
            }
            // The statement checks it again: another node may have made it the default one since it was read.
            let count =
                try container.isDefault
                ? 0
                : connection.execute(
                    """
                    UPDATE card_containers SET is_archived = 1, updated_at = ?
                    WHERE environment_id = ? AND id = ? AND is_default = 0
                    """, [.moment(moment), .id(environmentID), .id(id)])
            guard count == 1 else {
                throw Problem(
                    .conflict, status: 409, title: "This is the default container.",
                    detail: "Set another default container first.")
            }
        }
    }

    /// Returns the appearance of a container; `nil` when the caller has its version already.
    ///
    /// Throws `not-found`.
    package func appearance(
        _ environmentID: EnvironmentID, _ id: CardContainerID, after version: Int64? = nil
    ) async throws -> CardAppearance? {
        let row = try await database.read { connection in
            try connection.row(
                """
                SELECT c.appearance_version + \(VersionBase.sql) AS version, t.light, t.dark FROM card_containers c
                LEFT JOIN card_themes t ON t.environment_id = c.environment_id AND t.id = c.theme_id
                WHERE c.environment_id = ? AND c.id = ? AND c.is_archived = 0
                """, [.id(environmentID), .id(id)])
        }
        guard let row else { throw Problem.notFound("container") }
        let current = try row.int64("version")
        guard current != version else { return nil }
        let light: CardTheme = try row.optionalText("light").map { try JSONColumn.value($0) } ?? CardTheme()
        let dark: CardTheme? = try row.optionalText("dark").map { try JSONColumn.value($0) }
        return CardAppearance(version: current, light: light, dark: dark)
    }

    static func find(
        _ environmentID: EnvironmentID, _ id: CardContainerID, _ connection: any SQLConnection
    ) throws -> CardContainer? {
        try connection.row(
            "SELECT * FROM card_containers WHERE environment_id = ? AND id = ? AND is_archived = 0",
            [.id(environmentID), .id(id)]
        ).map(CardContainer.init)
    }

    private static func requireTheme(
        _ environmentID: EnvironmentID, _ themeID: CardThemeID?, _ connection: any SQLConnection
    ) throws {
        guard let themeID else { return }
        let theme = try connection.row(
            "SELECT 1 AS found FROM card_themes WHERE environment_id = ? AND id = ?",
            [.id(environmentID), .id(themeID)])
        if theme == nil { throw FieldErrors("themeID", "There is no such theme.") }
    }

    private static func upsert(
        _ environmentID: EnvironmentID, _ id: CardContainerID, _ name: String, _ themeID: CardThemeID?,
        at moment: Timestamp,
        _ connection: any SQLConnection
    ) throws -> CardContainer {
        let row = try connection.row(
            """
            INSERT INTO card_containers (environment_id, id, name, theme_id, is_default, is_archived,
                appearance_version, created_at, updated_at)
            VALUES (?, ?, ?, ?, CASE WHEN EXISTS
                (SELECT 1 FROM card_containers WHERE environment_id = ?) THEN 0 ELSE 1 END, 0, 1, ?, ?)
            ON CONFLICT (environment_id, id) DO UPDATE SET name = excluded.name, is_archived = 0,
                updated_at = excluded.updated_at, theme_id = excluded.theme_id,
                appearance_version = card_containers.appearance_version + CASE
                    WHEN COALESCE(card_containers.theme_id, '') = COALESCE(excluded.theme_id, '') THEN 0 ELSE 1 END
            RETURNING *
            """,
            [
                .id(environmentID), .id(id), .text(name), .id(themeID), .id(environmentID),
                .moment(moment), .moment(moment),
            ])
        guard let row else { throw Problem.notFound("container") }
        return try CardContainer(row)
    }
}

extension CardContainer {
    init(_ row: SQLRow) throws {
        self.init(
            id: try row.id("id"), name: try row.text("name"), themeID: try row.optionalID("theme_id"),
            isDefault: try row.bool("is_default"), appearanceVersion: try row.int64("appearance_version"),
            createdAt: try row.moment("created_at"))
    }
}
