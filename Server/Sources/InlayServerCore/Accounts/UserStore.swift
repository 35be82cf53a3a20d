import Foundation
package import InlaySQL
@_spi(Inlay) package import InlayWire

/// The users of each environment.
package struct UserStore: Sendable {
    let database: any SQLDatabase
    let now: @Sendable () -> Timestamp
    let seen = SeenUsers()

    /// Returns a user, or `nil` when there is none with this id.
    package func user(_ environmentID: EnvironmentID, _ id: UserID) async throws -> User? {
        try await database.read {
            try $0.row(
                "SELECT * FROM users WHERE environment_id = ? AND id = ?", [.id(environmentID), .id(id)]
            ).map(User.init)
        }
    }

    /// Returns a page of users in the order of their ids, after the given one. At most 500.
    ///
    /// With `search`, only users whose ids begin with it.
    package func users(
        _ environmentID: EnvironmentID, after: UserID = .beforeAll, search: String = "", limit: Int = 50
    ) async throws -> [User] {
        try await database.forAnalytics.read {
            try $0.rows(
                "SELECT * FROM users WHERE environment_id = ? AND id > ? AND id LIKE ? ESCAPE '!' ORDER BY id LIMIT ?",
                [
                    .id(environmentID), .id(after), .beginning(with: search),
                    .int(min(max(limit, 1), 500)),
                ]
            ).map(User.init)
        }
    }

    /// Returns the number of known users.
    package func count(_ environmentID: EnvironmentID) async throws -> Int {
        try await database.forAnalytics.read {
            try $0.row("SELECT COUNT(*) AS n FROM users WHERE environment_id = ?", [.id(environmentID)])?
                .int("n") ?? 0
        }
    }

    /// Replaces a user's profile; creates the user if needed.
    ///
    /// Throws `invalid-value` for an id, field name or value outside its limits.
    package func put(_ environmentID: EnvironmentID, _ id: UserID, _ profile: UserProfile) async throws {
        try check(id, profile)
        let moment = now().microseconds
        let row = try ProfileRow(profile, of: id, environmentID, at: moment)
        _ = try await database.write { connection in
            try ProfileRow.columns.insert(row, in: connection)
            try connection.execute(
                "DELETE FROM user_fields WHERE environment_id = ? AND user_id = ?",
                [.id(environmentID), .id(id)])
            for (name, value) in profile.values.sorted(by: { $0.key < $1.key }) {
                try connection.execute(
                    "INSERT INTO user_fields (environment_id, name, value, user_id) VALUES (?, ?, ?, ?)",
                    [.id(environmentID), .text(name), .text(value.text), .id(id)])
            }
        }
    }

    /// Returns a page of the ids of a target's users, in order, after the given one. At most 5,000.
    ///
    /// For users that may not exist yet, call ``ensure(_:_:at:in:)`` first.
    package func ids(
        _ environmentID: EnvironmentID, _ target: UserTarget, after: UserID = .beforeAll, limit: Int = 1000
    ) async throws -> [UserID] {
        try await database.read { try Self.ids(environmentID, target, after: after, limit: limit, in: $0) }
    }

    /// The same within a transaction of the caller. Returns no user for a segment: see ``UserSegments``.
    package static func ids(
        _ environmentID: EnvironmentID, _ target: UserTarget, after: UserID, limit: Int,
        in connection: any SQLConnection
    ) throws -> [UserID] {
        let limit = min(max(limit, 1), 5000)
        switch target {
        case .users(let ids):
            return Array(Set(ids).filter { $0 > after }.sorted().prefix(limit))
        case .segment: return []
        case .all:
            return try connection.rows(
                "SELECT id FROM users WHERE environment_id = ? AND id > ? ORDER BY id LIMIT ?",
                [.id(environmentID), .id(after), .int(limit)]
            ).map { try $0.id("id") }
        case .profile(let field, let value):
            return try connection.rows(
                """
                SELECT user_id FROM user_fields WHERE environment_id = ? AND name = ? AND value = ? AND user_id > ?
                ORDER BY user_id LIMIT ?
                """,
                [.id(environmentID), .text(field), .text(value), .id(after), .int(limit)]
            ).map { try $0.id("user_id") }
        }
    }

    /// Creates the users that do not exist yet, within a transaction of the caller.
    package static func ensure(
        _ environmentID: EnvironmentID, _ ids: [UserID], at moment: Timestamp,
        in connection: any SQLConnection
    ) throws {
        // Sorted, so that two nodes with the same new users never deadlock.
        for some in SQLRows.batches(Set(ids).sorted()) {
            let rows = SQLRows.padded(some.map { [.id($0)] })
            try connection.execute(
                """
                WITH \(SQLRows.table("w", ["id"], rows.count))
                INSERT INTO users (environment_id, id, fields, created_at, updated_at)
                SELECT ?, w.id, '{}', ?, ? FROM w WHERE w.id <> '' ON CONFLICT (environment_id, id) DO NOTHING
                """,
                rows.values + [
                    .id(environmentID), .integer(moment.microseconds), .integer(moment.microseconds),
                ])
        }
    }

    private func check(_ id: UserID, _ profile: UserProfile) throws {
        guard IDRule.admits(id.rawValue) else {
            throw Problem.invalidValue("id", "1 to 128 characters, without control characters.")
        }
        let custom = profile.values.keys.filter { !UserProfile.fixedFields.contains($0) }
        guard custom.count <= UserProfile.maximumCustomFields else {
            throw Problem.invalidValue("fields", "At most \(UserProfile.maximumCustomFields) custom fields.")
        }
        for (name, value) in profile.values {
            _ = try Limits.id(name, "the field name")
            guard value.text.utf8.count <= UserProfile.maximumValueLength else {
                throw Problem.invalidValue(name, "At most \(UserProfile.maximumValueLength) bytes of UTF-8.")
            }
            if UserProfile.fixedFields.contains(name), case .date = value {
                throw Problem.invalidValue(name, "This field is a text.")
            }
        }
    }
}
