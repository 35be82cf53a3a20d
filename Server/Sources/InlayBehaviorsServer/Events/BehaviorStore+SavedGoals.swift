import InlaySQL
package import InlayServerCore
@_spi(Inlay) package import InlayWire

/// The id of a ``SavedGoal``; unique in its environment.
package struct GoalID: RecordID {
    package let rawValue: String

    package init(verified rawValue: String) { self.rawValue = rawValue }
}

/// A goal that the team defined: an event of the app by which users reach it.
package struct SavedGoal: Hashable, Sendable, Identifiable {
    package let id: GoalID
    package let name: String
    /// The event that reaches the goal.
    package let step: Funnel.Step
}

extension BehaviorStore {
    /// Saves a goal. With the id of a saved goal it replaces that one. Throws `invalid-value` for an invalid name.
    @discardableResult
    package func saveGoal(
        _ environmentID: EnvironmentID, id: GoalID? = nil, name: String, _ step: Funnel.Step
    ) async throws -> SavedGoal {
        try Funnel(steps: [step], window: .seconds(1)).check()
        let saved = SavedGoal(
            id: try Limits.id(id ?? GoalID(Secret.id("goal_")), "id"), name: try Limits.name(name), step: step
        )
        let text = try JSONColumn.text(step)
        let moment = now()
        _ = try await database.write {
            try $0.execute(
                """
                INSERT INTO behavior_goals (environment_id, id, name, definition, created_at, updated_at)
                VALUES (?, ?, ?, ?, ?, ?)
                ON CONFLICT (environment_id, id) DO UPDATE SET name = excluded.name,
                    definition = excluded.definition, updated_at = excluded.updated_at
                """,
                [
                    .id(environmentID), .id(saved.id), .text(saved.name), .text(text), .moment(moment),
                    .moment(moment),
                ])
        }
        return saved
    }

    /// Returns the saved goals, sorted by name; at most 500.
    package func savedGoals(_ environmentID: EnvironmentID) async throws -> [SavedGoal] {
        try await database.read {
            try $0.rows(
                "SELECT * FROM behavior_goals WHERE environment_id = ? ORDER BY name, id LIMIT 500",
                [.id(environmentID)]
            ).map {
                SavedGoal(
                    id: try $0.id("id"), name: try $0.text("name"),
                    step: try JSONColumn.value(try $0.text("definition")))
            }
        }
    }

    /// Returns a saved goal; `nil` when there is none with this id.
    package func savedGoal(_ environmentID: EnvironmentID, _ id: GoalID) async throws -> SavedGoal? {
        try await savedGoals(environmentID).first { $0.id == id }
    }

    /// Deletes a saved goal; the events that reached it stay. Throws `not-found` when there is none.
    package func removeGoal(_ environmentID: EnvironmentID, _ id: GoalID) async throws {
        try await database.changeOne(
            "goal", "DELETE FROM behavior_goals WHERE environment_id = ? AND id = ?",
            [.id(environmentID), .id(id)])
    }

    /// Returns the number of times a saved goal was reached in a period, and the number of users.
    ///
    /// For a goal on code 16 (goal completed), the events with code 15 and the same name count as abandoned.
    package func numbers(
        _ environmentID: EnvironmentID, of goal: SavedGoal, from: Timestamp, until: Timestamp
    ) async throws -> GoalNumbers {
        var filter = goal.step.filter
        (filter.from, filter.until) = (from, until)
        let reached = filter.condition(environmentID)
        let hasAbandoned = filter.code == EventCode.goalCompleted.rawValue
        filter.code = EventCode.goalAbandoned.rawValue
        let left = filter.condition(environmentID)
        let name = goal.name
        return try await database.read { connection in
            let row = try connection.row(
                "SELECT COUNT(*) AS n, COUNT(DISTINCT user_id) AS users FROM behavior_events WHERE \(reached.sql)",
                reached.arguments)
            let abandoned =
                hasAbandoned
                ? try connection.row(
                    "SELECT COUNT(*) AS n FROM behavior_events WHERE \(left.sql)", left.arguments) : nil
            return GoalNumbers(
                name: name, completed: try row?.int("n") ?? 0, abandoned: try abandoned?.int("n") ?? 0,
                users: try row?.int("users") ?? 0)
        }
    }

    /// Returns the events of a period grouped by code and name, the most frequent first; at most 500.
    package func eventNames(
        _ environmentID: EnvironmentID, from: Timestamp, until: Timestamp
    ) async throws -> [(code: Int, name: String, count: Int)] {
        try await database.read { connection in
            try connection.rows(
                """
                SELECT code, name, COUNT(*) AS n FROM behavior_events
                WHERE environment_id = ? AND happened_at >= ? AND happened_at < ?
                GROUP BY code, name ORDER BY n DESC, code, name LIMIT 500
                """, [.id(environmentID), .moment(from), .moment(until)]
            ).map { (try $0.int("code"), try $0.text("name"), try $0.int("n")) }
        }
    }
}
