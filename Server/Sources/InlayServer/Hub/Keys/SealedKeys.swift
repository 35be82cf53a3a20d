import Foundation
import InlaySQL
import InlayWire

/// The private keys in the database that are still of use: of content, and of the ad exchange.
package struct SealedKeys: Sendable {
    /// How many, of each kind.
    package struct Count: Equatable, Sendable {
        /// Of content sources.
        package var content = 0
        /// Of the ad exchange.
        package var ads = 0

        /// Together.
        package var all: Int { content + ads }
    }

    private struct Key: Sendable {
        let isContent: Bool
        let names: [SQLValue]
        let place: String
        let sealed: Data
    }

    private let database: any SQLDatabase
    private let box: HubSecretBox
    private let now: @Sendable () -> Timestamp

    init(database: any SQLDatabase, box: HubSecretBox, now: @escaping @Sendable () -> Timestamp) {
        self.database = database
        self.box = box
        self.now = now
    }

    /// All of them, whatever the content secret is.
    package func all() async throws -> Count { Self.count(try await keys()) }

    /// All of them, and those that the content secret does not open.
    ///
    /// A file that holds no secret at all, or cannot be read, throws ``ConfigurationError``.
    package func count() async throws -> (all: Count, shut: Count) {
        let keys = try await keys()
        return (Self.count(keys), Self.count(try shut(keys)))
    }

    /// Takes what the content secret does not open out of the database, for good.
    ///
    /// Content keys are left as if they were kept in files; the exchange makes new keys, and what was signed with
    /// the old ones is refused from now on.
    package func giveUp() async throws -> Count {
        let keys = try shut(try await keys()), moment = now()
        try await database.write { connection in
            for key in keys where key.isContent {
                try connection.execute(
                    """
                    UPDATE hub_keys SET sealed = NULL
                    WHERE environment_id = ? AND source_id = ? AND role = ? AND key_id = ?
                    """, key.names)
            }
            for key in keys where !key.isContent {
                try connection.execute(
                    "UPDATE ad_keys SET retires_at = ?, ends_at = ? WHERE environment_id = ? AND id = ?",
                    [.moment(moment), .moment(moment)] + key.names)
            }
        }
        return Self.count(keys)
    }

    private func keys() async throws -> [Key] {
        let moment = now()
        return try await database.read { connection in
            let content = try connection.rows(
                "SELECT environment_id, source_id, role, key_id, sealed FROM hub_keys WHERE sealed IS NOT NULL"
            )
            let ads = try connection.rows(
                "SELECT environment_id, id, sealed FROM ad_keys WHERE ends_at > ?", [.moment(moment)])
            return try content.map(Self.contentKey) + ads.map(Self.adKey)
        }
    }

    private static func contentKey(_ row: SQLRow) throws -> Key {
        let (environment, source) = (try row.text("environment_id"), try row.text("source_id"))
        let id = try row.text("key_id")
        return Key(
            isContent: true,
            names: [.text(environment), .text(source), .text(try row.text("role")), .text(id)],
            place: HubKeyStore.place(environment, source, id), sealed: try row.blob("sealed"))
    }

    private static func adKey(_ row: SQLRow) throws -> Key {
        let (environment, id) = (try row.text("environment_id"), try row.text("id"))
        return Key(
            isContent: false, names: [.text(environment), .text(id)],
            place: AdKeyStore.place(environment, id), sealed: try row.blob("sealed"))
    }

    private func shut(_ keys: [Key]) throws -> [Key] {
        if box.lacksSecret { return keys }
        return try keys.filter { key in
            do {
                _ = try box.unseal(key.sealed, for: key.place)
                return false
            } catch is Problem {
                return true
            }
        }
    }

    private static func count(_ keys: [Key]) -> Count {
        let content = keys.count(where: \.isContent)
        return Count(content: content, ads: keys.count - content)
    }
}
