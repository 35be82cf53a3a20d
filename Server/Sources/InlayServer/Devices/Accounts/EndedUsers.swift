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

    /// Has the rooms forget those whose time has come.
    func round() async throws {
        let moment = now()
        let due = try await database.read {
            try $0.rows(
                "SELECT * FROM device_ended_users WHERE next_at <= ? ORDER BY next_at LIMIT 100",
                [.moment(moment)])
        }
        for row in due {
            let (environmentID, userID) = (try row.text("environment_id"), try row.text("user_id"))
            let rounds = try row.int("rounds")
            do {
                try await forget(environmentID, userID)
                try await settle(environmentID, userID, rounds)
            } catch is CancellationError {
                // The server stops; this user and those behind are due as before when it is back.
                return
            } catch {
                // One user must not keep the others waiting.
                logger.warning("A user could not be forgotten yet", metadata: ["error": "\(error)"])
                try await postpone(environmentID, userID)
            }
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

    private func settle(_ environmentID: String, _ userID: String, _ rounds: Int) async throws {
        let key: [SQLValue] = [.text(environmentID), .text(userID), .int(rounds)]
        let this = "WHERE environment_id = ? AND user_id = ? AND rounds = ?"
        let next = now() + Self.again
        _ = try await database.write { connection in
            if rounds == 0 {
                try connection.execute(
                    "UPDATE device_ended_users SET rounds = 1, next_at = ? \(this)", [.moment(next)] + key)
            } else {
                try connection.execute("DELETE FROM device_ended_users \(this)", key)
            }
        }
    }

    private func postpone(_ environmentID: String, _ userID: String) async throws {
        let next = now() + Self.afterFailure
        _ = try await database.write {
            try $0.execute(
                "UPDATE device_ended_users SET next_at = ? WHERE environment_id = ? AND user_id = ?",
                [.moment(next), .text(environmentID), .text(userID)])
        }
    }
}
