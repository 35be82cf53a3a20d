import InlaySQL
import InlayWire
import Logging

/// Users whose account has ended, or whom an operator erases, until every room has forgotten them.
///
/// The note is made in the transaction that ends the account, so no crash loses it. The rooms forget at once and
/// once more ten minutes later: a request that was under way, or a card for everyone, may have brought something
/// back in between.
struct EndedUsers: Sendable {
    static let again: Duration = .seconds(600)
    private static let afterFailure: Duration = .seconds(60)
    /// The time after which a claim has ended with its node.
    static let lease: Duration = .seconds(300)

    let database: any SQLDatabase
    let now: @Sendable () -> Timestamp
    let rooms: [any UserErasure]
    let logger: Logger

    /// Notes that an account has ended, within the transaction that ends it.
    static func add(
        _ environmentID: String, _ accountID: String, at moment: Timestamp, in connection: any SQLConnection
    ) throws {
        try add(environmentID, user: DeviceAccount.userID(of: accountID), at: moment, in: connection)
    }

    /// Notes a user who is to be forgotten. One who is noted already, and came back meanwhile, is forgotten anew.
    static func add(
        _ environmentID: String, user userID: String, at moment: Timestamp, in connection: any SQLConnection
    ) throws {
        try connection.execute(
            """
            INSERT INTO device_ended_users (environment_id, user_id, rounds, next_at) VALUES (?, ?, 0, ?)
            ON CONFLICT (environment_id, user_id) DO UPDATE SET rounds = 0, next_at = excluded.next_at
            """,
            [.text(environmentID), .text(userID), .moment(moment)])
    }

    /// Has every feature forget the users who are due, each claimed by one node.
    func round() async throws {
        for _ in 0..<Self.usersPerRound {
            guard let claim = try await claim() else { return }
            do {
                try await forget(claim.environmentID, claim.userID)
                try await settle(claim)
            } catch is CancellationError {
                // The server stops; this user and those behind are due as before when it is back.
                return try await postpone(claim, until: now())
            } catch {
                // One user must not keep the others waiting.
                logger.warning("A user could not be forgotten yet", metadata: ["error": "\(error)"])
                try await postpone(claim, until: now() + Self.afterFailure)
            }
        }
    }

    private static let usersPerRound = 100

    /// A user whom one node forgets; due again when the claim has ended and nobody has settled it.
    private struct Claim: Sendable {
        let environmentID: String
        let userID: String
        let rounds: Int
        /// When the claim ends; `next_at` until it is settled.
        let end: Int64

        init(_ row: SQLRow) throws {
            environmentID = try row.text("environment_id")
            userID = try row.text("user_id")
            rounds = try row.int("rounds")
            end = try row.int64("next_at")
        }

        /// The row, unless somebody else has changed it since.
        static let place = "WHERE environment_id = ? AND user_id = ? AND rounds = ? AND next_at = ?"
        var key: [SQLValue] { [.text(environmentID), .text(userID), .int(rounds), .integer(end)] }
    }

    private func claim() async throws -> Claim? {
        let moment = now()
        // A node that has nothing to do writes nothing.
        let isAnyDue = try await database.read {
            try $0.row("SELECT 1 AS n FROM device_ended_users WHERE next_at <= ? LIMIT 1", [.moment(moment)])
                != nil
        }
        guard isAnyDue else { return nil }
        return try await database.write {
            try $0.row(
                """
                WITH due AS MATERIALIZED (SELECT environment_id, user_id FROM device_ended_users
                    WHERE next_at <= ? ORDER BY next_at LIMIT 1 FOR UPDATE SKIP LOCKED)
                UPDATE device_ended_users SET next_at = ?
                WHERE (environment_id, user_id) IN (SELECT environment_id, user_id FROM due) RETURNING *
                """, [.moment(moment), .moment(moment + Self.lease)]
            ).map(Claim.init)
        }
    }

    /// Every room has its turn, also behind one that fails, but not behind a stop.
    private func forget(_ environmentID: String, _ userID: String) async throws {
        var fault: (any Error)?
        for room in rooms {
            do {
                try await room.erase(environmentID, user: userID)
            } catch let stop as CancellationError {
                throw stop
            } catch {
                fault = fault ?? error
            }
        }
        if let fault { throw fault }
    }

    private func settle(_ claim: Claim) async throws {
        guard claim.rounds > 0 else {
            let next = SQLValue.moment(now() + Self.again)
            return try await change("UPDATE device_ended_users SET rounds = 1, next_at = ?", [next], claim)
        }
        try await change("DELETE FROM device_ended_users", [], claim)
    }

    private func postpone(_ claim: Claim, until moment: Timestamp) async throws {
        try await change("UPDATE device_ended_users SET next_at = ?", [.moment(moment)], claim)
    }

    private func change(_ statement: String, _ values: [SQLValue], _ claim: Claim) async throws {
        _ = try await database.write {
            try $0.execute("\(statement) \(Claim.place)", values + claim.key)
        }
    }
}
