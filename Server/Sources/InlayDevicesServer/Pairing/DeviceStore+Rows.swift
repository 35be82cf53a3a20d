import InlaySQL
import InlayServerCore
@_spi(Inlay) import InlayWire

/// Changes within a transaction of the caller, and the versions of accounts.
extension DeviceStore {
    /// Activates the devices that waited for the proof of the account's address.
    static func activateHeldDevices(
        of account: EndAccount, at moment: Timestamp, in connection: any SQLConnection
    ) throws {
        let key: [SQLValue] = [.id(account.environmentID), .id(account.id)]
        try connection.execute(
            """
            UPDATE device_devices SET state = 'active', paired_at = ?
            WHERE environment_id = ? AND account_id = ? AND state = 'held'
            """, [.moment(moment)] + key)
        try connection.execute(
            """
            UPDATE device_pairings SET state = 'paired', is_held = 0
            WHERE environment_id = ? AND account_id = ? AND is_held = 1
            """, key)
        try increaseVersion(account.environmentID, account.id, at: moment, in: connection)
    }

    /// Increases an account's version after a change, at least to the time in microseconds: so it also exceeds versions
    /// from before a restore of the database.
    static func increaseVersion(
        _ environmentID: EnvironmentID, _ accountID: AccountID, at moment: Timestamp,
        in connection: any SQLConnection
    ) throws {
        try connection.execute(
            """
            INSERT INTO device_versions (environment_id, account_id, version) VALUES (?, ?, ?)
            ON CONFLICT (environment_id, account_id) DO UPDATE SET version =
                CASE WHEN device_versions.version >= excluded.version
                THEN device_versions.version + 1 ELSE excluded.version END
            """, [.id(environmentID), .id(accountID), .moment(moment)])
    }

    /// Returns the version of an account's devices and pairings; `nil` when it never had any.
    func version(_ environmentID: EnvironmentID, _ accountID: AccountID) async throws -> Int64? {
        try await versions(of: [.init(environmentID: environmentID, accountID: accountID)])[0]
    }

    /// Returns the versions of several accounts, from one snapshot and in their order.
    func versions(of owners: [PairingStore.Owner]) async throws -> [Int64?] {
        try await database.read { connection in
            try owners.map { owner in
                try connection.row(
                    "SELECT version FROM device_versions WHERE environment_id = ? AND account_id = ?",
                    [.id(owner.environmentID), .id(owner.accountID)])?.int64("version")
            }
        }
    }
}
