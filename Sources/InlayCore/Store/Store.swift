package import Foundation
package import GRDB
import InlayWire

/// The SDK's memory on disk: one SQLite file, opened when it is first needed.
///
/// What a `write` did is safe from a crash of the app when it returns. A file that turns out to be
/// damaged is renamed, reported, and replaced by a new one.
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
        // Opening blocks for some milliseconds, once; the lock keeps a second caller from opening too.
        let (pool, setAside) = try state.withLock { try Self.open(&$0, at: url, clock: clock) }
        if let setAside { report(setAside) }
        return pool
    }

    /// Turns an error of SQLite into one of ours; a damaged file is set aside on the way.
    func translated(_ error: any Error, from pool: DatabasePool) -> any Error {
        guard let error = error as? DatabaseError else { return error }
        guard StoreFile.isDamage(error) else { return StoreFile.translated(error) }
        let setAside = state.withLock { state -> URL? in
            // Another caller may have replaced it already.
            guard state.pool === pool, let url = state.url else { return nil }
            try? pool.close()
            (state.pool, state.migrated) = (nil, 0)
            return StoreFile.setAside(url, at: clock.now())
        }
        if let setAside { report(setAside) }
        return StoreError.damaged
    }

    /// Closes for good and deletes the file with all its companions, damaged ones included.
    package func erase(at known: URL? = nil) {
        let (pool, url) = state.withLock { state in
            state.isClosed = true
            defer { state.pool = nil }
            return (state.pool, state.url ?? known)
        }
        try? pool?.close()
        if let url { StoreFile.erase(url) }
    }

    /// Closes for good and keeps the file.
    package func close() {
        let pool = state.withLock { state in
            state.isClosed = true
            defer { state.pool = nil }
            return state.pool
        }
        try? pool?.close()
    }

    private func guarded<Value>(
        _ pool: DatabasePool, _ body: () async throws -> Value
    ) async throws -> Value {
        do { return try await body() } catch {
            if state.withLock({ $0.isClosed }) { throw StoreError.loggedOut }
            throw translated(error, from: pool)
        }
    }

    private static func ready(_ state: State) throws -> DatabasePool? {
        guard !state.isClosed else { throw StoreError.loggedOut }
        return state.migrated == state.schemas.count ? state.pool : nil
    }

    private static func open(
        _ state: inout State, at url: URL, clock: any SessionClock
    ) throws -> (DatabasePool, setAside: URL?) {
        if let ready = try ready(state) { return (ready, nil) }
        var setAside: URL?
        do {
            if state.pool == nil {
                (state.pool, setAside) = try StoreFile.open(url, at: clock.now())
                state.url = url
            }
            guard let pool = state.pool else { throw StoreError.damaged }
            for schema in state.schemas[state.migrated...] { try StoreFile.migrate(pool, schema) }
            state.migrated = state.schemas.count
            return (pool, setAside)
        } catch let error as DatabaseError {
            throw StoreFile.translated(error)
        }
    }
}
