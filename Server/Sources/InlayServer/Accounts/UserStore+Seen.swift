import InlaySQL
import InlayWire
import NIOConcurrencyHelpers

extension UserStore {
    /// Makes sure that a user who sent a request is known, and remembers when that was.
    ///
    /// Returns after a new user's row is committed, so that an event for everyone that follows includes
    /// them. For a known user it costs a look in memory, once an hour a read; the time is written later.
    package func noteSeen(_ environmentID: String, _ userID: String) async throws {
        let name = SeenUsers.Name(environmentID: environmentID, userID: userID)
        let moment = now()
        guard seen.isDue(name, at: moment) else { return }
        let isKnown = try await database.read {
            try $0.row(
                "SELECT 1 AS n FROM users WHERE environment_id = ? AND id = ?",
                [.text(environmentID), .text(userID)]) != nil
        }
        if !isKnown {
            _ = try await database.write { try Self.ensure(environmentID, [userID], at: moment, in: $0) }
        }
        seen.saw(name, at: moment)
    }

    /// Writes the times that ``noteSeen(_:_:)`` left for later, in one transaction.
    package func writeSeen() async throws {
        let due = seen.takeUnwritten()
        guard !due.isEmpty else { return }
        _ = try await database.write { connection in
            for (name, moment) in due {
                try connection.execute(
                    "UPDATE users SET last_seen_at = ? WHERE environment_id = ? AND id = ?",
                    [.integer(moment.microseconds), .text(name.environmentID), .text(name.userID)])
            }
        }
    }
}

/// Who was seen in the last hour, and whose time has not been written yet.
final class SeenUsers: Sendable {
    struct Name: Hashable, Sendable {
        let environmentID: String
        let userID: String
    }

    private struct State {
        var lately: [Name: Timestamp] = [:]
        var unwritten: [Name: Timestamp] = [:]
    }

    private static let most = 200_000
    private let state = NIOLockedValueBox(State())

    func isDue(_ name: Name, at moment: Timestamp) -> Bool {
        state.withLockedValue { state in
            guard let last = state.lately[name] else { return true }
            return moment - last >= .seconds(3600)
        }
    }

    func saw(_ name: Name, at moment: Timestamp) {
        state.withLockedValue { state in
            if state.lately.count >= Self.most { state.lately.removeAll() }
            state.lately[name] = moment
            state.unwritten[name] = moment
        }
    }

    /// The next request of this user asks the database again.
    func forget(_ name: Name) {
        state.withLockedValue { state in
            state.lately[name] = nil
            state.unwritten[name] = nil
        }
    }

    func takeUnwritten() -> [Name: Timestamp] {
        state.withLockedValue { state in
            defer { state.unwritten.removeAll() }
            return state.unwritten
        }
    }
}
