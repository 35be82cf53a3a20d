package import InlaySQL
import InlayServerCore
@_spi(Inlay) package import InlayWire

/// A copy of the newer roots and keys of content sources from a database into an older copy of this database.
///
/// The versions of roots increase by one, and a device requests the root after the newest that it trusts. A database
/// copy from before a change of keys lacks the newer roots and their keys, and devices would refuse everything that it
/// signs. Therefore the roots, the keys and the current metadata are copied; ``HubSourceJobs`` then signs the content
/// of the older copy with these keys, and with higher versions than devices have seen.
package struct HubKeyCarryOver: Sendable {
    /// A content source, by its environment and its id.
    struct SourceKey: Hashable, Sendable, Comparable {
        let environmentID: EnvironmentID
        let sourceID: HubSourceID

        /// The name in messages.
        var name: String { "\(environmentID)/\(sourceID)" }

        var values: [SQLValue] { [.id(environmentID), .id(sourceID)] }

        static func < (left: Self, right: Self) -> Bool {
            (left.environmentID, left.sourceID) < (right.environmentID, right.sourceID)
        }
    }

    /// A source whose devices would refuse the older copy, and the reason.
    struct Loss: Hashable, Sendable {
        let place: SourceKey
        let reason: String
    }

    /// A source in the newer database.
    private struct Source: Sendable {
        let place: SourceKey
        let rootVersion: Int64
        let timestampVersion: Int64
        let metadata: [SQLRow]
        let keys: [SQLRow]

        /// Returns the bytes of the roots, beginning with the first root.
        func roots() throws -> [[UInt8]] { try HubKeyCarryOver.roots(metadata) }
    }

    private let sources: [Source]

    /// Creates an empty carry-over, for a database without content sources.
    init() { sources = [] }

    /// Reads the content sources with keys of the newer database.
    init(from newer: any SQLConnection) throws {
        sources = try newer.rows(
            "SELECT * FROM hub_sources WHERE root_version > 0 ORDER BY environment_id, id"
        ).map { row in
            let place = SourceKey(
                environmentID: try row.id("environment_id"), sourceID: try row.id("id"))
            return Source(
                place: place, rootVersion: try row.int64("root_version"),
                timestampVersion: try row.int64("timestamp_version"),
                metadata: try Self.metadata(place, newer),
                keys: try newer.rows(
                    "SELECT * FROM hub_keys WHERE environment_id = ? AND source_id = ?", place.values))
        }
    }

    /// The losses when the older copy has no content sources.
    var allLost: [Loss] { sources.map { Loss(place: $0.place, reason: Self.createdLater) } }

    private static let createdLater = "it was made after the backup"

    /// Writes the newer roots and keys into the older copy. Returns the sources whose keys changed, and the sources
    /// whose devices would refuse the copy.
    func apply(to copy: any SQLConnection) throws -> (carried: [SourceKey], lost: [Loss]) {
        var (carried, lost): ([SourceKey], [Loss]) = ([], [])
        for source in sources {
            let row = try copy.row(
                "SELECT root_version FROM hub_sources WHERE environment_id = ? AND id = ?",
                source.place.values)
            guard let row else {
                lost.append(Loss(place: source.place, reason: Self.createdLater))
                continue
            }
            let known = try Self.roots(try Self.metadata(source.place, copy))
            guard zip(known, try source.roots()).allSatisfy({ $0 == $1 }) else {
                lost.append(Loss(place: source.place, reason: "the backup has other keys for it"))
                continue
            }
            guard try row.int64("root_version") < source.rootVersion else { continue }
            try write(source, copy)
            carried.append(source.place)
        }
        return (carried, lost)
    }

    private func write(_ source: Source, _ copy: any SQLConnection) throws {
        try replace("hub_metadata", source.place, by: source.metadata, in: copy)
        try replace("hub_keys", source.place, by: source.keys, in: copy)
        // Due at once. The job then finds that the current metadata is older than the restore, and signs it anew.
        try copy.execute(
            """
            UPDATE hub_sources SET root_version = ?, timestamp_version = ?, next_due_at = ?
            WHERE environment_id = ? AND id = ?
            """,
            [.integer(source.rootVersion), .integer(source.timestampVersion), .integer(0)]
                + source.place.values)
    }

    /// Replaces a source's rows of a table in the older copy. Columns that only the newer database has are left out;
    /// the copy's migrations add them later.
    private func replace(
        _ table: String, _ place: SourceKey, by rows: [SQLRow], in copy: any SQLConnection
    ) throws {
        try copy.execute("DELETE FROM \(table) WHERE environment_id = ? AND source_id = ?", place.values)
        let known = Set(try Self.columns(of: table, copy))
        for row in rows {
            let names = row.columnNames.filter(known.contains)
            let marks = names.map { _ in "?" }.joined(separator: ", ")
            try copy.execute(
                "INSERT INTO \(table) (\(names.joined(separator: ", "))) VALUES (\(marks))",
                try names.map(row.value))
        }
    }

    /// Returns the columns of a table, also of an empty one. Both database engines name them with a row of NULLs.
    private static func columns(of table: String, _ connection: any SQLConnection) throws -> [String] {
        let sql = "SELECT t.* FROM (SELECT 1 AS one) AS o LEFT JOIN (SELECT * FROM \(table)) AS t ON 1 = 0"
        return try connection.row(sql)?.columnNames ?? []
    }

    /// Returns the current metadata of a source, with all roots.
    private static func metadata(_ place: SourceKey, _ connection: any SQLConnection) throws -> [SQLRow] {
        try connection.rows(
            "SELECT * FROM hub_metadata WHERE environment_id = ? AND source_id = ? AND superseded_at IS NULL",
            place.values)
    }

    private static func roots(_ metadata: [SQLRow]) throws -> [[UInt8]] {
        var named: [String: [UInt8]] = [:]
        for row in metadata { named[try row.text("name")] = [UInt8](try row.blob("bytes")) }
        return (1...).lazy.map { named["\($0).root.json"] }.prefix { $0 != nil }.compactMap(\.self)
    }
}

extension HubKeyCarryOver {
    /// Copies the newer roots and keys into a database that was restored, from the database before the restore. Both
    /// may be of either engine.
    ///
    /// - Parameter address: The URL of the newer database, which no server uses any more.
    /// - Returns: The sources whose keys changed, and the sources whose devices refuse the restored database, each with
    ///   the reason.
    package static func run(
        from address: String, into copy: any SQLDatabase, at now: Timestamp = .now()
    ) async throws -> (carried: [String], lost: [String]) {
        let newer = try await SQLDatabaseURL.open(address, statementLimit: nil)
        defer { newer.close() }
        let carryOver = try await newer.read { try HubKeyCarryOver(from: $0) }
        let (carried, lost) = try await copy.write { connection in
            // Makes the next versions higher than those that the restored server has signed with its own keys
            // meanwhile.
            try connection.execute(
                "INSERT INTO database_restores (restored_at) VALUES (?)", [.moment(now)])
            return try carryOver.apply(to: connection)
        }
        return (carried.map(\.name), lost.map { "\($0.place.name): \($0.reason)" })
    }
}
