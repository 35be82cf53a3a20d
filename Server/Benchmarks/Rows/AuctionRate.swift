import Foundation
import InlayServerCore

/// A measurement of auctions with three bidders on loopback. Each response is sent after its impression is on disk.
///
/// The baselines are the slowest bidder called directly, and a route that calls the bidders and syncs without an
/// exchange; PostgreSQL is compared with SQLite.
///
/// Bidders, load generator and server share the processors. The bids have a `burl` but no `nurl` or `lurl`, so that no
/// notice is sent before an ad is viewed, and none is viewed here.
struct AuctionRate {
    /// The script that starts a PostgreSQL.
    let postgres: String
    let seconds: Int
    /// The response time of the slowest bidder in milliseconds.
    private static let pause = 20

    func measure() async throws -> [BenchRow] {
        let sqlite = try await speeds(on: nil)
        let shared = try await speeds(on: postgres)
        let bare = try await bareMillis(rate: sqlite.quarter)
        let p99 = "  p99 at a quarter of that, above the slowest bidder's"
        return [
            BenchRow(
                name: "auction, 3 bidders", value: sqlite.full, unit: "/s", budget: 2_000,
                peer: .init(name: "one of the bidders itself", value: sqlite.bidder)),
            BenchRow(
                name: p99, value: sqlite.aboveMillis, unit: "ms", budget: 2 * bare, better: .lower,
                peer: .init(name: "a bare route that asks them and syncs", value: bare)),
            BenchRow(
                name: "  on PostgreSQL", value: shared.full, unit: "/s",
                peer: .init(name: "on SQLite", value: sqlite.full)),
            BenchRow(
                name: p99, value: shared.aboveMillis, unit: "ms", better: .lower,
                peer: .init(name: "on SQLite", value: sqlite.aboveMillis)),
        ]
    }

    private struct Speeds {
        /// The maximum rate of auctions per second.
        let full: Double
        /// The responses per second of one bidder.
        let bidder: Double
        /// The auction's p99 less that of the slowest bidder, at a quarter of the full rate.
        let aboveMillis: Double

        // A share of this machine's maximum, as for feeds: at a fixed rate, a slow machine would measure its queues.
        var quarter: Double { full / 4 }
    }

    private func speeds(on script: String?) async throws -> Speeds {
        let fast = try await outcome(on: script, pause: 0, rate: nil)
        let full = fast.exchange.requestsPerSecond
        let slow = try await outcome(on: script, pause: Self.pause, rate: full / 4)
        return Speeds(
            full: full, bidder: fast.bidder.requestsPerSecond,
            aboveMillis: slow.exchange.p99Millis - slow.bidder.p99Millis)
    }

    private func outcome(on script: String?, pause: Int, rate: Double?) async throws -> (
        exchange: Wrk.Outcome, bidder: Wrk.Outcome
    ) {
        let bidders = try ChildProcess.startSelf(["bidders"])
        defer { bidders.stop() }
        let endpoints = Self.endpoints(try await bidders.line(after: "PORT "), pause: pause)
        let server = try await RunningServer(SeedOptions(bidders: endpoints), postgres: script)
        defer { server.stop() }
        guard let body = server.access.adRequest else { throw BenchError("There is no unit to ask for.") }
        let answers = try await warmed(wrk(server.access.baseURL + "/ads/request", body, rate))
        server.halt()
        let kept = try await server.count("ad_impressions")
        guard Double(kept) >= answers.requestsPerSecond * Double(seconds) * 0.99 else {
            throw BenchError("Only \(kept) auctions had a winner.")
        }
        return (answers, try await checked(wrk(endpoints[2], #"{"id":"bench"}"#, rate)))
    }

    /// Returns the p99 of a route that only calls the bidders and syncs a page, less that of the slowest bidder.
    private func bareMillis(rate: Double) async throws -> Double {
        // Removed with the run's folder.
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("bare-exchange")
        let bidders = try ChildProcess.startSelf(["bidders"])
        defer { bidders.stop() }
        let endpoints = Self.endpoints(try await bidders.line(after: "PORT "), pause: Self.pause)
        let exchange = try ChildProcess.startSelf(
            ["bare-exchange", "--file", file.path] + endpoints.flatMap { ["--bidder", $0] })
        defer { exchange.stop() }
        let url = "http://127.0.0.1:\(try await exchange.line(after: "PORT "))/ads/request"
        let answers = try await warmed(wrk(url, #"{"id":"bench"}"#, rate))
        return answers.p99Millis - (try await checked(wrk(endpoints[2], #"{"id":"bench"}"#, rate))).p99Millis
    }

    private static func endpoints(_ port: String, pause: Int) -> [String] {
        ["2.5/0", "1.75/0", "2.25/\(pause)"].map { "http://127.0.0.1:\(port)/bid/\($0)" }
    }

    private func wrk(_ url: String, _ body: String, _ rate: Double?) -> Wrk {
        var wrk = Wrk(url: url)
        wrk.requestScript = """
            wrk.method = "POST"
            wrk.headers["Content-Type"] = "application/json"
            wrk.body = [==[\(body)]==]
            """
        wrk.seconds = seconds
        wrk.rate = rate
        wrk.answerMillis = Double(Self.pause)
        wrk.connections = rate == nil ? 64 : 128
        return wrk
    }

    /// Runs the load for two seconds first, which opens the connections to the bidders and loads the unit.
    private func warmed(_ wrk: Wrk) async throws -> Wrk.Outcome {
        var first = wrk
        first.seconds = 2
        _ = try await checked(first)
        return try await checked(wrk)
    }

    /// Runs the load; throws when a request failed.
    private func checked(_ wrk: Wrk) async throws -> Wrk.Outcome {
        let outcome = try await wrk.run()
        guard outcome.failures == 0, outcome.requestsPerSecond > 0 else {
            throw BenchError("\(outcome.failures) auctions failed under load.")
        }
        return outcome
    }
}
