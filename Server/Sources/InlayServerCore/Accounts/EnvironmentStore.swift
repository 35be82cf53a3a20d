import Foundation
package import InlaySQL
@_spi(Inlay) import InlayWire

/// A store of organisations, environments and the two kinds of keys.
///
/// The data that each request needs first is kept in memory and forgotten when it changes, on this node at
/// once, on others with the database's notification.
package struct EnvironmentStore: Sendable {
    /// The notification's channel; the payload is an environment's id.
    static let changeChannel = "inlay_environments"

    let database: any SQLDatabase
    let now: @Sendable () -> Timestamp
    let cache = MinuteCache<KeyName, KnownKey>(maximumEntries: 10_000)

    // MARK: Organisations and environments

    /// Makes sure that the organisation `default` exists.
    package func prepare() async throws {
        let moment = now().microseconds
        _ = try await database.write {
            try $0.execute(
                "INSERT INTO organisations (id, name, created_at) VALUES (?, ?, ?) ON CONFLICT (id) DO NOTHING",
                ["default", "Default", .integer(moment)])
        }
    }

    /// Makes an organisation.
    package func createOrganisation(name: String) async throws -> Organisation {
        let organisation = Organisation(id: Secret.id("org_"), name: try Limits.name(name))
        let moment = now().microseconds
        _ = try await database.write {
            try $0.execute(
                "INSERT INTO organisations (id, name, created_at) VALUES (?, ?, ?)",
                [.text(organisation.id), .text(organisation.name), .integer(moment)])
        }
        return organisation
    }

    /// Returns the id of a new environment: the chosen one, or a random one. Throws `invalid-value` when the chosen
    /// one cannot be an id.
    package static func newID(chosen: String? = nil) throws -> EnvironmentID {
        EnvironmentID(verified: try Limits.id(chosen ?? Secret.id("env_"), "id"))
    }

    /// Makes an environment; throws `conflict` when the id is taken, `invalid-value` when it cannot be one.
    ///
    /// - Parameter prepare: Makes what it needs in the same transaction; an error undoes the whole.
    package func create(
        id: String? = nil, name: String, organisationID: String = "default",
        prepare: @escaping EnvironmentPreparation = { _, _ in }
    ) async throws -> AppEnvironment {
        let environment = AppEnvironment(
            id: try Self.newID(chosen: id),
            organisationID: organisationID,
            name: try Limits.name(name), createdAt: now())
        do {
            try await database.write { connection in
                try connection.execute(
                    "INSERT INTO environments (id, organisation_id, name, created_at) VALUES (?, ?, ?, ?)",
                    [
                        .id(environment.id), .text(organisationID), .text(environment.name),
                        .integer(environment.createdAt.microseconds),
                    ])
                try prepare(environment.id, connection)
            }
        } catch let error as SQLError where error.kind == .uniqueViolation {
            throw Problem(.conflict, status: 409, title: "An environment with this id exists already.")
        } catch let error as SQLError where error.kind == .foreignKeyViolation {
            throw Problem.notFound("organisation", named: organisationID)
        }
        return environment
    }

    /// Gives an environment another name; its id never changes.
    package func rename(_ environmentID: EnvironmentID, to name: String) async throws {
        let name = try Limits.name(name)
        try await database.changeOne(
            "environment", named: environmentID.rawValue, "UPDATE environments SET name = ? WHERE id = ?",
            [.text(name), .id(environmentID)])
    }

    /// Sets an environment's time zone by its IANA name or an older one; an empty name stands for the server's zone.
    /// Throws `invalid-value` for a name that no zone has.
    package func setTimeZone(_ environmentID: EnvironmentID, to name: String) async throws {
        let zone = CalendarZone(name)
        guard name.isEmpty || zone != nil else {
            throw Problem.invalidValue("timeZone", "An IANA name such as Europe/Berlin, or nothing.")
        }
        try await database.changeOne(
            "environment", named: environmentID.rawValue,
            "UPDATE environments SET time_zone = ? WHERE id = ?",
            [SQLValue(zone?.name), .id(environmentID)])
    }

    /// Returns every environment, sorted by name.
    package func environments() async throws -> [AppEnvironment] {
        try await database.read {
            try $0.rows("SELECT * FROM environments ORDER BY name, id").map(AppEnvironment.init)
        }
    }

    /// Returns an environment, or `nil` when there is none with this id.
    package func environment(_ id: EnvironmentID) async throws -> AppEnvironment? {
        try await database.read {
            try $0.row("SELECT * FROM environments WHERE id = ?", [.id(id)]).map(AppEnvironment.init)
        }
    }

    /// Removes an environment from the cache and notifies the other nodes.
    func changed(_ environmentID: EnvironmentID) async throws {
        cache.forget(environmentID)
        try await database.notify(Self.changeChannel, environmentID.rawValue)
    }
}

/// A closure that makes what a new environment needs, in the transaction that makes the environment.
package typealias EnvironmentPreparation = @Sendable (EnvironmentID, any SQLConnection) throws -> Void

/// A key's id and its environment, so that a key of one environment is never found for another.
struct KeyName: Hashable, Sendable {
    let environmentID: EnvironmentID
    let id: String
}

/// The data with which requests of an app or of a backend are verified.
enum KnownKey: Sendable {
    case app(VerificationKeys)
    case backend(secretHash: String)
}

extension AppEnvironment {
    init(row: SQLRow) throws {
        self.init(
            id: try row.id("id"), organisationID: try row.text("organisation_id"),
            name: try row.text("name"),
            timeZone: try row.optionalText("time_zone").flatMap(CalendarZone.init),
            createdAt: Timestamp(microseconds: try row.int64("created_at")))
    }
}
