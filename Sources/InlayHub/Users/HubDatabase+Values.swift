import Foundation
import GRDB

/// What belongs to a content source and must not go with a version.
extension HubDatabase {
    func value(_ key: String, source: String) throws(HubError) -> Data? {
        try read { database in
            try Data.fetchOne(
                database, sql: "SELECT value FROM hub_value WHERE source = ? AND key = ?",
                arguments: [source, key])
        }
    }

    func set(_ key: String, _ value: Data, source: String) throws(HubError) {
        try write { database in
            try database.execute(
                sql: """
                    INSERT INTO hub_value (source, key, value) VALUES (?, ?, ?)
                    ON CONFLICT (source, key) DO UPDATE SET value = excluded.value
                    """, arguments: [source, key, value])
        }
    }
}
