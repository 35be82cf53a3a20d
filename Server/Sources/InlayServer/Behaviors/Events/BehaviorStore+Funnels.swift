import InlaySQL
import InlayWire

/// A funnel that was kept under a name.
package struct SavedFunnel: Hashable, Sendable, Identifiable {
    package let id: String
    package let name: String
    package let funnel: Funnel
    package let updatedAt: Timestamp
}

extension BehaviorStore {
    /// How far the users of a span of time came. Throws `invalid-value` for steps that cannot be.
    package func funnel(
        _ environmentID: String, _ funnel: Funnel, from: Timestamp, until: Timestamp
    ) async throws -> FunnelResult {
        try funnel.check()
        var filter = BehaviorFilter()
        (filter.from, filter.until) = (from, until)
        var condition = filter.condition(environmentID)
        condition.sql += " AND user_id IS NOT NULL AND ("
        condition.sql += funnel.steps.map { $0.name == nil ? "code = ?" : "(code = ? AND name = ?)" }
            .joined(separator: " OR ")
        condition.sql += ")"
        condition.arguments += funnel.steps.flatMap { step -> [SQLValue] in
            [.int(step.code)] + (step.name.map { [.text($0)] } ?? [])
        }
        return try await database.read { [condition] connection in
            var walk = FunnelWalk(funnel)
            let isWhole = try Self.scan("user_id, code, name", condition, in: connection) { row in
                walk.take(
                    try row.text("user_id"), code: try row.int("code"), name: try row.text("name"),
                    at: try row.int64("happened_at"))
            }
            return FunnelResult(users: walk.users, isPartial: !isWhole)
        }
    }

    /// Keeps a funnel; with the id of another in its place.
    @discardableResult
    package func saveFunnel(
        _ environmentID: String, id: String? = nil, name: String, _ funnel: Funnel
    ) async throws -> SavedFunnel {
        try funnel.check()
        let saved = SavedFunnel(
            id: try Limits.id(id ?? Secret.id("fun_"), "id"), name: try Limits.name(name), funnel: funnel,
            updatedAt: now())
        let text = try CardJSON.text(funnel)
        _ = try await database.write {
            try $0.execute(
                """
                INSERT INTO behavior_funnels (environment_id, id, name, definition, created_at, updated_at)
                VALUES (?, ?, ?, ?, ?, ?)
                ON CONFLICT (environment_id, id) DO UPDATE SET name = excluded.name,
                    definition = excluded.definition, updated_at = excluded.updated_at
                """,
                [
                    .text(environmentID), .text(saved.id), .text(saved.name), .text(text),
                    .moment(saved.updatedAt), .moment(saved.updatedAt),
                ])
        }
        return saved
    }

    /// The kept funnels by name.
    package func funnels(_ environmentID: String) async throws -> [SavedFunnel] {
        try await database.read {
            try $0.rows(
                "SELECT * FROM behavior_funnels WHERE environment_id = ? ORDER BY name, id LIMIT 500",
                [.text(environmentID)]
            ).map {
                SavedFunnel(
                    id: try $0.text("id"), name: try $0.text("name"),
                    funnel: try CardJSON.value(try $0.text("definition")),
                    updatedAt: try $0.moment("updated_at"))
            }
        }
    }

    /// Forgets a kept funnel.
    package func removeFunnel(_ environmentID: String, _ id: String) async throws {
        let removed = try await database.write {
            try $0.execute(
                "DELETE FROM behavior_funnels WHERE environment_id = ? AND id = ?",
                [.text(environmentID), .text(id)])
        }
        guard removed == 1 else { throw Problem.notFound("funnel") }
    }
}
