import Foundation
import InlayWire

/// Reads of whole feeds of 20 cards by users chosen at random, beside an empty route.
struct FeedReads {
    let users: Int
    let seconds: Int
    private static let cards = 20
    /// So many users are asked for; the others only make the tables large.
    private static let askers = 10_000

    func measure() async throws -> [BenchRow] {
        let limit = try await emptyRoute()
        let server = try await RunningServer(users: users, cards: Self.cards)
        defer { server.stop() }
        var wrk = Wrk(url: server.access.baseURL)
        wrk.requests = try requests(server.access)
        wrk.seconds = seconds
        // Each asker once or so: tokens are verified and pages of the database read for the first time.
        _ = try await wrk.run()
        let full = try await checked(wrk)
        wrk.rate = full.requestsPerSecond / 2
        let half = try await checked(wrk)
        let tenth = "\(half.requestsPerSecond.rounded().formatted(.number.grouping(.never)))"
        return [
            BenchRow(
                name: "feed of 20 cards, \(users) users", value: full.requestsPerSecond, unit: "/s",
                budget: 5_000,
                peer: .init(name: "empty Hummingbird route", value: limit)),
            BenchRow(
                name: "  p99 at \(tenth)/s", value: half.p99Millis, unit: "ms", budget: 20, better: .lower),
        ]
    }

    private func emptyRoute() async throws -> Double {
        let empty = try ChildProcess.again(["empty"])
        defer { empty.stop() }
        var wrk = Wrk(url: "http://127.0.0.1:\(try await empty.line(after: "PORT "))/")
        wrk.seconds = seconds
        return try await checked(wrk).requestsPerSecond
    }

    private func requests(_ access: ServerAccess) throws -> [(path: String, headers: [String: String])] {
        let signer = try access.signer()
        let path = InlayPath.cardFeed(container: ServerAccess.container)
        return try stride(from: 0, to: users, by: max(1, users / Self.askers)).map { number in
            let headers = try access.headers(user: ServerAccess.user(number), signer: signer)
            return (path, Dictionary(headers) { first, _ in first })
        }
    }

    /// A fast error is no answer.
    private func checked(_ wrk: Wrk) async throws -> Wrk.Outcome {
        let outcome = try await wrk.run()
        guard outcome.failures == 0, outcome.requestsPerSecond > 0 else {
            throw BenchError("\(outcome.failures) requests failed under load.")
        }
        return outcome
    }
}
