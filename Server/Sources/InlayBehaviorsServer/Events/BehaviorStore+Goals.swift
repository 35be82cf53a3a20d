import InlaySQL
package import InlayServerCore
@_spi(Inlay) package import InlayWire

/// The numbers of one goal.
package struct GoalNumbers: Hashable, Sendable {
    package let name: String
    package let completed: Int
    package let abandoned: Int
    /// The number of different users who completed it.
    package let users: Int
}

/// The numbers of one campaign.
package struct CampaignNumbers: Hashable, Sendable {
    package let name: String
    package let sessions: Int
    /// The number of goals completed.
    package let completed: Int
    /// The number of goals abandoned.
    package let abandoned: Int
    /// The number of events of every kind.
    package let events: Int
    /// Completed goals by name, the most frequent first.
    package let goals: [(name: String, count: Int)]

    package static func == (left: Self, right: Self) -> Bool {
        (left.name, left.sessions, left.completed, left.abandoned, left.events)
            == (right.name, right.sessions, right.completed, right.abandoned, right.events)
            && left.goals.elementsEqual(right.goals, by: ==)
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

extension BehaviorStore {
    /// Returns the goals that apps reported in a period, sorted by name; at most 500.
    package func goals(
        _ environmentID: EnvironmentID, from: Timestamp, until: Timestamp
    ) async throws -> [GoalNumbers] {
        try await database.read { connection in
            try connection.rows(
                """
                SELECT name, SUM(CASE WHEN code = 16 THEN 1 ELSE 0 END) AS completed,
                    SUM(CASE WHEN code = 15 THEN 1 ELSE 0 END) AS abandoned,
                    COUNT(DISTINCT CASE WHEN code = 16 THEN user_id END) AS users
                FROM behavior_events WHERE environment_id = ? AND code IN (15, 16)
                    AND happened_at >= ? AND happened_at < ? GROUP BY name ORDER BY name LIMIT 500
                """, [.id(environmentID), .moment(from), .moment(until)]
            ).map {
                GoalNumbers(
                    name: try $0.text("name"), completed: try $0.int("completed"),
                    abandoned: try $0.int("abandoned"), users: try $0.int("users"))
            }
        }
    }

    /// Returns the campaigns of a period, those with the most sessions first; at most 500.
    package func campaigns(
        _ environmentID: EnvironmentID, from: Timestamp, until: Timestamp
    ) async throws -> [CampaignNumbers] {
        let rows = try await database.read { connection in
            try connection.rows(
                """
                SELECT campaign, code, CASE WHEN code = 16 THEN name ELSE '' END AS goal, COUNT(*) AS n
                FROM behavior_events WHERE environment_id = ? AND campaign IS NOT NULL
                    AND happened_at >= ? AND happened_at < ? GROUP BY 1, 2, 3 ORDER BY n DESC LIMIT 20000
                """, [.id(environmentID), .moment(from), .moment(until)])
        }
        let found = try Dictionary(grouping: rows) { try $0.text("campaign") }.map(Self.campaign)
        return Array(found.sorted { ($1.sessions, $0.name) < ($0.sessions, $1.name) }.prefix(500))
    }

    private static func campaign(_ name: String, _ rows: [SQLRow]) throws -> CampaignNumbers {
        func sum(_ code: EventCode) throws -> Int {
            try rows.filter { try $0.int("code") == code.rawValue }.reduce(0) { try $0 + $1.int("n") }
        }
        let goals = try rows.filter { try $0.int("code") == EventCode.goalCompleted.rawValue }
        return CampaignNumbers(
            name: name, sessions: try sum(.sessionStarted), completed: try sum(.goalCompleted),
            abandoned: try sum(.goalAbandoned), events: try rows.reduce(0) { try $0 + $1.int("n") },
            goals: try goals.map { (try $0.text("goal"), try $0.int("n")) })
    }
}
