import Foundation
package import InlaySQL
package import InlayServerCore
@_spi(Inlay) package import InlayWire

/// The applications of each environment and their secrets.
package struct ApplicationStore: Sendable {
    /// The channel that notifies other nodes of the environment whose applications or sessions changed.
    static let changeChannel = "inlay_devices"
    /// The channel that notifies every node of a revoked application.
    static let revocationChannel = "inlay_application_ends"

    let database: any SQLDatabase
    let now: @Sendable () -> Timestamp
    let cache = MinuteCache<ApplicationID, ApplicationCredentials>()

    /// A store on a migrated database.
    package init(database: any SQLDatabase, now: @escaping @Sendable () -> Timestamp) {
        self.database = database
        self.now = now
    }

    /// Creates an application with its first secret, which is only returned here and not stored.
    ///
    /// Throws `not-found` for an unknown environment.
    package func create(
        _ environmentID: EnvironmentID, id: ApplicationID = DeviceApplication.newID(), name: String,
        opensAtOnce: Bool = false
    ) async throws -> (application: DeviceApplication, secret: String) {
        let application = DeviceApplication(
            id: id, environmentID: environmentID, name: try Limits.name(name),
            opensAtOnce: opensAtOnce, pairsUnproven: false,
            minimumPasswordLength: PasswordRules.defaultMinimumLength,
            hasLogo: false, createdAt: now(), revokedAt: nil)
        do {
            let secret = try await database.write { connection in
                try connection.execute(
                    """
                    INSERT INTO device_applications (environment_id, id, name, opens_at_once, pairs_unproven,
                        shortest_password, created_at) VALUES (?, ?, ?, ?, 0, ?, ?)
                    """,
                    [
                        .id(environmentID), .id(application.id), .text(application.name),
                        .bool(opensAtOnce), .int(application.minimumPasswordLength),
                        .moment(application.createdAt),
                    ])
                return try Self.insertSecret(application, at: application.createdAt, in: connection)
            }
            return (application, secret)
        } catch let error as SQLError where error.kind == .foreignKeyViolation {
            throw Problem.notFound("environment", named: environmentID.rawValue)
        }
    }

    /// Returns the applications of an environment, newest first, also revoked ones.
    package func applications(_ environmentID: EnvironmentID) async throws -> [DeviceApplication] {
        try await database.read {
            try $0.rows(
                "SELECT \(Self.columns) FROM device_applications WHERE environment_id = ? ORDER BY created_at DESC, id",
                [.id(environmentID)]
            ).map(DeviceApplication.init)
        }
    }

    /// Returns an application, or `nil`.
    package func application(_ environmentID: EnvironmentID, _ id: ApplicationID) async throws
        -> DeviceApplication?
    {
        try await database.read { try Self.application(environmentID, id, in: $0) }
    }

    static func application(
        _ environmentID: EnvironmentID, _ id: ApplicationID, in connection: any SQLConnection
    ) throws -> DeviceApplication? {
        try connection.row(
            "SELECT \(columns) FROM device_applications WHERE environment_id = ? AND id = ?",
            [.id(environmentID), .id(id)]
        ).map(DeviceApplication.init)
    }

    /// Changes name and settings; throws `not-found` and `invalid-value`.
    package func save(_ application: DeviceApplication) async throws {
        let name = try Limits.name(application.name)
        guard PasswordRules.allowedMinimumLengths.contains(application.minimumPasswordLength) else {
            let range = PasswordRules.allowedMinimumLengths
            throw Problem.invalidValue(
                "minimumPasswordLength", "From \(range.lowerBound) to \(range.upperBound) characters.")
        }
        try await change(
            application.environmentID, application.id,
            "name = ?, opens_at_once = ?, pairs_unproven = ?, shortest_password = ?",
            [
                .text(name), .bool(application.opensAtOnce), .bool(application.pairsUnproven),
                .int(application.minimumPasswordLength),
            ])
    }

    /// Revokes an application: its requests are refused, and the sessions and sockets of its users end.
    package func revoke(_ environmentID: EnvironmentID, _ id: ApplicationID) async throws {
        try await change(
            environmentID, id, "revoked_at = COALESCE(revoked_at, ?)", [.moment(now())])
        // One message for any number of users: each node finds its own sockets of these users.
        try await database.notify(Self.revocationChannel, "\(environmentID)\n\(id)")
    }

    /// Returns the applications of all environments that were revoked within a time before now.
    func revoked(within time: Duration) async throws -> [(environmentID: EnvironmentID, id: ApplicationID)] {
        let moment = now()
        return try await database.read {
            try $0.rows(
                "SELECT environment_id, id FROM device_applications WHERE revoked_at > ?",
                [.moment(moment - time)]
            ).map { (try $0.id("environment_id"), try $0.id("id")) }
        }
    }

    /// Empties the cache of an environment and notifies the other nodes.
    func changed(_ environmentID: EnvironmentID) async throws {
        cache.forget(environmentID)
        try await database.notify(Self.changeChannel, environmentID.rawValue)
    }

    func change(
        _ environmentID: EnvironmentID, _ id: ApplicationID, _ assignments: String, _ values: [SQLValue]
    ) async throws {
        try await database.changeOne(
            "application",
            "UPDATE device_applications SET \(assignments) WHERE environment_id = ? AND id = ?",
            values + [.id(environmentID), .id(id)])
        try await self.changed(environmentID)
    }

    // Without the logo's bytes, which `logo(_:)` reads.
    static let columns = """
        environment_id, id, name, opens_at_once, pairs_unproven, shortest_password, logo_type, created_at, revoked_at
        """
}

extension DeviceApplication {
    init(row: SQLRow) throws {
        self.init(
            id: try row.id("id"), environmentID: try row.id("environment_id"), name: try row.text("name"),
            opensAtOnce: try row.bool("opens_at_once"), pairsUnproven: try row.bool("pairs_unproven"),
            minimumPasswordLength: try row.int("shortest_password"),
            hasLogo: try row.optionalText("logo_type") != nil,
            createdAt: try row.moment("created_at"), revokedAt: try row.optionalMoment("revoked_at"))
    }
}
