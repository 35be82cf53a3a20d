import InlaySQL
@_spi(Inlay) import InlayWire
import NIOConcurrencyHelpers

extension UserStore {
    /// Creates the user of a request if needed, and remembers the time of the request.
    ///
    /// Returns after a new user's row is committed, so that an event for everyone that follows includes them. For a
    /// known user it costs a lookup in memory and, once an hour, a read; the time is written later.
    package func noteSeen(_ environmentID: EnvironmentID, _ userID: UserID) async throws {
        let name = SeenUsers.Name(environmentID: environmentID, userID: userID)
        let moment = now()
        guard seen.isDue(name, at: moment) else { return }
        let isKnown = try await database.read {
            try $0.row(
                "SELECT 1 AS n FROM users WHERE environment_id = ? AND id = ?",
                [.id(environmentID), .id(userID)]) != nil
        }
        if !isKnown {
            _ = try await database.write { try Self.ensure(environmentID, [userID], at: moment, in: $0) }
        }
        seen.record(name, at: moment)
    }

    /// Writes the times that ``noteSeen(_:_:)`` left for later, in batches with a transaction each.
    package func writeSeen() async throws {
        while !Task.isCancelled {
            let batch = seen.takeUnwritten(maximum: Self.seenPerStatement)
            guard !batch.isEmpty else { return }
            do {
                try await database.write { try Self.write(batch, $0) }
            } catch {
                seen.restore(batch)
                throw error
            }
        }
    }

    /// The number of users in one statement; a power of two.
    private static let seenPerStatement = 512

    private static func write(
        _ batch: [(name: SeenUsers.Name, moment: Timestamp)], _ connection: any SQLConnection
    ) throws {
        // In one order on all nodes, so that one batch waits for the other and they do not deadlock.
        let batch = batch.sorted {
            ($0.name.environmentID, $0.name.userID) < ($1.name.environmentID, $1.name.userID)
        }
        // Always as many rows as the next power of two, so that a connection prepares few statements.
        var size = 1
        while size < batch.count { size *= 2 }
        let padded = batch + Array(repeating: batch[0], count: size - batch.count)
        try connection.execute(
            """
            UPDATE users SET last_seen_at = seen.column3
            FROM (VALUES \(SQLRows.values("(?, ?, ?)", size))) AS seen
            WHERE users.environment_id = seen.column1 AND users.id = seen.column2
            """,
            padded.flatMap { name, moment -> [SQLValue] in
                [.id(name.environmentID), .id(name.userID), .moment(moment)]
            })
    }
}

/// The users who were seen in the last hour, and those of them whose time has not been written yet.
///
/// Users are kept in two generations. When the younger is full it becomes the older one, and those who were in the
/// older are forgotten: at most half of all at once, and those who were seen the longest time ago.
final class SeenUsers: Sendable {
    struct Name: Hashable, Sendable {
        let environmentID: EnvironmentID
        let userID: UserID
    }

    private struct State {
        var younger: [Name: Timestamp] = [:]
        var older: [Name: Timestamp] = [:]
        var unwritten: [Name: Timestamp] = [:]
    }

    /// The maximum number of users in each generation.
    static let maximumPerGeneration = 100_000
    /// The maximum number of users whose time waits to be written.
    static let maximumUnwritten = 200_000
    private let state = NIOLockedValueBox(State())

    /// The number of users that are remembered.
    var count: Int { state.withLockedValue { $0.younger.count + $0.older.count } }

    func isDue(_ name: Name, at moment: Timestamp) -> Bool {
        state.withLockedValue { state in
            guard let last = state.younger[name] ?? state.older[name] else { return true }
            return moment - last >= .seconds(3600)
        }
    }

    func record(_ name: Name, at moment: Timestamp) {
        state.withLockedValue { state in
            // Too many times wait to be written; the user's next request tries again.
            guard state.unwritten.count < Self.maximumUnwritten else { return }
            state.unwritten[name] = moment
            state.older[name] = nil
            if state.younger[name] == nil, state.younger.count >= Self.maximumPerGeneration {
                state.older = state.younger
                state.younger = [:]
            }
            state.younger[name] = moment
        }
    }

    /// Forgets a user, so that the user's next request asks the database again.
    func forget(_ name: Name) {
        state.withLockedValue { state in
            state.younger[name] = nil
            state.older[name] = nil
            state.unwritten[name] = nil
        }
    }

    /// Removes and returns some of the times that are to be written.
    func takeUnwritten(maximum: Int) -> [(name: Name, moment: Timestamp)] {
        state.withLockedValue { state in
            // The collection's own removal would build the dictionary anew for each batch.
            let batch = state.unwritten.prefix(maximum).map { (name: $0.key, moment: $0.value) }
            for entry in batch { state.unwritten[entry.name] = nil }
            return batch
        }
    }

    /// Puts times back that could not be written, unless the user was seen again since.
    func restore(_ batch: [(name: Name, moment: Timestamp)]) {
        state.withLockedValue { state in
            for (name, moment) in batch where state.unwritten[name] == nil { state.unwritten[name] = moment }
        }
    }
}
