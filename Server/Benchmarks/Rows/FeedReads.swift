import Foundation
import InlayCardsServer
import InlayServerCore
@_spi(Inlay) import InlayWire

/// A measurement of reads of whole feeds of 20 cards by random users. The baseline is an empty route; PostgreSQL is
/// compared with SQLite.
struct FeedReads {
    /// The script that starts a PostgreSQL.
    let postgres: String
    let users: Int
    let seconds: Int
    private static let cards = 20
    /// The number of users whose feeds are read; the others only make the tables large.
    private static let readers = 10_000

    func measure() async throws -> [BenchRow] {
        let limit = try await emptyRoute()
        let sqlite = try await reads()
        let shared = try await reads(on: postgres)
        return [
            BenchRow(
                name: "feed of \(Self.cards) cards, \(users) users", value: sqlite.full, unit: "/s",
                budget: 5_000, peer: .init(name: "empty Hummingbird route", value: limit)),
            Self.atHalf(sqlite),
            BenchRow(
                name: "  on PostgreSQL", value: shared.full, unit: "/s",
                peer: .init(name: "on SQLite", value: sqlite.full)),
            Self.atHalf(shared, beside: sqlite),
        ]
    }

    private struct Speeds {
        /// The maximum rate of responses per second.
        let full: Double
        let half: Wrk.Outcome
    }

    private static func atHalf(_ speeds: Speeds, beside sqlite: Speeds? = nil) -> BenchRow {
        let rate = "\(speeds.half.requestsPerSecond.rounded().formatted(.number.grouping(.never)))"
        return BenchRow(
            name: "  p99 at \(rate)/s", value: speeds.half.p99Millis, unit: "ms", budget: 20, better: .lower,
            peer: sqlite.map { BenchRow.Peer(name: "on SQLite", value: $0.half.p99Millis) })
    }

    private func reads(on script: String? = nil) async throws -> Speeds {
        let server = try await RunningServer(
            SeedOptions(users: users, cards: Self.cards), postgres: script)
        defer { server.stop() }
        var wrk = Wrk(url: server.access.baseURL)
        wrk.requests = try requests(server.access)
        wrk.seconds = seconds
        // About one request for each user, so that tokens are verified and database pages are cached.
        _ = try await wrk.run()
        let full = try await checked(wrk)
        wrk.rate = full.requestsPerSecond / 2
        return Speeds(full: full.requestsPerSecond, half: try await checked(wrk))
    }

    private func emptyRoute() async throws -> Double {
        let empty = try ChildProcess.startSelf(["empty"])
        defer { empty.stop() }
        var wrk = Wrk(url: "http://127.0.0.1:\(try await empty.line(after: "PORT "))/")
        wrk.seconds = seconds
        return try await checked(wrk).requestsPerSecond
    }

    private func requests(_ access: ServerAccess) throws -> [(path: String, headers: [String: String])] {
        let signer = try access.signer()
        let path = InlayPath.cardFeed(container: ServerAccess.container)
        return try stride(from: 0, to: users, by: max(1, users / Self.readers)).map { number in
            let headers = try access.headers(user: ServerAccess.user(number), signer: signer)
            return (path, Dictionary(headers) { first, _ in first })
        }
    }

    /// Runs the load; throws when a request failed, because failures are faster than responses.
    private func checked(_ wrk: Wrk) async throws -> Wrk.Outcome {
        let outcome = try await wrk.run()
        guard outcome.failures == 0, outcome.requestsPerSecond > 0 else {
            throw BenchError("\(outcome.failures) requests failed under load.")
        }
        return outcome
    }
}
