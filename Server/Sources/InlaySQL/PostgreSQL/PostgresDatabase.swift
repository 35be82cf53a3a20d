import Foundation
import Logging

/// A PostgreSQL database that several nodes share.
///
/// It has connections that read, one for each lane that writes, one that sends notifications, one that receives
/// them, and one that monitors the server.
///
/// Readers see one snapshot (REPEATABLE READ). A writer works at READ COMMITTED like most applications: a body
/// that must not overwrite an update of another lane or node puts the condition into its statement
/// (`UPDATE … WHERE version = ?`).
final class PostgresDatabase: LanedDatabase, GroupCommitting {
    let engine = SQLEngine.postgresql
    private let address: PostgresAddress
    private let readers: ConnectionThreads<PostgresConnection>
    private let analyticsReaders: ConnectionThreads<PostgresConnection>
    private let main: PostgresLane
    private let lanes: WriteLanes<PostgresLane>
    private let publisher: PostgresPublisher
    private let listener: PostgresListener
    private let monitor: PostgresMonitor
    private let hub = NotificationHub()

    var writer: GroupWriter { main.writer }

    /// Connects once, so that a wrong address or password is an error here.
    init(url: String, logger: Logger, statementLimit: Duration?, answerLimit: Duration) async throws {
        let address = try PostgresAddress(
            url: url, statementLimit: statementLimit, answerLimit: answerLimit)
        self.address = address
        let (readers, analyticsReaders) = (Self.readers(address), Self.analyticsReaders(address))
        let main = PostgresLane("main", address: address)
        let lanes = WriteLanes(main: main) { $0.stop() }
        (self.readers, self.analyticsReaders, self.main, self.lanes) = (
            readers, analyticsReaders, main, lanes
        )
        publisher = PostgresPublisher(address: address)
        listener = try PostgresListener(address: address, hub: hub, logger: logger)
        monitor = try PostgresMonitor(address: address) {
            // Refuses the bodies that would exceed their limit before the next check.
            let limit = WaitLimit.maximum - PostgresMonitor.interval
            readers.refuseWaiting(longerThan: limit)
            // Reports may wait longer than the requests of apps.
            analyticsReaders.refuseWaiting(longerThan: WaitLimit.maximum * 6)
            for lane in lanes.all { lane.writer.refuseWaiting(longerThan: limit) }
        }
        do {
            try await monitor.check()
        } catch let error as SQLError where error.kind != .databaseReadOnly {
            stop()
            throw error
        }
    }

    deinit { stop() }

    private static func readers(_ address: PostgresAddress) -> ConnectionThreads<PostgresConnection> {
        // Reading is mostly waiting for the server, so one lane may use more connections than there are processors.
        // Half as many again are left for other lanes when one lane waits for a lock.
        let maximumPerLane = max(4, 2 * ProcessInfo.processInfo.activeProcessorCount)
        return ConnectionThreads(
            count: maximumPerLane + maximumPerLane / 2, maximumPerLane: maximumPerLane, name: "inlay-read"
        ) { _ in
            PostgresConnection(address)
        }
    }

    private static func analyticsReaders(_ address: PostgresAddress) -> ConnectionThreads<PostgresConnection>
    {
        // Each long query occupies a processor, and the requests of apps need some, too.
        let count = max(1, ProcessInfo.processInfo.activeProcessorCount / 2)
        var address = address
        address.settings = "SET max_parallel_workers_per_gather = 0;\n"
        return ConnectionThreads(count: count, name: "inlay-analytics") { [address] _ in
            PostgresConnection(address)
        }
    }

    func lane(_ name: String, sharesCommits: Bool) -> any SQLDatabase {
        let lane = lanes.lane(name, sharesCommits: sharesCommits) {
            PostgresLane(name, address: address, sharesCommits: sharesCommits)
        }
        return LaneDatabase(engineDatabase: self, name: name, writer: lane.writer)
    }

    var forAnalytics: any SQLDatabase {
        LaneDatabase(engineDatabase: self, name: main.name, writer: writer, isForAnalytics: true)
    }

    func read<T: Sendable>(_ body: @escaping @Sendable (any SQLConnection) throws -> T) async throws -> T {
        try await read(lane: main.name, isForAnalytics: false, body)
    }

    func read<T: Sendable>(
        lane: String, isForAnalytics: Bool, _ body: @escaping @Sendable (any SQLConnection) throws -> T
    ) async throws -> T {
        let deadline = isForAnalytics ? nil : ContinuousClock.now + WaitLimit.maximum
        return try await (isForAnalytics ? analyticsReaders : readers).run(lane: lane) { connection in
            try Retry.run {
                do {
                    try connection.beginReading(until: deadline)
                    let result = try BodyConnection.run(body, on: connection)
                    connection.endReading()
                    return result
                } catch {
                    connection.rollback()
                    throw error
                }
            }
        }
    }

    func write<T: Sendable>(_ body: @escaping @Sendable (any SQLConnection) throws -> T) async throws -> T {
        try await main.writer.write(body)
    }

    func migrate(_ migrations: [SQLMigration]) async throws {
        try await main.thread.run { connection in
            try Retry.run { try Migrator(migrations: migrations).run(on: connection) }
        }
    }

    func notify(_ channel: String, _ payload: String) async throws {
        try NotificationHub.check(channel, payload)
        try await publisher.send(payload, on: channel)
    }

    func notifications(_ channel: String) -> AsyncStream<String> {
        defer { listener.listen(channel) }
        return hub.stream(channel)
    }

    func check() async throws { try await monitor.check() }

    func backup(to path: String) async throws {
        throw SQLError(
            .unsupported,
            "PostgreSQL makes its own backups: pg_dump --format=custom --file=FILE ADDRESS, and pg_restore to go back."
        )
    }

    func abandon() {
        stop()
        address.serverState.abandon()
    }

    func close() {
        stop()
        // After `abandon`, only a connection that is being opened can still be running.
        let end = ContinuousClock.now + (address.serverState.isAbandoned ? .seconds(1) : .seconds(60))
        let all = [readers, analyticsReaders] + lanes.all.map(\.thread)
        for threads in all {
            threads.wait(seconds: max(0, ContinuousClock.now.duration(to: end) / .seconds(1)))
        }
    }

    private func stop() {
        lanes.close()
        readers.stop()
        analyticsReaders.stop()
        publisher.stop()
        listener.close()
        monitor.close()
        hub.close()
    }
}

/// A write lane: a connection, its thread and the lane's group commit.
final class PostgresLane: Sendable {
    let name: String
    let writer: GroupWriter
    let thread: ConnectionThreads<PostgresConnection>

    init(_ name: String, address: PostgresAddress, sharesCommits: Bool = true) {
        self.name = name
        let thread = ConnectionThreads(count: 1, name: "inlay-write-\(name)") { _ in
            PostgresConnection(address)
        }
        self.thread = thread
        // A savepoint is a subtransaction, and PostgreSQL caches 64 of them for each backend. With more, visibility
        // checks read the subtransaction log, and one group is slower than two.
        writer = GroupWriter(maximumGroupSize: sharesCommits ? 64 : 1) { work in thread.submit { work($0) } }
    }

    func stop() {
        writer.close()
        thread.stop()
    }
}
