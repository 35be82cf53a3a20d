import Foundation
import InlayAdsServer
import InlayBehaviorsServer
import InlayCardsServer
@_spi(Inlay) import InlayCore
import InlayDevicesServer
import InlayHubServer
import InlayNIO
import InlaySQL
import InlayServerCore
@_spi(Inlay) import InlayWire

/// A measurement of the response times of an app's requests while the event explorer runs long queries, and of single
/// cards while the tables of events are locked.
struct FeatureIsolation {
    /// The script that starts a PostgreSQL.
    let postgres: String
    /// The number of events that the explorer queries.
    let events: Int
    let seconds: Int
    private static let pages = 6
    private static let users = 1_000

    func measure() async throws -> [BenchRow] {
        try await rows(on: postgres) + rows(on: nil)
    }

    private func rows(on script: String?) async throws -> [BenchRow] {
        let server = try await RunningServer(
            SeedOptions(users: Self.users, cards: 3, events: events), postgres: script)
        defer { server.stop() }
        let engine = script == nil ? "SQLite" : "PostgreSQL"
        let client = try Client(access: server.access)
        let counts = try client.counts()
        _ = try await counts.run(seconds: 1)
        let alone = try await counts.run(seconds: seconds)
        let (pages, beside) = try await counts.run {
            try await client.openPages(Self.pages, seconds: seconds)
        }
        let explorer = BenchRow(
            name: "counts of cards beside \(Self.pages) explorer pages, p99, \(engine)",
            value: beside.p99Millis, unit: "ms", budget: 2 * alone.p99Millis, better: .lower,
            peer: .init(name: "alone", value: alone.p99Millis))
        let page = BenchRow(name: "  a page of the explorer", value: pages, unit: "s", better: .lower)
        if script == nil { return [explorer, page] }
        return [explorer, page, try await lockedRow(server)]
    }

    private func lockedRow(_ server: RunningServer) async throws -> BenchRow {
        let backend = try Backend(server.access)
        let cards = SteadyRequests { number in
            try await backend.publish(
                BenchSeed.eventNames[0], to: ServerAccess.user(number % Self.users),
                lifecycle: UUID().uuidString, title: "Single \(number)")
        }
        _ = try await cards.run(seconds: 1)
        let alone = try await cards.run(seconds: seconds)
        let database = try await SQLDatabaseURL.open(server.databaseURL)
        defer { database.close() }
        let locked = try await cards.run { [seconds] in
            try await database.write { connection in
                try connection.execute(
                    "LOCK TABLE behavior_events, analytics_events IN ACCESS EXCLUSIVE MODE")
                // Sleeps between statements, because PostgreSQL's time limit applies to statements.
                Thread.sleep(forTimeInterval: Double(seconds))
            }
        }.outcome
        return BenchRow(
            name: "card sent while the tables of events are locked, p99", value: locked.p99Millis, unit: "ms",
            better: .lower, peer: .init(name: "alone", value: alone.p99Millis))
    }
}

/// The clients of the measurement: apps that request counts, and an operator who opens the event explorer.
private struct Client: Sendable {
    let access: ServerAccess
    let transport: NIOTransport

    init(access: ServerAccess) throws {
        self.access = access
        transport = try NIOTransport()
    }

    func counts() throws -> SteadyRequests {
        let signer = try access.signer()
        let users = try (0..<100).map { number in
            Dictionary(try access.headers(user: ServerAccess.user(number), signer: signer)) { first, _ in
                first
            }
        }
        return SteadyRequests { number in
            try await get(InlayPath.cardCounts, users[number % users.count])
        }
    }

    /// Opens a number of pages concurrently and repeatedly, and returns the mean time of a page in seconds.
    func openPages(_ count: Int, seconds: Int) async throws -> Double {
        let end = ContinuousClock.now + .seconds(seconds)
        let path = "/workbench/e/\(ServerAccess.environment)/behaviors/explorer?days=90&by=name"
        return try await withThrowingTaskGroup(of: [Double].self) { group in
            for _ in 0..<count {
                // Ends with the first page that arrives after the end.
                group.addTask {
                    var spans: [Double] = []
                    while spans.isEmpty || ContinuousClock.now < end {
                        let start = ContinuousClock.now
                        try await get(path, ["Cookie": access.operatorCookie])
                        spans.append((ContinuousClock.now - start) / .seconds(1))
                    }
                    return spans
                }
            }
            let spans = try await group.reduce(into: [Double]()) { $0 += $1 }
            return spans.reduce(0, +) / Double(spans.count)
        }
    }

    private func get(_ path: String, _ headers: [String: String]) async throws {
        guard let url = URL(string: access.baseURL + path) else { throw BenchError("\(path) is no path.") }
        let answer = try await transport.send(
            TransportRequest(url: url, headers: headers, timeout: .seconds(120)))
        guard answer.status == 200 else { throw BenchError("\(path): \(answer.status)") }
    }
}
