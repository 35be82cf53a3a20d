import Foundation
import InlaySQL
import InlayServerCore

/// The carry-over of the newer roots and keys from the SQLite database that a restore replaces.
package struct RestoredContentKeys {
    /// The path of the database that is replaced.
    let replaced: String
    /// The path of the copy that takes its place.
    let staged: String

    package init(replaced: String, staged: String) {
        self.replaced = replaced
        self.staged = staged
    }

    /// Writes the newer roots and keys into the copy, and returns the content sources that have them.
    ///
    /// Throws ``ConfigurationError`` with the affected sources when devices would refuse the copy, unless
    /// `allowsLockout`.
    package func carry(allowsLockout: Bool) async throws -> [String] {
        guard FileManager.default.fileExists(atPath: replaced) else {
            try await refuseWithoutDatabase(unless: allowsLockout)
            return []
        }
        let newer: HubKeyCarryOver
        do {
            newer = try await read(replaced)
        } catch {
            guard !allowsLockout else { return [] }
            throw Self.refusal(
                """
                The database that would be replaced cannot be read, so nobody can say whether keys of content \
                were changed after the backup. If they were, devices will refuse what the restored server signs.
                """)
        }
        let (carried, lost) = try await write(newer)
        guard lost.isEmpty || allowsLockout else {
            let lines = lost.sorted { $0.place < $1.place }.map { "  \($0.place.name): \($0.reason)" }
            throw Self.refusal(
                "Devices that follow these content sources would refuse everything from then on, because only the "
                    + "database that would be replaced has their keys:\n" + lines.joined(separator: "\n"))
        }
        return carried.map(\.name)
    }

    /// Throws when no database is replaced and devices may follow newer roots than the copy has.
    private func refuseWithoutDatabase(unless allowsLockout: Bool) async throws {
        let places = try await read(staged).allLost.map(\.place)
        guard !places.isEmpty, !allowsLockout else { return }
        throw Self.refusal(
            """
            There is no database at \(replaced), so nobody can say whether keys of content were changed after the \
            backup. If they were, devices will refuse what the restored server signs for these content sources:
            \(places.map { "  \($0.name)" }.joined(separator: "\n"))
            If the old database exists on another machine or under another name, copy it there first, with its -wal \
            file. If it is found later, 'inlay key content carry-over' copies the newer keys.
            """)
    }

    private func read(_ path: String) async throws -> HubKeyCarryOver {
        // SQLite would turn an empty file into a new database, but a file that is refused must not be changed.
        let start = try FileHandle(forReadingFrom: URL(fileURLWithPath: path)).read(upToCount: 16)
        guard start == Data("SQLite format 3\0".utf8) else {
            throw ConfigurationError(description: "It is no database.")
        }
        let database = try await SQLDatabaseURL.open("sqlite:\(path)", statementLimit: nil)
        defer { database.close() }
        return try await database.read { connection in
            // A database file may be valid and have no tables.
            guard try Self.has("inlay_migrations", connection) else {
                throw ConfigurationError(description: "It is no database of this server.")
            }
            return try Self.has("hub_keys", connection)
                ? HubKeyCarryOver(from: connection) : HubKeyCarryOver()
        }
    }

    private func write(
        _ newer: HubKeyCarryOver
    ) async throws -> (carried: [HubKeyCarryOver.SourceKey], lost: [HubKeyCarryOver.Loss]) {
        let database = try await SQLDatabaseURL.open("sqlite:\(staged)", statementLimit: nil)
        defer { database.close() }
        return try await database.write { connection in
            guard try Self.has("hub_keys", connection) else { return ([], newer.allLost) }
            return try newer.apply(to: connection)
        }
    }

    private static func has(_ table: String, _ connection: any SQLConnection) throws -> Bool {
        try connection.row(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name = ?", [.text(table)]) != nil
    }

    private static func refusal(_ reason: String) -> ConfigurationError {
        ConfigurationError(
            description: reason + "\nNothing was changed. To restore all the same, add --allow-lockout.")
    }
}
