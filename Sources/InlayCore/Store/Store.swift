import Dispatch
package import Foundation
package import GRDB
@_spi(Inlay) import InlayWire

/// The SDK's memory on disk: one SQLite file, opened when it is first needed.
///
/// The changes of a `write` survive a crash of the app once it returned. A damaged file is renamed, one that was
/// moved, deleted or replaced while it is open is given up; either is reported, and a new one takes its place.
package final class Store: Sendable {
    /// Writes what this run still holds in memory into a store that began anew.
    package typealias Renewal = @Sendable (Database) throws -> Void

    private struct State {
        var schemas: [StoreSchema] = []
        var migrated = 0
        var renewals: [Renewal] = []
        /// Whether an earlier file of this run was given up, and the one in its place has not been filled yet.
        var isRenewed = false
        var open: OpenStore?
        var url: URL?
        var isClosed = false
    }

    /// The number of files that one access tries, when each is gone before the access has ended.
    private static let maximumAttempts = 3

    private let location: @Sendable () async throws -> URL
    private let report: @Sendable (StoreIncident) -> Void
    private let clock: any SessionClock
    private let state = Locked(State())
    /// Opening, migrating and closing happen here, one after another: they wait for readers, and a reader is
    /// done only when a thread of the tasks is free. Done on those threads, both would wait for ever.
    private let queue = DispatchQueue(label: "inlay.store")

    /// A store at a place that may only be known later; `report` hears why it began anew.
    package init(
        location: @escaping @Sendable () async throws -> URL, clock: any SessionClock,
        report: @escaping @Sendable (StoreIncident) -> Void
    ) {
        self.location = location
        self.clock = clock
        self.report = report
    }

    /// Adds a feature's tables before the next access. Once per feature; a second call is ignored.
    package func adopt(_ schema: StoreSchema) {
        state.withLock { state in
            guard !state.schemas.contains(where: { $0.feature == schema.feature }) else { return }
            state.schemas.append(schema)
        }
    }

    /// Adds a write that comes before all others when the store begins anew. It must not keep the store alive.
    package func onRenewal(_ renewal: @escaping Renewal) {
        state.withLock { $0.renewals.append(renewal) }
    }

    /// Reads in one snapshot.
    package func read<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        try await access { pool in
            // An open file that has lost its name would go on answering.
            _ = try current(pool)
            return try await pool.read(body)
        }
    }

    /// Writes in one transaction. The body runs again when the store had to begin anew before the write was safe.
    package func write<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        try await access { pool in
            let open = try current(pool)
            let value = try await pool.write(body)
            try confirm(open)
            return value
        }
    }

    /// Runs an access to the open database, and again in a new one each time that it throws `StoreRenewed`.
    func access<Value>(_ body: (DatabasePool) async throws -> Value) async throws -> Value {
        for _ in 1..<Self.maximumAttempts {
            do { return try await attempt(body) } catch is StoreRenewed {}
        }
        do { return try await attempt(body) } catch is StoreRenewed { throw StoreError.filesLost }
    }

    /// The open database with all schemas in place.
    func pool() async throws -> DatabasePool {
        if let ready = try state.withLock({ try Self.ready($0) }) { return ready }
        let url = try await location()
        let (pool, setAside) = try await alone { [self] in Result { try open(at: url) } }.get()
        if let setAside { report(.setAside(setAside)) }
        return pool
    }

    /// The open database of a pool, with its files in place; throws `StoreRenewed` when they are not, or when another
    /// database is open by now.
    func current(_ pool: DatabasePool) throws -> OpenStore {
        let open = state.withLock { $0.open }
        guard let open, open.pool === pool else { throw StoreRenewed() }
        try confirm(open)
        return open
    }

    /// Returns when what was committed to the database is safe. Otherwise gives it up and throws `StoreRenewed`.
    func confirm(_ open: OpenStore) throws {
        guard !open.isSafe else { return }
        giveUp(open.pool) { .lost($0) }
        throw StoreRenewed()
    }

    /// Turns an error of SQLite into one of ours; a damaged file is set aside before the next access.
    func translated(_ error: any Error, from pool: DatabasePool) -> any Error {
        guard let error = error as? DatabaseError else { return error }
        // A file that is gone has many errors.
        do { _ = try current(pool) } catch let renewed { return renewed }
        guard StoreFile.isDamage(error) else { return StoreFile.translated(error) }
        giveUp(pool) { [clock] in StoreFile.setAside($0, at: clock.now()).map(StoreIncident.setAside) }
        return StoreError.damaged
    }

    /// Closes for good and deletes the file with all its companions, damaged ones included.
    package func erase(at known: URL? = nil) async {
        await end { if let url = $0 ?? known { StoreFile.erase(url) } }
    }

    /// Closes for good and keeps the file.
    package func close() async { await end { _ in } }

    private func end(_ finish: @escaping @Sendable (URL?) -> Void) async {
        state.withLock { $0.isClosed = true }
        await alone { [state] in
            let (open, url) = state.withLock { state in
                defer { state.open = nil }
                return (state.open, state.url)
            }
            if let open { StoreFile.close(open) }
            finish(url)
        }
    }

    private func alone<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { caller in queue.async { caller.resume(returning: work()) } }
    }

    private func attempt<Value>(_ body: (DatabasePool) async throws -> Value) async throws -> Value {
        do {
            let pool = try await pool()
            do { return try await body(pool) } catch {
                if state.withLock({ $0.isClosed }) { throw StoreError.loggedOut }
                throw translated(error, from: pool)
            }
        } catch StoreError.damaged {
            // The file is set aside before the caller receives the error.
            await alone {}
            throw StoreError.damaged
        }
    }

    /// Closes a database for good and reports what `finish` returns for its file. The next access opens a new one.
    private func giveUp(_ pool: DatabasePool, _ finish: @escaping @Sendable (URL) -> StoreIncident?) {
        state.withLock { state in
            // Another caller may have done so already.
            guard let open = state.open, open.pool === pool, let url = state.url else { return }
            open.giveUp()
            (state.open, state.migrated, state.isRenewed) = (nil, 0, true)
            // Under the lock: nobody may open the file anew before this.
            queue.async { [report] in
                StoreFile.close(open)
                if let incident = finish(url) { report(incident) }
            }
        }
    }

    private static func ready(_ state: State) throws -> DatabasePool? {
        guard !state.isClosed else { throw StoreError.loggedOut }
        guard state.migrated == state.schemas.count, !state.isRenewed else { return nil }
        return state.open?.pool
    }

    private func open(at url: URL) throws -> (DatabasePool, setAside: URL?) {
        let now = state.withLock { $0 }
        if let ready = try Self.ready(now) { return (ready, nil) }
        do {
            let (open, setAside) = try now.open.map { ($0, nil) } ?? StoreFile.open(url, at: clock.now())
            state.withLock { ($0.open, $0.url) = (open, url) }
            // One that is lost or damaged before it is ready is given up too: no later access would get further.
            do { try prepare(open.pool, now) } catch { throw translated(error, from: open.pool) }
            return (open.pool, setAside)
        } catch let error as DatabaseError {
            throw StoreFile.translated(error)
        }
    }

    /// Brings all tables up to date, and writes what memory holds into a store that began anew.
    private func prepare(_ pool: DatabasePool, _ now: State) throws {
        for schema in now.schemas[now.migrated...] { try StoreFile.migrate(pool, schema) }
        if now.isRenewed {
            try pool.write { database in
                for renewal in now.renewals { try renewal(database) }
            }
        }
        state.withLock { state in
            // Another access may have found damage meanwhile and closed the database.
            guard state.open?.pool === pool else { return }
            (state.migrated, state.isRenewed) = (now.schemas.count, false)
        }
    }
}

/// The database of an access is not the store's any more: nothing of the access is safe, and it may be repeated in
/// the one that takes its place.
struct StoreRenewed: Error {}
