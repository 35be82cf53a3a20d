import Foundation
import InlaySQL
package import InlayServerCore
@_spi(Inlay) import InlayWire

/// The store of devices and their owners.
package struct DeviceStore: Sendable {
    /// The maximum number of devices of an account; the claim of a further one is refused.
    static let maximumDevices = 500
    /// The time after which an offer that is not accepted ends; the device stays with its owner.
    static let offerLifetime: Duration = .seconds(30 * 24 * 3600)

    let database: any SQLDatabase
    let now: @Sendable () -> Timestamp

    /// Returns an account's devices, newest first, at most ``maximumDevices``.
    package func devices(_ environmentID: EnvironmentID, of accountID: AccountID) async throws -> [DeviceRow]
    {
        try await database.read {
            try $0.rows(
                """
                SELECT * FROM device_devices WHERE environment_id = ? AND account_id = ?
                ORDER BY paired_at DESC, id LIMIT ?
                """, [.id(environmentID), .id(accountID), .int(Self.maximumDevices)]
            ).map(DeviceRow.init)
        }
    }

    /// Returns a page of the devices of an environment, in the order of their ids. At most 500.
    ///
    /// Only devices whose serial number or name begins with `search`.
    package func devices(
        _ environmentID: EnvironmentID, after: DeviceID = DeviceID(""), search: String = "", limit: Int = 50
    ) async throws -> [DeviceRow] {
        let pattern = SQLValue.beginning(with: search.lowercased())
        return try await database.read {
            try $0.rows(
                """
                SELECT * FROM device_devices WHERE environment_id = ? AND id > ?
                    AND (LOWER(serial) LIKE ? ESCAPE '!' OR LOWER(name) LIKE ? ESCAPE '!') ORDER BY id LIMIT ?
                """,
                [
                    .id(environmentID), .id(after), pattern, pattern,
                    .int(min(max(limit, 1), 500)),
                ]
            ).map(DeviceRow.init)
        }
    }

    /// Returns a device, or `nil`.
    package func device(_ environmentID: EnvironmentID, _ id: DeviceID) async throws -> DeviceRow? {
        try await database.read {
            try $0.row(
                "SELECT * FROM device_devices WHERE environment_id = ? AND id = ?",
                [.id(environmentID), .id(id)]
            ).map(DeviceRow.init)
        }
    }

    /// Returns the number of devices.
    package func count(_ environmentID: EnvironmentID) async throws -> Int {
        try await database.read {
            try $0.row(
                "SELECT COUNT(*) AS n FROM device_devices WHERE environment_id = ?", [.id(environmentID)])?
                .int("n") ?? 0
        }
    }

    /// Returns the device of a credential and stores when it was seen; `nil` for an unknown or ended credential.
    ///
    /// A device that waits for the proof of its owner's address can read that state, but nothing else.
    func device(credential: String) async throws -> DeviceRow? {
        guard OpaqueToken.isWellFormed(credential, OpaqueToken.device) else { return nil }
        let moment = now(), hash = Secret.hash(credential)
        return try await database.write {
            try $0.row(
                "UPDATE device_devices SET seen_at = ? WHERE credential_hash = ? RETURNING *",
                [.moment(moment), .text(hash)]
            ).map(DeviceRow.init)
        }
    }

    /// Stores the owner's changes and returns the device; throws `not-found` and `invalid-value`.
    func change(
        _ environmentID: EnvironmentID, _ id: DeviceID, of accountID: AccountID, to change: DeviceChange
    ) async throws -> DeviceRow {
        let name = try Self.name(change.name)
        let row = try await database.write { connection -> DeviceRow? in
            let row = try connection.row(
                """
                UPDATE device_devices SET name = ? WHERE environment_id = ? AND id = ? AND account_id = ?
                RETURNING *
                """, [.text(name), .id(environmentID), .id(id), .id(accountID)]
            ).map(DeviceRow.init)
            if row != nil { try Self.increaseVersion(environmentID, accountID, at: now(), in: connection) }
            return row
        }
        guard let row else { throw Problem.notFound("device") }
        return row
    }

    /// Removes a device, whose credential becomes invalid. `accountID` is `nil` for an operator, who may remove any
    /// device. Throws `not-found`.
    package func remove(_ environmentID: EnvironmentID, _ id: DeviceID, of accountID: AccountID?) async throws
        -> DeviceRow
    {
        let moment = now()
        return try await database.write { connection in
            let own = accountID.map { (" AND account_id = ?", [SQLValue.id($0)]) } ?? ("", [])
            let row = try connection.row(
                "DELETE FROM device_devices WHERE environment_id = ? AND id = ?\(own.0) RETURNING *",
                [.id(environmentID), .id(id)] + own.1
            ).map(DeviceRow.init)
            guard let row else { throw Problem.notFound("device") }
            try Self.increaseVersion(environmentID, row.accountID, at: moment, in: connection)
            return row
        }
    }

    /// Returns the checked name of a device: 1 to 100 characters.
    static func name(_ text: String) throws -> String {
        let name = try Limits.name(text)
        guard name.count <= 100 else { throw Problem.invalidValue("name", "1 to 100 characters.") }
        return name
    }
}
