import Dispatch
package import Foundation
package import GRDB
@_spi(Inlay) import InlayWire

/// The SDK's memory on disk: one SQLite file, opened when it is first needed.
///
/// The changes of a `write` survive a crash of the app once it returned. A damaged file is renamed, reported, and
/// replaced by a new one.
package final class Store: Sendable {
    private struct State {
        var schemas: [StoreSchema] = []
        var migrated = 0
        var pool: DatabasePool?
        var url: URL?
        var isClosed = false
    }

    private let location: @Sendable () async throws -> URL
    private let report: @Sendable (URL) -> Void
    private let clock: any SessionClock
    private let state = Locked(State())
    /// Opening, migrating and closing happen here, one after another: they wait for readers, and a reader is
    /// done only when a thread of the tasks is free. Done on those threads, both would wait for ever.
    private let queue = DispatchQueue(label: "inlay.store")

    /// A store at a place that may only be known later; `report` hears of damaged files.
    package init(
        location: @escaping @Sendable () async throws -> URL, clock: any SessionClock,
        report: @escaping @Sendable (URL) -> Void
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

    /// Reads in one snapshot.
    package func read<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        let pool = try await pool()
        return try await guarded(pool) { try await pool.read(body) }
    }

    /// Writes in one transaction.
    package func write<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        let pool = try await pool()
        return try await guarded(pool) { try await pool.write(body) }
    }

    /// The open database with all schemas in place.
    func pool() async throws -> DatabasePool {
        if let ready = try state.withLock({ try Self.ready($0) }) { return ready }
        let url = try await location()
        let (pool, setAside) = try await alone { [self] in Result { try open(at: url) } }.get()
        if let setAside { report(setAside) }
        return pool
    }

    /// Turns an error of SQLite into one of ours; a damaged file is set aside before the next access.
    func translated(_ error: any Error, from pool: DatabasePool) -> any Error {
        guard let error = error as? DatabaseError else { return error }
        guard StoreFile.isDamage(error) else { return StoreFile.translated(error) }
        state.withLock { state in
            // Another caller may have replaced it already.
            guard state.pool === pool, let url = state.url else { return }
            (state.pool, state.migrated) = (nil, 0)
            // Under the lock: nobody may open the file anew before this.
            queue.async { [report, clock] in
                try? pool.close()
                if let setAside = StoreFile.setAside(url, at: clock.now()) { report(setAside) }
            }
        }
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
            let (pool, url) = state.withLock { state in
                defer { state.pool = nil }
                return (state.pool, state.url)
            }
            try? pool?.close()
            finish(url)
        }
    }

    private func alone<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { caller in queue.async { caller.resume(returning: work()) } }
    }

    private func guarded<Value>(
        _ pool: DatabasePool, _ body: () async throws -> Value
    ) async throws -> Value {
        do { return try await body() } catch {
            if state.withLock({ $0.isClosed }) { throw StoreError.loggedOut }
            let failure = translated(error, from: pool)
            // Whoever is told of the damage finds the file set aside.
            if case .damaged = failure as? StoreError { await alone {} }
            throw failure
        }
    }

    private static func ready(_ state: State) throws -> DatabasePool? {
        guard !state.isClosed else { throw StoreError.loggedOut }
        return state.migrated == state.schemas.count ? state.pool : nil
    }

    private func open(at url: URL) throws -> (DatabasePool, setAside: URL?) {
        let now = state.withLock { $0 }
        if let ready = try Self.ready(now) { return (ready, nil) }
        do {
            let (pool, setAside) = try now.pool.map { ($0, nil) } ?? StoreFile.open(url, at: clock.now())
            state.withLock { ($0.pool, $0.url) = (pool, url) }
            for schema in now.schemas[now.migrated...] { try StoreFile.migrate(pool, schema) }
            state.withLock { state in
                // Damage that somebody met meanwhile took the pool away.
                if state.pool === pool { state.migrated = now.schemas.count }
            }
            return (pool, setAside)
        } catch let error as DatabaseError {
            throw StoreFile.translated(error)
        }
    }
}
