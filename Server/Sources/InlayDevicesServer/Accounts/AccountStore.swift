import Foundation
import InlaySQL
package import InlayServerCore
@_spi(Inlay) import InlayWire

/// The accounts of each environment's end users.
///
/// There is one account for each address and environment. Responses to callers without a session do not depend on
/// whether an address has an account: neither in status and body, nor in the work that is done before. The one
/// exception is the price of decision 70: on a network from which a user logged in with an address, wrong passwords for
/// it are counted apart from those of all other networks, so another user of the network can find out that the address
/// has an account.
package struct AccountStore: Sendable {
    /// The time after which an account is removed if its address was not proven.
    package static let unprovenLifetime: Duration = .seconds(24 * 3600)

    let database: any SQLDatabase
    let now: @Sendable () -> Timestamp
    let passwords: Passwords

    /// Returns an account, or `nil`.
    package func account(_ environmentID: EnvironmentID, _ id: AccountID) async throws -> EndAccount? {
        try await database.read { try Self.account(environmentID, id, in: $0) }
    }

    /// Returns the account of an address, or `nil`.
    package func account(_ environmentID: EnvironmentID, email: String) async throws -> EndAccount? {
        guard let address = MailAddress(email) else { return nil }
        return try await database.read { try Self.account(environmentID, address, in: $0) }
    }

    /// Returns a page of accounts in the order of their addresses, after the given address. At most 500.
    ///
    /// Only accounts whose address begins with `search`.
    package func accounts(
        _ environmentID: EnvironmentID, after: String = "", search: String = "", limit: Int = 50
    ) async throws -> [EndAccount] {
        let pattern = SQLValue.beginning(with: search.lowercased())
        return try await database.read {
            try $0.rows(
                """
                SELECT * FROM device_accounts WHERE environment_id = ? AND email > ? AND email LIKE ? ESCAPE '!'
                ORDER BY email LIMIT ?
                """,
                [.id(environmentID), .text(after), pattern, .int(min(max(limit, 1), 500))]
            ).map(EndAccount.init)
        }
    }

    /// Returns the number of accounts, and of those that are proven.
    package func counts(_ environmentID: EnvironmentID) async throws -> (all: Int, proven: Int) {
        try await database.read { connection in
            let row = try connection.row(
                "SELECT COUNT(*) AS n, COUNT(proven_at) AS proven FROM device_accounts WHERE environment_id = ?",
                [.id(environmentID)])
            return (try row?.int("n") ?? 0, try row?.int("proven") ?? 0)
        }
    }

    /// Removes an account with its sessions, pairings and devices, whose credentials become invalid, and all other rows
    /// with its address. Throws `not-found`.
    package func delete(_ environmentID: EnvironmentID, _ id: AccountID) async throws {
        let moment = now()
        try await database.write { connection in
            guard let account = try Self.account(environmentID, id, in: connection) else {
                throw Problem.notFound("account")
            }
            try Self.erase(account, at: moment, in: connection)
        }
    }

    /// Removes accounts that were not proven within a day, with their known networks, at most 500; returns them. Codes
    /// that are under way stay: they belong to the person who reads the mails.
    func removeUnproven() async throws -> [EndAccount] {
        let moment = now()
        return try await database.write { connection in
            let dead = try connection.rows(
                "SELECT * FROM device_accounts WHERE proven_at IS NULL AND created_at <= ? LIMIT 500",
                [.moment(moment - Self.unprovenLifetime)]
            ).map(EndAccount.init)
            for account in dead {
                try Self.delete(account, at: moment, in: connection)
                try Self.forgetAttempts(account, in: connection)
            }
            return dead
        }
    }

    /// Removes expired codes and outdated counts of wrong passwords.
    func purgeExpired() async throws {
        let moment = now()
        try await MailCode.purgeExpired(at: moment, from: database)
        try await LogInAttempts.purgeExpired(.endUsers, at: moment, from: database)
    }

    // MARK: Within a transaction

    static func account(
        _ environmentID: EnvironmentID, _ id: AccountID, in connection: any SQLConnection
    ) throws -> EndAccount? {
        try connection.row(
            "SELECT * FROM device_accounts WHERE environment_id = ? AND id = ?",
            [.id(environmentID), .id(id)]
        ).map(EndAccount.init)
    }

    static func account(
        _ environmentID: EnvironmentID, _ address: MailAddress, in connection: any SQLConnection
    ) throws -> EndAccount? {
        try connection.row(
            "SELECT * FROM device_accounts WHERE environment_id = ? AND email = ?",
            [.id(environmentID), .text(address.text)]
        ).map(EndAccount.init)
    }

    /// Removes an account with its sessions, pairings, devices and their credentials, and enqueues the erasure of its
    /// user in all features. Codes that were requested with its address stay.
    static func delete(
        _ account: EndAccount, at moment: Timestamp, in connection: any SQLConnection
    ) throws {
        let key: [SQLValue] = [.id(account.environmentID), .id(account.id)]
        try AccountTokenStore.endAll(account.environmentID, account: account.id, in: connection)
        try UserErasureJobs.add(account.environmentID, account.id, at: moment, in: connection)
        for sql in [
            "DELETE FROM device_devices WHERE environment_id = ? AND account_id = ?",
            "DELETE FROM device_pairings WHERE environment_id = ? AND account_id = ?",
            "DELETE FROM device_versions WHERE environment_id = ? AND account_id = ?",
            "DELETE FROM device_accounts WHERE environment_id = ? AND id = ?",
        ] {
            try connection.execute(sql, key)
        }
    }

    /// Returns a mail address; throws `account.address-invalid`.
    ///
    /// Throws `account.address-unsupported` unless it is ASCII: an address with letters of another script could look
    /// like that of another account.
    static func address(_ text: String) throws -> MailAddress {
        guard let address = MailAddress(text) else { throw Problem.mailAddressInvalid }
        guard address.isASCII else { throw Problem.mailAddressUnsupported(address) }
        return address
    }
}

extension AccountStore {
    /// Returns the addresses of accounts by their ids.
    package func emails(_ environmentID: EnvironmentID, of ids: [AccountID]) async throws -> [AccountID:
        String]
    {
        try await database.read { connection in
            var found: [AccountID: String] = [:]
            for id in Set(ids) {
                found[id] = try Self.account(environmentID, id, in: connection)?.email
            }
            return found
        }
    }
}
