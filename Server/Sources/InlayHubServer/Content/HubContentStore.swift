import Foundation
package import InlaySQL
package import InlayServerCore
@_spi(Inlay) package import InlayWire

/// A store of the content sources of each environment: drafts, and the content that was released for publishing.
package struct HubContentStore: Sendable {
    let database: any SQLDatabase
    let now: @Sendable () -> Timestamp

    /// Creates a store on a migrated database.
    package init(database: any SQLDatabase, now: @escaping @Sendable () -> Timestamp) {
        self.database = database
        self.now = now
    }

    // MARK: Sources

    /// Returns all sources of an environment, ordered by name.
    package func sources(_ environmentID: EnvironmentID) async throws -> [HubSource] {
        try await database.read { connection in
            try connection.rows(
                "SELECT * FROM hub_sources WHERE environment_id = ? ORDER BY name, id", [.id(environmentID)]
            ).map(HubSource.init)
        }
    }

    /// Returns a source; `nil` when there is none with this id.
    package func source(_ environmentID: EnvironmentID, _ id: HubSourceID) async throws -> HubSource? {
        guard HubReference.isID(id.rawValue) else { return nil }
        return try await database.read { try Self.find(environmentID, id, $0) }
    }

    /// Creates a source without content or keys. Throws ``FieldErrors``, and `conflict` for an id that is taken.
    @discardableResult
    package func createSource(
        _ environmentID: EnvironmentID, id: HubSourceID, name: String, settings: HubSettings = HubSettings()
    ) async throws -> HubSource {
        try HubCheck.id(id.rawValue)
        try HubCheck.validate(settings)
        let name = try Limits.name(name)
        let texts = try (HubJSON.text(settings), HubJSON.text(HubPolicy(version: 1)))
        let moment = now()
        return try await database.write { connection in
            let count = try connection.row(
                "SELECT COUNT(*) AS n FROM hub_sources WHERE environment_id = ?", [.id(environmentID)])
            guard try count?.int64("n") ?? 0 < HubLimits.maximumSources else {
                throw FieldErrors("id", "An environment has at most \(HubLimits.maximumSources) sources.")
            }
            let row = try connection.row(
                """
                INSERT INTO hub_sources (environment_id, id, name, settings, policy, notifications, version,
                    content_version, timestamp_version, root_version, created_at, updated_at)
                VALUES (?, ?, ?, ?, ?, '[]', 0, 0, 0, 0, ?, ?)
                ON CONFLICT (environment_id, id) DO NOTHING RETURNING *
                """,
                [
                    .id(environmentID), .id(id), .text(name), .text(texts.0), .text(texts.1),
                    .moment(moment), .moment(moment),
                ])
            guard let row else {
                throw Problem(.conflict, status: 409, title: "A content source with this id exists already.")
            }
            return try HubSource(row)
        }
    }

    /// Changes a source's name and settings. The settings take effect with the next publish.
    @discardableResult
    package func updateSource(
        _ environmentID: EnvironmentID, _ id: HubSourceID, name: String, settings: HubSettings
    ) async throws -> HubSource {
        try HubCheck.validate(settings)
        return try await change(
            environmentID, id, "name = ?, settings = ?",
            [.text(try Limits.name(name)), .text(try HubJSON.text(settings))])
    }

    /// Stores a policy with the next higher version; ``HubPublisher`` signs it. Throws `conflict` when `version` is
    /// not the stored policy's.
    @discardableResult
    package func setPolicy(
        _ environmentID: EnvironmentID, _ id: HubSourceID, _ policy: HubPolicy, over version: Int64? = nil
    ) async throws -> HubSource {
        try HubCheck.validate(policy)
        let moment = now()
        return try await database.write { connection in
            guard let source = try Self.find(environmentID, id, connection) else {
                throw Problem.notFound("content source")
            }
            if let version, version != source.policy.version {
                throw Problem(
                    .conflict, status: 409, title: "Someone else changed the policy meanwhile.",
                    detail: "Read it again and repeat your change.")
            }
            var policy = policy
            policy.version = source.policy.version
            if policy == source.policy { return source }
            policy.version += 1
            let row = try connection.row(
                """
                UPDATE hub_sources SET policy = ?, updated_at = ? WHERE environment_id = ? AND id = ? RETURNING *
                """,
                [.text(try HubJSON.text(policy)), .moment(moment), .id(environmentID), .id(id)])
            return try Self.required(row)
        }
    }

    private func change(
        _ environmentID: EnvironmentID, _ id: HubSourceID, _ columns: String, _ values: [SQLValue]
    ) async throws -> HubSource {
        let moment = now()
        return try await database.write { connection in
            try Self.required(
                connection.row(
                    """
                    UPDATE hub_sources SET \(columns), updated_at = ?
                    WHERE environment_id = ? AND id = ? RETURNING *
                    """, values + [.moment(moment), .id(environmentID), .id(id)]))
        }
    }

    static func find(
        _ environmentID: EnvironmentID, _ id: HubSourceID, _ connection: any SQLConnection
    ) throws -> HubSource? {
        try connection.row(
            "SELECT * FROM hub_sources WHERE environment_id = ? AND id = ?",
            [.id(environmentID), .id(id)]
        ).map(HubSource.init)
    }

    static func required(_ row: SQLRow?) throws -> HubSource {
        guard let row else { throw Problem.notFound("content source") }
        return try HubSource(row)
    }
}

/// JSON in text columns and in published files, with sorted keys, so that equal values give equal bytes.
enum HubJSON {
    static func data(_ value: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(value)
    }

    static func text(_ value: some Encodable) throws -> String {
        String(decoding: try data(value), as: UTF8.self)
    }

    static func value<Value: Decodable>(_ text: String, as type: Value.Type = Value.self) throws -> Value {
        try JSONDecoder().decode(type, from: Data(text.utf8))
    }
}

extension HubSource {
    init(_ row: SQLRow) throws {
        self.init(
            environmentID: try row.id("environment_id"), id: try row.id("id"), name: try row.text("name"),
            settings: try HubJSON.value(try row.text("settings")),
            policy: try HubJSON.value(try row.text("policy")),
            notifications: try HubJSON.value(try row.text("notifications")),
            version: try row.int64("version"), contentVersion: try row.int64("content_version"),
            timestampVersion: try row.int64("timestamp_version"), rootVersion: try row.int64("root_version"),
            publishedAt: try row.optionalMoment("published_at"), createdAt: try row.moment("created_at"),
            updatedAt: try row.moment("updated_at"))
    }
}
