package import InlaySQL
package import InlayServerCore
@_spi(Inlay) package import InlayWire

/// The themes of each environment.
package struct ThemeStore: Sendable {
    let database: any SQLDatabase
    let now: @Sendable () -> Timestamp

    /// A store on a migrated database.
    package init(database: any SQLDatabase, now: @escaping @Sendable () -> Timestamp) {
        self.database = database
        self.now = now
    }

    /// Returns all themes, sorted by name.
    package func list(_ environmentID: EnvironmentID) async throws -> [CardThemeRecord] {
        try await database.read { connection in
            try connection.rows(
                "SELECT * FROM card_themes WHERE environment_id = ? ORDER BY name, id", [.id(environmentID)]
            ).map(CardThemeRecord.init)
        }
    }

    /// Returns a theme; `nil` when it does not exist.
    package func theme(_ environmentID: EnvironmentID, _ id: CardThemeID) async throws -> CardThemeRecord? {
        try await database.read { connection in
            try connection.row(
                "SELECT * FROM card_themes WHERE environment_id = ? AND id = ?",
                [.id(environmentID), .id(id)]
            ).map(CardThemeRecord.init)
        }
    }

    /// Creates a theme (`id` is `nil`) or changes one; containers that use it get a new appearance version.
    ///
    /// Throws ``FieldErrors``, and `not-found` for an id that does not exist.
    @discardableResult
    package func save(
        _ environmentID: EnvironmentID, id: CardThemeID? = nil, name: String, light: CardTheme,
        dark: CardTheme? = nil
    ) async throws -> CardThemeRecord {
        try CardThemeCheck.validate(name: name, light: light, dark: dark)
        let lightJSON = try JSONColumn.text(light)
        let darkJSON = try dark.map { try JSONColumn.text($0) }
        let moment = now()
        return try await database.write { connection in
            let row: SQLRow?
            if let id {
                row = try connection.row(
                    """
                    UPDATE card_themes SET name = ?, light = ?, dark = ?, revision = revision + 1, updated_at = ?
                    WHERE environment_id = ? AND id = ? RETURNING *
                    """,
                    [
                        .text(name), .text(lightJSON), SQLValue(darkJSON), .moment(moment),
                        .id(environmentID),
                        .id(id),
                    ])
                try Self.renewAppearance(environmentID, themeID: id, connection)
            } else {
                row = try connection.row(
                    """
                    INSERT INTO card_themes (environment_id, id, name, light, dark, revision, created_at, updated_at)
                    VALUES (?, ?, ?, ?, ?, 1, ?, ?) RETURNING *
                    """,
                    [
                        .id(environmentID), .text(UUIDv7.make("thm", at: moment)), .text(name),
                        .text(lightJSON), SQLValue(darkJSON), .moment(moment), .moment(moment),
                    ])
            }
            guard let row else { throw Problem.notFound("theme") }
            return try CardThemeRecord(row)
        }
    }

    /// Deletes a theme; containers that used it get Inlay's own look. Throws `not-found`.
    package func delete(_ environmentID: EnvironmentID, _ id: CardThemeID) async throws {
        try await database.write { connection in
            let deleted = try connection.execute(
                "DELETE FROM card_themes WHERE environment_id = ? AND id = ?",
                [.id(environmentID), .id(id)])
            guard deleted == 1 else { throw Problem.notFound("theme") }
            try Self.renewAppearance(environmentID, themeID: id, connection)
            try connection.execute(
                "UPDATE card_containers SET theme_id = NULL WHERE environment_id = ? AND theme_id = ?",
                [.id(environmentID), .id(id)])
        }
    }

    private static func renewAppearance(
        _ environmentID: EnvironmentID, themeID: CardThemeID, _ connection: any SQLConnection
    ) throws {
        try connection.execute(
            """
            UPDATE card_containers SET appearance_version = appearance_version + 1
            WHERE environment_id = ? AND theme_id = ?
            """, [.id(environmentID), .id(themeID)])
    }
}
