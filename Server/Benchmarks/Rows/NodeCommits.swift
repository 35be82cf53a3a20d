import Foundation
import InlayBehaviorsServer
import InlayCardsServer
import InlaySQL
import InlayServer
import InlayServerCore
@_spi(Inlay) import InlayWire
import Logging

/// A measurement of the commits of one, two and four nodes on one PostgreSQL whose commits take 3 ms: plain, with live
/// messages, and with displays of cards of one template, whose counters all nodes share.
struct NodeCommits {
    /// The script that starts a PostgreSQL.
    let postgres: String
    let seconds: Int
    /// The number of displays that four nodes record together; two of the nodes are killed and restarted.
    let displays: Int

    func measure() async throws -> [BenchRow] {
        let server = try await BenchPostgres(
            script: postgres, settings: ["commit_delay = 3000", "commit_siblings = 0"])
        defer { server.stop() }
        let url = server.url
        let card = try await prepare(url)
        var rows: [BenchRow] = []
        for (name, flags, factor) in [
            ("plain", [], nil), ("live messages", ["--messages"], 3.0),
            ("live messages and one template's numbers", ["--messages", "--card", card], 2.5),
        ] {
            let one = try await rate(of: 1, flags, url)
            for count in [2, 4] {
                rows.append(
                    BenchRow(
                        name: "commits of \(count) nodes, \(name)",
                        value: try await rate(of: count, flags, url),
                        unit: "/s", budget: count == 4 ? factor.map { $0 * one } : nil,
                        peer: .init(name: "one node, \(name)", value: one)))
            }
        }
        rows.append(try await sumsAfterKills(url, card))
        return rows
    }

    /// Creates the server's tables and a card; returns the card's id.
    private func prepare(_ url: String) async throws -> String {
        var configuration = InlayServerConfiguration()
        configuration.port = 0
        configuration.database = SecretString(url)
        let logger = Logger(label: "bench") { _ in SwiftLogNoOpLogHandler() }
        let server = try await InlayServer.make(configuration, logger: logger)
        defer { server.close() }
        _ = try await BenchSeed(services: server.services).prepare()
        try await server.features.cards.events.send(
            ServerAccess.environment,
            CardEventRequest(name: BenchSeed.eventNames[0], target: .users([ServerAccess.user(0)])))
        return try await server.services.database.read {
            try $0.row("SELECT card_id FROM card_instances")?.text("card_id") ?? ""
        }
    }

    private func rate(of count: Int, _ flags: [String], _ url: String) async throws -> Double {
        let writers = try (0..<count).map { _ in
            try ChildProcess.startSelf(["writer", "--database", url, "--seconds", "\(seconds)"] + flags)
        }
        defer { writers.forEach { $0.stop() } }
        var commits = 0.0
        for writer in writers { commits += Double(try await writer.line(after: "COMMITS ")) ?? 0 }
        return commits / Double(seconds)
    }

    /// Kills two of four writers halfway and restarts them; throws unless the sum equals the number of events.
    private func sumsAfterKills(_ url: String, _ card: String) async throws -> BenchRow {
        let database = try await SQLDatabaseURL.open(url)
        defer { database.close() }
        let before = try await counts(database)
        let each = displays / 4
        func start(_ number: Int) throws -> ChildProcess {
            try ChildProcess.startSelf([
                "writer", "--database", url, "--card", card, "--number", "\(number)", "--displays", "\(each)",
            ])
        }
        var writers = try (0..<4).map(start)
        defer { writers.forEach { $0.stop() } }
        for number in [1, 2] {
            _ = try await writers[number].line(after: "HALF")
            kill(writers[number].id, SIGKILL)
            writers[number] = try start(number)
        }
        for writer in writers { _ = try await writer.line(after: "DONE") }
        let after = try await counts(database)
        guard after.events - before.events == 4 * each, after.sum == after.events else {
            throw BenchError("\(after.events) displays were kept and \(after.sum) were counted.")
        }
        return BenchRow(
            name: "displays of four nodes after two kills, counted", value: Double(after.sum - before.sum),
            unit: "", budget: Double(4 * each),
            peer: .init(name: "kept", value: Double(after.events - before.events)))
    }

    private func counts(_ database: any SQLDatabase) async throws -> (events: Int, sum: Int) {
        try await database.read { connection in
            let events = try connection.row(
                "SELECT COUNT(*) AS n FROM analytics_events WHERE name = 'card-displayed'")
            let sum = try connection.row(
                "SELECT CAST(COALESCE(SUM(displayed), 0) AS BIGINT) AS n FROM card_numbers")
            return (try events?.int("n") ?? 0, try sum?.int("n") ?? 0)
        }
    }
}
