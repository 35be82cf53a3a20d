import Foundation
import InlaySQL
import InlayWire

/// The users of each environment.
package struct UserStore: Sendable {
    let database: any SQLDatabase
    let now: @Sendable () -> Timestamp
    let seen = SeenUsers()

    /// One user, or `nil`.
    package func user(_ environmentID: String, _ id: String) async throws -> User? {
        try await database.read {
            try $0.row(
                "SELECT * FROM users WHERE environment_id = ? AND id = ?", [.text(environmentID), .text(id)]
            ).map(User.init)
        }
    }

    /// A page of users in the order of their ids, from after the given one. At most 500.
    ///
    /// `search` keeps those whose id begins with it.
    package func users(
        _ environmentID: String, after: String = "", search: String = "", limit: Int = 50
    ) async throws -> [User] {
        try await database.read {
            try $0.rows(
                "SELECT * FROM users WHERE environment_id = ? AND id > ? AND id LIKE ? ESCAPE '!' ORDER BY id LIMIT ?",
                [
                    .text(environmentID), .text(after), .beginning(with: search),
                    .int(min(max(limit, 1), 500)),
                ]
            ).map(User.init)
        }
    }

    /// How many users are known.
    package func count(_ environmentID: String) async throws -> Int {
        try await database.read {
            try $0.row("SELECT COUNT(*) AS n FROM users WHERE environment_id = ?", [.text(environmentID)])?
                .int("n") ?? 0
        }
    }

    /// Sets a user's profile, in place of what was known; makes the user when it is new.
    ///
    /// Throws `invalid-value` for an id, field name or value outside its limits.
    package func put(_ environmentID: String, _ id: String, _ profile: UserProfile) async throws {
        try check(id, profile)
        let moment = now().microseconds
        let row = try ProfileRow(profile)
        _ = try await database.write { connection in
            try connection.execute(Self.upsert, row.arguments(environmentID, id, moment))
            try connection.execute(
                "DELETE FROM user_fields WHERE environment_id = ? AND user_id = ?",
                [.text(environmentID), .text(id)])
            for (name, value) in profile.values.sorted(by: { $0.key < $1.key }) {
                try connection.execute(
                    "INSERT INTO user_fields (environment_id, name, value, user_id) VALUES (?, ?, ?, ?)",
                    [.text(environmentID), .text(name), .text(value.text), .text(id)])
            }
        }
    }

    /// A page of the ids that a target means, in order, from after the given one. At most 5,000.
    ///
    /// For `users` that are not known yet, call ``ensure(_:_:in:)`` first.
    package func ids(
        _ environmentID: String, _ target: UserTarget, after: String = "", limit: Int = 1000
    ) async throws -> [String] {
        try await database.read { try Self.ids(environmentID, target, after: after, limit: limit, in: $0) }
    }

    /// The same within a transaction of the caller. Returns nobody for a segment, whose users ``UserSegments`` finds.
    package static func ids(
        _ environmentID: String, _ target: UserTarget, after: String, limit: Int,
        in connection: any SQLConnection
    ) throws -> [String] {
        let limit = min(max(limit, 1), 5000)
        switch target {
        case .users(let ids):
            return Array(Set(ids).filter { $0 > after }.sorted().prefix(limit))
        case .segment: return []
        case .all:
            return try connection.rows(
                "SELECT id FROM users WHERE environment_id = ? AND id > ? ORDER BY id LIMIT ?",
                [.text(environmentID), .text(after), .int(limit)]
            ).map { try $0.text("id") }
        case .profile(let field, let value):
            return try connection.rows(
                """
                SELECT user_id FROM user_fields WHERE environment_id = ? AND name = ? AND value = ? AND user_id > ?
                ORDER BY user_id LIMIT ?
                """,
                [.text(environmentID), .text(field), .text(value), .text(after), .int(limit)]
            ).map { try $0.text("user_id") }
        }
    }

    /// Makes the users that are not known yet, within a transaction of the caller.
    package static func ensure(
        _ environmentID: String, _ ids: [String], at moment: Timestamp, in connection: any SQLConnection
    ) throws {
        // In order, so that two nodes with the same new users never wait for each other.
        let ids = Set(ids).sorted()
        for start in stride(from: 0, to: ids.count, by: SQLRows.maximumRows) {
            let some = ids[start..<min(start + SQLRows.maximumRows, ids.count)]
            let rows = SQLRows.padded(some.map { [.text($0)] })
            try connection.execute(
                """
                WITH \(SQLRows.table("w", ["id"], rows.count))
                INSERT INTO users (environment_id, id, fields, created_at, updated_at)
                SELECT ?, w.id, '{}', ?, ? FROM w WHERE w.id <> '' ON CONFLICT (environment_id, id) DO NOTHING
                """,
                rows.values + [
                    .text(environmentID), .integer(moment.microseconds), .integer(moment.microseconds),
                ])
        }
    }

    private func check(_ id: String, _ profile: UserProfile) throws {
        guard Limits.userID(id) else { throw Problem.invalidValue("id", "1 to 128 characters.") }
        let custom = profile.values.keys.filter { !UserProfile.fixedFields.contains($0) }
        guard custom.count <= UserProfile.mostCustomFields else {
            throw Problem.invalidValue("fields", "At most \(UserProfile.mostCustomFields) custom fields.")
        }
        for (name, value) in profile.values {
            _ = try Limits.id(name, "the field name")
            guard value.text.utf8.count <= UserProfile.longestValue else {
                throw Problem.invalidValue(name, "At most \(UserProfile.longestValue) bytes of UTF-8.")
            }
            if UserProfile.fixedFields.contains(name), case .date = value {
                throw Problem.invalidValue(name, "This field is a text.")
            }
        }
    }

    private static let upsert = """
        INSERT INTO users (environment_id, id, name, email, phone, city, region, country, external_id, fields,
            created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (environment_id, id) DO UPDATE SET name = excluded.name, email = excluded.email,
            phone = excluded.phone, city = excluded.city, region = excluded.region, country = excluded.country,
            external_id = excluded.external_id, fields = excluded.fields, updated_at = excluded.updated_at
        """
}
