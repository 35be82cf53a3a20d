import InlaySQL
import InlayServerCore
import NIOConcurrencyHelpers

/// Commits the events of many requests together: requests that wait while one transaction is under way share
/// the next.
///
/// The database groups writes too, but gives each a savepoint and statements of its own. Events have been
/// checked, so none can fail alone: a group is inserted many rows a statement, and stands or falls as one.
/// The requests do the work themselves: the first writes for all that wait, then hands the turn on. At
/// most two groups are under way, so that one is ready while the other reaches the disk.
final class EventWriter: Sendable {
    private enum Role { case written, lead }

    private struct Job: Sendable {
        let environmentID: EnvironmentID
        let rows: [EventRow]
        /// `nil` for the leader's own.
        let caller: CheckedContinuation<Role, any Error>
    }

    private struct State {
        var waiting: [Job] = []
        var waitingRows = 0
        var leaders = 0
    }

    private static let maximumLeaders = 2
    private static let groupRows = 4_000
    private let database: any SQLDatabase
    private let state = NIOLockedValueBox(State())

    init(database: any SQLDatabase) { self.database = database }

    /// Returns after the rows are committed. Throws kind `overloaded` when too many wait already.
    func write(_ environmentID: EnvironmentID, _ rows: [EventRow]) async throws {
        let role: Role = try await withCheckedThrowingContinuation { caller in
            let answer = state.withLockedValue { state -> Result<Role, any Error>? in
                guard state.waitingRows < BehaviorLimits.waitingEvents else {
                    return .failure(Overloaded())
                }
                if state.leaders < Self.maximumLeaders {
                    state.leaders += 1
                    return .success(.lead)
                }
                state.waiting.append(Job(environmentID: environmentID, rows: rows, caller: caller))
                state.waitingRows += rows.count
                return nil
            }
            if let answer { caller.resume(with: answer) }
        }
        guard role == .lead else { return }
        try await lead(environmentID, rows)
    }

    /// Writes for itself and for those who wait, then lets the next one lead.
    private func lead(_ environmentID: EnvironmentID, _ rows: [EventRow]) async throws {
        let group = takeGroup(maximumRows: Self.groupRows - rows.count)
        let parts = [(environmentID, rows)] + group.map { ($0.environmentID, $0.rows) }
        let outcome: Result<Void, any Error>
        do {
            try await database.write { try Self.insert(parts, $0) }
            outcome = .success(())
        } catch {
            outcome = .failure(error)
        }
        handOn()
        for job in group { job.caller.resume(with: outcome.map { .written }) }
        try outcome.get()
    }

    private func takeGroup(maximumRows: Int) -> [Job] {
        state.withLockedValue { state in
            var rows = 0
            var count = 0
            for job in state.waiting {
                rows += job.rows.count
                if rows > maximumRows { break }
                count += 1
            }
            let group = Array(state.waiting.prefix(count))
            state.waiting.removeFirst(count)
            state.waitingRows -= group.reduce(0) { $0 + $1.rows.count }
            return group
        }
    }

    private func handOn() {
        let next = state.withLockedValue { state -> Job? in
            guard !state.waiting.isEmpty else {
                state.leaders -= 1
                return nil
            }
            let job = state.waiting.removeFirst()
            state.waitingRows -= job.rows.count
            return job
        }
        next?.caller.resume(returning: .lead)
    }

    private static func insert(
        _ parts: [(environmentID: EnvironmentID, rows: [EventRow])], _ connection: any SQLConnection
    ) throws {
        let all = parts.flatMap { part in part.rows.map { (part.environmentID, $0) } }
        for group in SQLRows.groups(all) {
            var arguments: [SQLValue] = []
            arguments.reserveCapacity(group.count * EventRow.columns)
            for (environmentID, row) in group { row.append(environmentID, to: &arguments) }
            try connection.execute(statement(group.count), arguments)
        }
    }

    private static func statement(_ count: Int) -> String { statements[count] ?? makeStatement(count) }

    /// The texts for the sizes of groups, made once.
    private static let statements = Dictionary(
        uniqueKeysWithValues: SQLRows.groupSizes.map { ($0, makeStatement($0)) })

    private static func makeStatement(_ count: Int) -> String {
        "\(EventRow.insert) \(SQLRows.values(EventRow.tuple, count)) ON CONFLICT (environment_id, event_id) DO NOTHING"
    }

    /// Too many events wait for the disk.
    struct Overloaded: Error {}
}
