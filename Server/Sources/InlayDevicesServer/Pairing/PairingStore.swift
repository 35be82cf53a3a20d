import Foundation
import InlaySQL
import InlayServerCore
@_spi(Inlay) import InlayWire

/// The store of pairing tokens: 16 bytes, valid for ten minutes and one use.
///
/// The states are passed in one direction: issued, seen, then one of paired, rejected, expired and superseded.
package struct PairingStore: Sendable {
    /// A token's life.
    package static let life: Duration = .seconds(600)
    /// The maximum number of tokens of an account in an hour.
    static let maximumPerHour = 60
    /// The time for which pairings are kept, for the set-up funnel.
    static let retention: Duration = .seconds(180 * 24 * 3600)

    let database: any SQLDatabase
    let now: @Sendable () -> Timestamp

    /// The account whose pairings or devices changed, for the notification of its apps.
    struct Owner: Hashable, Sendable {
        let environmentID: EnvironmentID
        let accountID: AccountID
    }

    /// Creates a token; the open one of the same session is superseded. Throws 429 after ``maximumPerHour`` tokens.
    func issue(
        _ identity: AccountIdentity, name: String?, host: String
    ) async throws -> Pairing {
        let moment = now()
        let token = Secret.random(bytes: Pairing.tokenBytes)
        let pairing = Pairing(
            id: Secret.id("pr_"), token: token, expiresAt: moment + Self.life, host: host)
        let name = try name.flatMap { $0.isEmpty ? nil : try DeviceStore.name($0) }
        let isAllowed = try await database.write { connection -> Bool in
            let lately = try connection.row(
                """
                SELECT COUNT(*) AS n FROM device_pairings
                WHERE environment_id = ? AND account_id = ? AND created_at > ?
                """,
                [
                    .id(identity.environmentID), .id(identity.accountID),
                    .moment(moment - .seconds(3600)),
                ])?.int("n")
            guard (lately ?? 0) < Self.maximumPerHour else { return false }
            try Self.supersede(
                identity.environmentID, identity.accountID, session: identity.sessionID, at: moment,
                in: connection)
            try Self.insert(pairing, identity, name, at: moment, in: connection)
            return true
        }
        guard isAllowed else { throw Refusal.waiting(.seconds(600)) }
        return pairing
    }

    /// Returns the progress of an account's pairing; throws `not-found`.
    func status(_ environmentID: EnvironmentID, _ id: String, of accountID: AccountID) async throws
        -> PairingStatus
    {
        let moment = now()
        let status = try await database.read { connection -> PairingStatus? in
            let row = try connection.row(
                "SELECT * FROM device_pairings WHERE environment_id = ? AND id = ? AND account_id = ?",
                [.id(environmentID), .text(id), .id(accountID)]
            ).map(PairingRow.init)
            guard let row else { return nil }
            let device = try row.deviceID.flatMap { id in
                try connection.row(
                    "SELECT * FROM device_devices WHERE environment_id = ? AND id = ? AND account_id = ?",
                    [.id(environmentID), .id(id), .id(accountID)]
                ).map(DeviceRow.init)
            }
            let state = row.state(at: moment)
            return PairingStatus(
                state: state, reason: row.reason ?? (state == .expired ? .tokenExpired : nil),
                device: device?.wire, held: row.isHeld ? true : nil)
        }
        guard let status else { throw Problem.notFound("pairing") }
        return status
    }

    /// Cancels a pairing with the app's reason; throws `not-found`. A settled pairing is not changed.
    func cancel(
        _ environmentID: EnvironmentID, _ id: String, of accountID: AccountID, reason: DeviceSetupFailure
    ) async throws -> Owner {
        let moment = now()
        let changed = try await database.write { connection -> Int in
            let changed = try connection.execute(
                """
                UPDATE device_pairings SET state = 'rejected', reason = ?, settled_at = ?
                WHERE environment_id = ? AND id = ? AND account_id = ? AND settled_at IS NULL
                """,
                [
                    .text(reason.rawValue), .moment(moment), .id(environmentID), .text(id),
                    .id(accountID),
                ])
            try DeviceStore.increaseVersion(environmentID, accountID, at: moment, in: connection)
            return changed
        }
        // Settled already, or unknown, for which this throws.
        if changed == 0 { _ = try await status(environmentID, id, of: accountID) }
        return Owner(environmentID: environmentID, accountID: accountID)
    }

    /// Marks tokens whose life is over as expired; returns their owners.
    func expire() async throws -> Set<Owner> {
        let moment = now()
        return try await database.write { connection in
            let rows = try connection.rows(
                """
                UPDATE device_pairings SET state = 'expired', settled_at = ?
                WHERE state IN ('issued', 'seen') AND expires_at <= ? AND settled_at IS NULL
                RETURNING environment_id, account_id
                """, [.moment(moment), .moment(moment)])
            let owners = Set(
                try rows.map {
                    Owner(
                        environmentID: try $0.id("environment_id"), accountID: try $0.id("account_id"))
                })
            // All nodes lock the accounts in the same order, so that they cannot deadlock.
            for owner in owners.sorted(by: {
                ($0.environmentID.rawValue, $0.accountID) < ($1.environmentID.rawValue, $1.accountID)
            }) {
                try DeviceStore.increaseVersion(
                    owner.environmentID, owner.accountID, at: moment, in: connection)
            }
            return owners
        }
    }

    /// Removes pairings that are too old for any report.
    func purgeExpired() async throws {
        try await database.delete(
            from: "device_pairings", key: "environment_id, id", where: "created_at <= ?",
            [.moment(now() - Self.retention)])
    }

    /// Ends the open pairings of an account, or of one of its sessions.
    static func supersede(
        _ environmentID: EnvironmentID, _ accountID: AccountID, session: SessionID? = nil,
        at moment: Timestamp,
        in connection: any SQLConnection
    ) throws {
        let own = session.map { (" AND session_id = ?", [SQLValue.id($0)]) } ?? ("", [])
        try connection.execute(
            """
            UPDATE device_pairings SET settled_at = ?,
                state = CASE WHEN expires_at <= ? THEN 'expired' ELSE 'superseded' END
            WHERE environment_id = ? AND account_id = ?\(own.0) AND settled_at IS NULL
            """, [.moment(moment), .moment(moment), .id(environmentID), .id(accountID)] + own.1)
    }

    private static func insert(
        _ pairing: Pairing, _ identity: AccountIdentity, _ name: String?, at moment: Timestamp,
        in connection: any SQLConnection
    ) throws {
        try connection.insert(
            into: "device_pairings",
            [
                "environment_id": .id(identity.environmentID), "id": .text(pairing.id),
                "token_hash": .text(Secret.hash(pairing.token)), "account_id": .id(identity.accountID),
                "application_id": .id(identity.applicationID), "session_id": .id(identity.sessionID),
                "name": SQLValue(name), "state": "issued", "is_held": 0, "created_at": .moment(moment),
                "expires_at": .moment(pairing.expiresAt),
            ])
        try PairingExpiry.add(identity.environmentID, pairing, in: connection)
        try DeviceStore.increaseVersion(
            identity.environmentID, identity.accountID, at: moment, in: connection)
    }
}
