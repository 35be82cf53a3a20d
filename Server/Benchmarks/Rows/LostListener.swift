import InlaySQL
import InlayServerCore
@_spi(Inlay) import InlayWire
import NIOConcurrencyHelpers
import NIOPosix

/// A measurement of sockets whose node has lost its `LISTEN` connection: each must get the version of its feed again.
struct LostListener {
    /// The script that starts a PostgreSQL.
    let postgres: String
    let sockets: Int

    func measure() async throws -> [BenchRow] {
        // The limit of open files applies to the bench and to the server, and each end of a socket is an open file.
        let count = min(sockets, FileDescriptors.raise() - 500)
        let server = try await RunningServer(
            SeedOptions(users: count, cards: 1), postgres: postgres)
        defer { server.stop() }
        let access = server.access
        let signer = try access.signer()
        let subscribe = try IdleSockets.subscribe()
        let messageCount = NIOLockedValueBox(0)
        let opened = try await SocketLoad.open(count) { number in
            try await RawSocket.open(
                host: "127.0.0.1", port: access.port, path: InlayPath.socket,
                headers: access.headers(user: ServerAccess.user(number), signer: signer),
                firstMessage: subscribe,
                on: MultiThreadedEventLoopGroup.singleton,
                onText: { messageCount.withLockedValue { $0 += 1 } })
        }
        let before = try await settled(messageCount)
        let start = ContinuousClock.now
        try await endListener(server.databaseURL)
        while messageCount.withLockedValue({ $0 }) < before + count {
            guard ContinuousClock.now - start < .seconds(60) else {
                throw BenchError("Not all \(count) sockets were notified within a minute.")
            }
            // The time is printed in hundredths of a second, for which this is fine enough.
            try await Task.sleep(for: .milliseconds(5))
        }
        let time = (ContinuousClock.now - start) / .seconds(1)
        guard opened.openCount == count else { throw BenchError("Sockets were lost.") }
        await opened.close()
        return [
            BenchRow(
                name: "\(count) sockets notified after a lost listener", value: time, unit: "s", budget: 3,
                better: .lower)
        ]
    }

    /// Returns the number of messages once none has arrived for two seconds: every socket gets one when it subscribes.
    private func settled(_ messageCount: NIOLockedValueBox<Int>) async throws -> Int {
        var last = -1
        while true {
            let now = messageCount.withLockedValue { $0 }
            if now == last { return now }
            last = now
            // A sleep, because no event reports that the last subscription was answered.
            try await Task.sleep(for: .seconds(2))
        }
    }

    private func endListener(_ url: String) async throws {
        let database = try await SQLDatabaseURL.open(url)
        defer { database.close() }
        let ended = try await database.read { connection in
            try connection.rows(
                """
                SELECT CAST(pg_terminate_backend(pid) AS INTEGER) AS ended FROM pg_stat_activity
                WHERE query LIKE 'LISTEN %'
                """)
        }
        guard !ended.isEmpty else { throw BenchError("Nobody listens.") }
    }
}
