import InlaySQL
package import InlayServerCore
@_spi(Inlay) package import InlayWire

/// The id of a ``SavedFunnel``; unique in its environment.
package struct FunnelID: RecordID {
    package let rawValue: String

    package init(verified rawValue: String) { self.rawValue = rawValue }
}

/// A funnel that was saved under a name.
package struct SavedFunnel: Hashable, Sendable, Identifiable {
    package let id: FunnelID
    package let name: String
    package let funnel: Funnel
    package let updatedAt: Timestamp
}

extension BehaviorStore {
    /// Returns how many users reached each step in a period. Throws `invalid-value` for invalid steps.
    package func funnel(
        _ environmentID: EnvironmentID, _ funnel: Funnel, from: Timestamp, until: Timestamp
    ) async throws -> FunnelResult {
        try funnel.check()
        var filter = BehaviorFilter()
        (filter.from, filter.until) = (from, until)
        var condition = filter.condition(environmentID)
        condition.sql += " AND user_id IS NOT NULL AND ("
        let steps = funnel.steps.map { $0.filter.condition(environmentID) }
        condition.sql += steps.map { "(\($0.sql))" }.joined(separator: " OR ") + ")"
        condition.arguments += steps.flatMap(\.arguments)
        let readsAttributes = funnel.steps.contains { $0.attribute != nil }
        let columns = readsAttributes ? "user_id, code, name, attributes" : "user_id, code, name"
        return try await database.read { [condition] connection in
            var progress = FunnelProgress(funnel)
            let isWhole = try Self.scan(columns, condition, in: connection) { row in
                let event = Funnel.Event(
                    code: try row.int("code"), name: try row.text("name"),
                    attributes: readsAttributes ? AttributeText.pairs(try row.text("attributes")) : [])
                progress.process(try row.id("user_id"), event, at: try row.int64("happened_at"))
            }
            return FunnelResult(users: progress.users, isPartial: !isWhole)
        }
    }

    /// Saves a funnel. With the id of a saved funnel it replaces that one.
    @discardableResult
    package func saveFunnel(
        _ environmentID: EnvironmentID, id: FunnelID? = nil, name: String, _ funnel: Funnel
    ) async throws -> SavedFunnel {
        try funnel.check()
        let saved = SavedFunnel(
            id: try Limits.id(id ?? FunnelID(Secret.id("fun_")), "id"), name: try Limits.name(name),
            funnel: funnel,
            updatedAt: now())
        let text = try JSONColumn.text(funnel)
        _ = try await database.write {
            try $0.execute(
                """
                INSERT INTO behavior_funnels (environment_id, id, name, definition, created_at, updated_at)
                VALUES (?, ?, ?, ?, ?, ?)
                ON CONFLICT (environment_id, id) DO UPDATE SET name = excluded.name,
                    definition = excluded.definition, updated_at = excluded.updated_at
                """,
                [
                    .id(environmentID), .id(saved.id), .text(saved.name), .text(text),
                    .moment(saved.updatedAt), .moment(saved.updatedAt),
                ])
        }
        return saved
    }

    /// Returns the saved funnels, sorted by name; at most 500.
    package func funnels(_ environmentID: EnvironmentID) async throws -> [SavedFunnel] {
        try await database.read {
            try $0.rows(
                "SELECT * FROM behavior_funnels WHERE environment_id = ? ORDER BY name, id LIMIT 500",
                [.id(environmentID)]
            ).map {
                SavedFunnel(
                    id: try $0.id("id"), name: try $0.text("name"),
                    funnel: try JSONColumn.value(try $0.text("definition")),
                    updatedAt: try $0.moment("updated_at"))
            }
        }
    }

    /// Returns a saved funnel; `nil` when there is none with this id.
    package func funnel(_ environmentID: EnvironmentID, _ id: FunnelID) async throws -> SavedFunnel? {
        try await funnels(environmentID).first { $0.id == id }
    }

    /// Deletes a saved funnel. Throws `not-found` when there is none.
    package func removeFunnel(_ environmentID: EnvironmentID, _ id: FunnelID) async throws {
        try await database.changeOne(
            "funnel", "DELETE FROM behavior_funnels WHERE environment_id = ? AND id = ?",
            [.id(environmentID), .id(id)])
    }
}
