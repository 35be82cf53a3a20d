import Foundation
import GRDB
import InlayCore

/// Values that the identity flows need after a restart.
struct IdentityFlowStore: Sendable {
    private static let schema = StoreSchema(
        feature: "identity",
        migrations: [
            StoreMigration(
                "1-flows",
                sql: "CREATE TABLE identity_flow (key TEXT PRIMARY KEY, value BLOB NOT NULL) STRICT")
        ])
    private let store: Store

    init(_ store: Store) {
        self.store = store
        store.register(Self.schema)
    }

    /// The new id that no contact is known to have yet.
    func newID() async throws -> String? { try await value("draft") }

    func setNewID(_ id: String?) async throws { try await set("draft", id) }

    /// The columns of the requested identification, until it is finished.
    func requestedColumns() async throws -> [XMLAPIRequest.Field]? { try await value("wanted") }

    func setRequestedColumns(_ columns: [XMLAPIRequest.Field]?) async throws {
        try await set("wanted", columns)
    }

    private func value<Value: Decodable>(_ key: String) async throws -> Value? {
        let sql = "SELECT value FROM identity_flow WHERE key = ?"
        let data = try await store.read { try Data.fetchOne($0, sql: sql, arguments: [key]) }
        return data.flatMap { try? JSONDecoder().decode(Value.self, from: $0) }
    }

    private func set(_ key: String, _ value: (some Encodable)?) async throws {
        let data = try value.map { try JSONEncoder().encode($0) }
        try await store.write { database in
            guard let data else {
                return try database.execute(sql: "DELETE FROM identity_flow WHERE key = ?", arguments: [key])
            }
            try database.execute(
                sql: "INSERT OR REPLACE INTO identity_flow (key, value) VALUES (?, ?)",
                arguments: [key, data])
        }
    }
}
