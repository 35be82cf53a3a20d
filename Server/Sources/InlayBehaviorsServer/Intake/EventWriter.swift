import InlaySQL
import InlayServerCore
import NIOConcurrencyHelpers

/// A writer that commits the events of several requests in one transaction: requests that wait during one
/// transaction share the next.
///
/// The database groups writes too, but with a savepoint and statements for each. Events were validated before, so
/// that none is expected to fail alone: a group is inserted with many rows per statement, and fails as a whole.
/// No task of its own writes: one request, the leader, writes for all that wait, then makes the next one the leader.
/// At most two transactions run, so that the second is prepared while the first reaches the disk.
final class EventWriter: Sendable {
    private enum Role { case written, lead }

    private struct Job: Sendable {
        let environmentID: EnvironmentID
        let rows: [EventRow]
        /// The waiting request.
        let caller: CheckedContinuation<Role, any Error>

        var size: Int { rows.reduce(0) { $0 + $1.size } }
    }

    private struct State {
        private(set) var waiting: [Job] = []
        private var waitingRows = 0
        private var waitingBytes = 0
        var leaders = 0

        var isFull: Bool {
            waitingRows >= BehaviorLimits.maximumWaitingEvents
                || waitingBytes >= BehaviorLimits.maximumWaitingBytes
        }

        mutating func append(_ job: Job) {
            waiting.append(job)
            waitingRows += job.rows.count
            waitingBytes += job.size
        }

        mutating func removeFirst(_ count: Int) -> [Job] {
            let jobs = Array(waiting.prefix(count))
            waiting.removeFirst(count)
            waitingRows -= jobs.reduce(0) { $0 + $1.rows.count }
            waitingBytes -= jobs.reduce(0) { $0 + $1.size }
            return jobs
        }
    }

    private static let maximumLeaders = 2
    private static let maximumGroupRows = 4_000
    private let database: any SQLDatabase
    private let state = NIOLockedValueBox(State())

    init(database: any SQLDatabase) { self.database = database }

    /// Inserts the rows and returns after the commit. Throws ``Overloaded`` when 100,000 events or 64 MiB wait already.
    func write(_ environmentID: EnvironmentID, _ rows: [EventRow]) async throws {
        let role: Role = try await withCheckedThrowingContinuation { caller in
            let answer = state.withLockedValue { state -> Result<Role, any Error>? in
                guard !state.isFull else { return .failure(Overloaded()) }
                if state.leaders < Self.maximumLeaders {
                    state.leaders += 1
                    return .success(.lead)
                }
                state.append(Job(environmentID: environmentID, rows: rows, caller: caller))
                return nil
            }
            if let answer { caller.resume(with: answer) }
        }
        guard role == .lead else { return }
        try await lead(environmentID, rows)
    }

    /// Writes the leader's rows and those of waiting requests, then makes the next request the leader.
    private func lead(_ environmentID: EnvironmentID, _ rows: [EventRow]) async throws {
        let group = takeGroup(maximumRows: Self.maximumGroupRows - rows.count)
        let parts = [(environmentID, rows)] + group.map { ($0.environmentID, $0.rows) }
        let outcome: Result<Void, any Error>
        do {
            try await database.write { try Self.insert(parts, $0) }
            outcome = .success(())
        } catch {
            outcome = .failure(error)
        }
        passLeadership()
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
            return state.removeFirst(count)
        }
    }

    private func passLeadership() {
        let next = state.withLockedValue { state -> Job? in
            guard !state.waiting.isEmpty else {
                state.leaders -= 1
                return nil
            }
            return state.removeFirst(1).first
        }
        next?.caller.resume(returning: .lead)
    }

    private static func insert(
        _ parts: [(environmentID: EnvironmentID, rows: [EventRow])], _ connection: any SQLConnection
    ) throws {
        let all = parts.flatMap { part in part.rows.map { (part.environmentID, $0) } }
        for group in SQLRows.groups(all) {
            var arguments: [SQLValue] = []
            arguments.reserveCapacity(group.count * EventRow.columnCount)
            for (environmentID, row) in group { row.append(environmentID, to: &arguments) }
            try connection.execute(statement(group.count), arguments)
        }
    }

    private static func statement(_ count: Int) -> String { statements[count] ?? makeStatement(count) }

    /// The statements by the number of their rows.
    private static let statements = Dictionary(
        uniqueKeysWithValues: SQLRows.groupSizes.map { ($0, makeStatement($0)) })

    private static func makeStatement(_ count: Int) -> String {
        let rows = SQLRows.values(EventRow.placeholders, count)
        return "\(EventRow.insertStatement) \(rows) ON CONFLICT (environment_id, event_id) DO NOTHING"
    }

    /// The error when too many events wait to be written.
    struct Overloaded: Error {}
}
