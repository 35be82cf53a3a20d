import Foundation
import GRDB
import InlayServerCore

/// A measurement of the intake of events at `/rest/events/submission`, which responds after the commit.
///
/// The baselines are an empty HTTP route and bare SQLite inserts; PostgreSQL is compared with SQLite.
struct EventIntakeRate {
    /// The script that starts a PostgreSQL.
    let postgres: String
    let seconds: Int
    private static let batch = 50

    func measure() async throws -> [BenchRow] {
        let limit = try await emptyRoute()
        let single = try await events(1)
        let batched = try await events(Self.batch)
        let singleShared = try await events(1, on: postgres)
        let batchedShared = try await events(Self.batch, on: postgres)
        let bare = try await bareInserts()
        return [
            BenchRow(
                name: "event intake, single events", value: single, unit: "/s", budget: 12_000,
                peer: .init(name: "empty Hummingbird route", value: limit)),
            besideSQLite(singleShared, single),
            BenchRow(
                name: "event intake, batches of \(Self.batch), events", value: batched, unit: "/s",
                budget: 50_000, peer: .init(name: "bare SQLite inserts of the same rows", value: bare)),
            besideSQLite(batchedShared, batched),
        ]
    }

    private func besideSQLite(_ value: Double, _ sqlite: Double) -> BenchRow {
        BenchRow(
            name: "  on PostgreSQL", value: value, unit: "/s", budget: 0.6 * sqlite,
            peer: .init(name: "on SQLite", value: sqlite))
    }

    /// Returns the events per second for a batch size; throws unless the acknowledged events are in the database.
    private func events(_ count: Int, on script: String? = nil) async throws -> Double {
        let server = try await RunningServer(postgres: script)
        defer { server.stop() }
        var wrk = Wrk(url: server.access.baseURL + "/rest/events/submission")
        wrk.requestScript = Self.lua(events: count, token: server.access.accessToken)
        wrk.connections = count == 1 ? 256 : 64
        wrk.seconds = seconds
        let outcome = try await wrk.run()
        guard outcome.failures == 0 else { throw BenchError("\(outcome.failures) submissions failed.") }
        server.halt()
        let kept = try await server.count("behavior_events")
        guard Double(kept) >= outcome.requestsPerSecond * Double(seconds * count) * 0.99 else {
            throw BenchError("Only \(kept) events were kept.")
        }
        return outcome.requestsPerSecond * Double(count)
    }

    private func emptyRoute() async throws -> Double {
        let empty = try ChildProcess.startSelf(["empty"])
        defer { empty.stop() }
        var wrk = Wrk(url: "http://127.0.0.1:\(try await empty.line(after: "PORT "))/")
        wrk.seconds = seconds
        return try await wrk.run().requestsPerSecond
    }

    /// Returns the rows per second of inserts into the same table with the same indexes, by one prepared statement,
    /// with 500 rows in a commit.
    private func bareInserts() async throws -> Double {
        let server = try await RunningServer()
        defer { server.stop() }
        server.halt()
        let database = try Self.database(server.databasePath)
        let limit: Duration = .seconds(min(seconds, 5))
        return try await database.writeWithoutTransaction { connection in
            try connection.execute(sql: "PRAGMA synchronous = FULL")
            let statement = try connection.makeStatement(
                sql: """
                    INSERT INTO behavior_events (environment_id, event_id, user_id, contact_id, code, name,
                        campaign, happened_at, received_at, stated_at, attributes)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                    ON CONFLICT (environment_id, event_id) DO NOTHING
                    """)
            let start = ContinuousClock.now
            var count = 0
            while ContinuousClock.now - start < limit {
                try connection.inTransaction {
                    for _ in 0..<500 {
                        try statement.execute(arguments: Self.row(count))
                        count += 1
                    }
                    return .commit
                }
            }
            return Double(count) / (ContinuousClock.now - start).seconds
        }
    }

    private static func database(_ path: String) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.journalMode = .wal
        return try DatabaseQueue(path: path, configuration: configuration)
    }

    private static func row(_ number: Int) -> StatementArguments {
        let now = Int64(Date().timeIntervalSince1970 * 1_000_000)
        let pairs = attributes(number).map { "[\"\($0.0)\",\"\($0.1)\"]" }.joined(separator: ",")
        return [
            ServerAccess.environment.rawValue, String(format: "0198c0de-0000-7000-8000-%012d", number),
            "user-\(number % 1_000)",
            nil, 17, "Looked at pier", "Spring", now, now, nil, "[\(pairs)]",
        ]
    }

    private static func attributes(_ number: Int) -> [(String, String)] {
        [
            ("Event Name", "Looked at pier"), ("Campaign Name", "Spring"), ("Device Name", "iPhone"),
            ("OS Version", "18.1"), ("Primary User Id", "user-\(number % 1_000)"),
        ]
    }

    /// Returns Lua code that sends events with unique ids, so that none is dropped as a duplicate.
    private static func lua(events: Int, token: String) -> String {
        let attributes = Self.attributes(0).dropLast().map { "{\"name\":\"\($0.0)\",\"value\":\"\($0.1)\"}" }
            .joined(separator: ",")
        return """
            local number = 0
            local moment = os.date("!%Y-%m-%dT%H:%M:%S.000Z")
            local event = '{"id":"0198c0de-0000-7000-8000-%012d","eventTypeCode":"17","eventTimestamp":"' .. moment ..
              '","attributes":[\(attributes),{"name":"Primary User Id","value":"user-%d"}]}'
            wrk.method = "POST"
            wrk.headers["Content-Type"] = "application/json"
            wrk.headers["Authorization"] = "Bearer \(token)"
            function request()
              local list = {}
              for i = 1, \(events) do
                number = number + 1
                list[i] = event:format(number, number % 1000)
              end
              return wrk.format(nil, nil, nil, '{"events":[' .. table.concat(list, ",") .. ']}')
            end
            """
    }
}
