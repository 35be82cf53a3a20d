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
        let steps = funnel.steps.map { $0.filter.condition(environmentID) }
        condition.sql += steps.map { "(\($0.sql))" }.joined(separator: " OR ") + ")"
        condition.arguments += steps.flatMap(\.arguments)
        let readsAttributes = funnel.steps.contains { $0.attribute != nil }
        let columns = readsAttributes ? "user_id, code, name, attributes" : "user_id, code, name"
        return try await database.forAnalytics.read { [condition] connection in
            var walk = FunnelWalk(funnel)
            let isWhole = try Self.scan(columns, condition, in: connection) { row in
                let event = Funnel.Event(
                    code: try row.int("code"), name: try row.text("name"),
                    attributes: readsAttributes ? AttributeText.pairs(try row.text("attributes")) : [])
                walk.take(try row.text("user_id"), event, at: try row.int64("happened_at"))
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
        try await database.forAnalytics.read {
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

    /// A kept funnel, or `nil`.
    package func funnel(_ environmentID: String, _ id: String) async throws -> SavedFunnel? {
        try await funnels(environmentID).first { $0.id == id }
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
