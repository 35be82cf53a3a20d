import Dispatch
package import Foundation
package import GRDB
@_spi(Inlay) import InlayWire

/// The SDK's persistent storage: one SQLite file, opened on first use.
///
/// When `write` has returned, its changes survive a crash of the app. A damaged file is renamed; a file that was moved,
/// deleted or replaced while open is given up. In both cases the store reports it and begins anew with a new file.
package final class Store: Sendable {
    /// A write of what this run still holds in memory into a store that began anew.
    package typealias Renewal = @Sendable (Database) throws -> Void

    private struct State {
        var schemas: [StoreSchema] = []
        var migrated = 0
        var renewals: [Renewal] = []
        /// Whether an earlier file of this run was given up and the renewals have not yet written into the new one.
        var isRenewed = false
        var open: OpenStore?
        var url: URL?
        var isClosed = false
    }

    /// The maximum number of files that one access tries, each after the file before it was lost during the access.
    private static let maximumAttempts = 3

    private let location: @Sendable () async throws -> URL
    private let report: @Sendable (StoreIncident) -> Void
    private let clock: any SessionClock
    private let state = Locked(State())
    /// Opening, migrating and closing run here, one after another: they wait for readers, and a reader ends only when a
    /// thread of Swift's concurrency pool is free. On the threads of that pool they could wait for ever.
    private let queue = DispatchQueue(label: "inlay.store")

    /// Creates a store at a location that may only be known later; calls `report` with the reason when it begins anew.
    package init(
        location: @escaping @Sendable () async throws -> URL, clock: any SessionClock,
        report: @escaping @Sendable (StoreIncident) -> Void
    ) {
        self.location = location
        self.clock = clock
        self.report = report
    }

    /// Registers a feature's tables, which the next access creates. A second call for a feature is ignored.
    package func register(_ schema: StoreSchema) {
        state.withLock { state in
            guard !state.schemas.contains(where: { $0.feature == schema.feature }) else { return }
            state.schemas.append(schema)
        }
    }

    /// Adds a write that runs before all others when the store begins anew. It must not retain the store.
    package func onRenewal(_ renewal: @escaping Renewal) {
        state.withLock { $0.renewals.append(renewal) }
    }

    /// Reads in one snapshot.
    package func read<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        try await access { pool in
            // SQLite would go on reading an open file that has lost its name.
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

    /// Returns the open database with all schemas migrated; opens it first if necessary.
    func pool() async throws -> DatabasePool {
        if let ready = try state.withLock({ try Self.ready($0) }) { return ready }
        let url = try await location()
        let (pool, setAside) = try await onQueue { [self] in Result { try open(at: url) } }.get()
        if let setAside { report(.setAside(setAside)) }
        return pool
    }

    /// Returns the open database of a pool; throws `StoreRenewed` when its files are not in place, or when another
    /// database is open by now.
    func current(_ pool: DatabasePool) throws -> OpenStore {
        let open = state.withLock { $0.open }
        guard let open, open.pool === pool else { throw StoreRenewed() }
        try confirm(open)
        return open
    }

    /// Returns when the next start will find what was committed; otherwise gives the database up and throws
    /// `StoreRenewed`.
    func confirm(_ open: OpenStore) throws {
        guard !open.isSafe else { return }
        giveUp(open.pool) { .lost($0) }
        throw StoreRenewed()
    }

    /// Converts an error of SQLite to a `StoreError`; a damaged file is set aside before the next access.
    func translated(_ error: any Error, from pool: DatabasePool) -> any Error {
        guard let error = error as? DatabaseError else { return error }
        // A missing file causes various errors of SQLite.
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
        await onQueue { [state] in
            let (open, url) = state.withLock { state in
                defer { state.open = nil }
                return (state.open, state.url)
            }
            if let open { StoreFile.close(open) }
            finish(url)
        }
    }

    private func onQueue<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
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
            await onQueue {}
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
            // Enqueued under the lock: no access may open the file again before this has run.
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
            // A database that is lost or damaged before it is ready is given up too: no later access would get further.
            do { try prepare(open.pool, now) } catch { throw translated(error, from: open.pool) }
            return (open.pool, setAside)
        } catch let error as DatabaseError {
            throw StoreFile.translated(error)
        }
    }

    /// Migrates all tables, and runs the renewals in a store that began anew.
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

/// The error of an access whose database is no longer the store's: nothing that the access wrote is safe, and it may be
/// repeated in the new database.
struct StoreRenewed: Error {}
