import Foundation
import GRDB
package import InlayCore

/// The users of the hub on this device, and the tags that say what each is interested in.
///
/// These are profiles, not accounts: an id is kept as it was given, is sent only in reading metrics, and must not name
/// a person. Profiles outlive log-out, so that a returning user finds the hub as it was; `remove` deletes one. Exactly
/// one user is active once one was made so.
public final class HubUsers: Sendable {
    /// The maximum length of an id, in UTF-8 bytes.
    public static let maximumIDLength = 512
    /// The maximum length of a tag, in UTF-8 bytes.
    public static let maximumTagLength = 256
    /// The maximum number of tags of a user; the tags with the lowest counts go first.
    public static let maximumTags = 1000

    private let database: HubDatabase

    init(_ database: HubDatabase) { self.database = database }

    /// Returns a new random id that reveals nothing about user or device. Neither creates nor activates a user.
    public static func makeID() -> String { UUID().uuidString.lowercased() }

    /// Creates a user; the tags set up what the user sees first. Does not make the user active.
    ///
    /// - Throws: `userExists` when the id is taken; that user's tags stay as they are.
    public func create(_ id: String, tags: [String] = []) throws(HubError) {
        try Self.check(id, "A user's id", maximum: Self.maximumIDLength)
        for tag in tags { try Self.check(tag, "A tag", maximum: Self.maximumTagLength) }
        try database.write { database in
            guard try Self.number(of: id, in: database) == nil else { throw HubError.userExists(id) }
            try database.execute(
                sql: "INSERT INTO hub_user (id, is_active) VALUES (?, 0)", arguments: [Data(id.utf8)])
            let number = database.lastInsertedRowID
            var known: Set<Data> = []
            for tag in tags where known.insert(Data(tag.utf8)).inserted {
                try Self.set(HubTag(tag), 1, user: number, in: database)
            }
        }
    }

    /// The id of the active user; `nil` before any was made active.
    public var active: String? {
        get throws(HubError) {
            try database.read { database in
                try Data.fetchOne(database, sql: "SELECT id FROM hub_user WHERE is_active = 1").map(Self.text)
            }
        }
    }

    /// Makes a created user the active one, from now on.
    public func setActive(_ id: String) throws(HubError) {
        try database.write { database in
            let number = try Self.known(id, in: database)
            try database.execute(sql: "UPDATE hub_user SET is_active = (number = ?)", arguments: [number])
        }
    }

    /// The ids of all users, in the order in which they were created.
    public var all: [String] {
        get throws(HubError) {
            try database.read { database in
                try Data.fetchAll(database, sql: "SELECT id FROM hub_user ORDER BY number").map(Self.text)
            }
        }
    }

    /// Returns every tag of a user, given at the start or earned by reading, in the order in which they came.
    public func tags(of id: String) throws(HubError) -> [String] {
        try database.read { database in
            let number = try Self.known(id, in: database)
            return try Data.fetchAll(
                database, sql: "SELECT tag FROM hub_tag WHERE user = ? ORDER BY number", arguments: [number]
            ).map(Self.text)
        }
    }

    /// Returns the number of times that a user met each tag.
    package func tagCounts(of id: String) throws(HubError) -> HubTagCounts {
        try database.read { database in
            try Self.counts(of: try Self.known(id, in: database), in: database)
        }
    }

    /// Adds to a user's counts, or takes away from them, as `HubTagCounts.add(_:)` says.
    public func updateTagCounts(_ changes: [String: Int], of id: String) throws(HubError) {
        for tag in changes.keys { try Self.check(tag, "A tag", maximum: Self.maximumTagLength) }
        try database.write { database in
            let number = try Self.known(id, in: database)
            let tags = Dictionary(uniqueKeysWithValues: changes.map { (HubTag($0.key), $0.value) })
            try Self.add(tags, user: number, in: database)
        }
    }

    /// Deletes a user with all tags. When it was the active one, nobody is active.
    public func remove(_ id: String) throws(HubError) {
        try database.write { database in
            try database.execute(
                sql: "DELETE FROM hub_user WHERE number = ?", arguments: [try Self.known(id, in: database)])
        }
    }

    /// Counts the tags of an item that the active user read; does nothing without an active user.
    func incrementTagCounts(_ tags: [String]) throws(HubError) {
        // Tags come from the publisher; those that no list could hold are left out.
        let usable = tags.filter { (1...Self.maximumTagLength).contains($0.utf8.count) }
        guard !usable.isEmpty else { return }
        try database.write { database in
            let active = try Int64.fetchOne(database, sql: "SELECT number FROM hub_user WHERE is_active = 1")
            guard let active else { return }
            try Self.add(HubTagCounts(tags: usable).counts, user: active, in: database)
        }
    }

    /// The active user's counts; empty while nobody is active.
    var activeCounts: HubTagCounts {
        get throws(HubError) {
            try database.read { database in
                let active = try Int64.fetchOne(
                    database, sql: "SELECT number FROM hub_user WHERE is_active = 1")
                return try active.map { try Self.counts(of: $0, in: database) } ?? HubTagCounts()
            }
        }
    }
}

// MARK: - SQL

// Ids and tags are kept as bytes: two texts that only look alike are two users and two tags.
extension HubUsers {
    private static func check(_ text: String, _ what: String, maximum: Int) throws(HubError) {
        guard (1...maximum).contains(text.utf8.count) else {
            throw .invalidArgument("\(what) has 1 to \(maximum) bytes, not \(text.utf8.count).")
        }
    }

    private static func text(_ data: Data) -> String { String(decoding: data, as: UTF8.self) }

    private static func number(of id: String, in database: Database) throws -> Int64? {
        try Int64.fetchOne(
            database, sql: "SELECT number FROM hub_user WHERE id = ?", arguments: [Data(id.utf8)])
    }

    private static func known(_ id: String, in database: Database) throws -> Int64 {
        guard let number = try number(of: id, in: database) else { throw HubError.unknownUser(id) }
        return number
    }

    private static func counts(of user: Int64, in database: Database) throws -> HubTagCounts {
        let rows = try Row.fetchAll(
            database, sql: "SELECT tag, count FROM hub_tag WHERE user = ?", arguments: [user])
        return HubTagCounts(
            Dictionary(uniqueKeysWithValues: rows.map { (HubTag(bytes: $0[0] as Data), $0[1] as Int) }))
    }

    private static func set(_ tag: HubTag, _ count: Int, user: Int64, in database: Database) throws {
        try database.execute(
            sql: """
                INSERT INTO hub_tag (user, tag, count) VALUES (?, ?, ?)
                ON CONFLICT (user, tag) DO UPDATE SET count = excluded.count
                """, arguments: [user, Data(tag.bytes), count])
    }

    private static func add(_ changes: [HubTag: Int], user: Int64, in database: Database) throws {
        var counts = try counts(of: user, in: database)
        counts.add(changes)
        // In the order of their bytes: the same changes always leave the same list.
        for tag in changes.keys.sorted(by: { $0.bytes.lexicographicallyPrecedes($1.bytes) }) {
            if counts[tag] > 0 {
                try set(tag, counts[tag], user: user, in: database)
            } else {
                try database.execute(
                    sql: "DELETE FROM hub_tag WHERE user = ? AND tag = ?", arguments: [user, Data(tag.bytes)])
            }
        }
        try database.execute(
            sql: """
                DELETE FROM hub_tag WHERE user = ?1 AND number NOT IN (
                    SELECT number FROM hub_tag WHERE user = ?1 ORDER BY count DESC, number LIMIT ?2)
                """, arguments: [user, maximumTags])
    }
}

extension HubUsers {
    /// The users of an environment, for a facade whose calls come before there is a session.
    package convenience init(_ configuration: SessionConfiguration) {
        self.init(HubDatabase(HubFolders(configuration).database))
    }
}
