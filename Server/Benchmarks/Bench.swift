import ArgumentParser
import Foundation

/// The benchmarks, each compared with the design's budget or with a baseline from the same run.
@main struct Bench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench", abstract: "Measure the speeds that the design names.",
        subcommands: [
            BenchRun.self, BenchServer.self, EmptyServer.self, BidderServer.self, BareExchange.self,
            WriterProcess.self,
        ],
        defaultSubcommand: BenchRun.self)
}

/// The command that measures the rows, one after another so that they do not influence each other.
struct BenchRun: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "run")

    /// The rows that can be chosen.
    enum Part: String, CaseIterable, ExpressibleByArgument {
        case enqueue, track, feed, screen, sockets, intake, hub, vast, decoder, light, auction, setup
        case writers, commits, segment, analytics, listener
    }

    @Flag(help: "A tenth of everything: does it run, and are the figures of the right size?") var quick =
        false
    @Flag(help: "A million users with 20 cards each for the feed row.") var million = false
    @Option(help: "Only this row; may be given several times.") var only: [Part] = []
    @Option(help: "The program bench-outbox.") var outbox: String
    @Option(help: "The program bench-hub.") var hub: String
    @Option(help: "The program bench-ads.") var ads: String
    @Option(help: "The program bench-light.") var light: String
    @Option(help: "The script bootstrap.") var bootstrap: String
    @Option(help: "The script postgres.") var postgres: String
    @Option(help: "Where the JSON goes.") var json: String

    func run() async throws {
        FileDescriptors.raise()
        let folder = try RunFolder.make()
        defer { try? FileManager.default.removeItem(at: folder) }
        Children.shared.endWithSignals(removing: folder)
        var report = BenchReport()
        for part in Part.allCases where only.isEmpty || only.contains(part) {
            FileHandle.standardError.write(Data("measuring \(part.rawValue)\n".utf8))
            report.rows += try await rows(of: part)
        }
        try report.write(to: json)
        print(report.table)
    }

    private func rows(of part: Part) async throws -> [BenchRow] {
        switch part {
        case .enqueue:
            try await EnqueueToDurable(program: outbox, count: quick ? 20_000 : 100_000).measure()
        case .track:
            try await EnqueueToDurable(program: outbox, count: quick ? 20_000 : 100_000, isTrack: true)
                .measure()
        case .feed:
            try await FeedReads(
                postgres: postgres, users: million ? 1_000_000 : quick ? 5_000 : 100_000,
                seconds: quick ? 4 : 15
            ).measure()
        case .screen:
            try await CardToScreen(sockets: quick ? 200 : 1_000, rounds: quick ? 40 : 300).measure()
        case .intake: try await EventIntakeRate(postgres: postgres, seconds: quick ? 4 : 15).measure()
        case .hub: try await HubSpeed(program: hub, megabytes: quick ? 10 : 100).measure()
        case .vast: try await VASTSpeed(program: ads, turns: quick ? 10 : 60).measure()
        case .decoder: try await AdDecoding(turns: quick ? 10 : 60).measure()
        case .light: try await LightGoals(program: light, runs: quick ? 100 : 1_000).measure()
        case .auction: try await AuctionRate(postgres: postgres, seconds: quick ? 4 : 15).measure()
        case .setup: try await RepeatedSetup(script: bootstrap).measure()
        case .writers:
            try await NodeCommits(
                postgres: postgres, seconds: quick ? 2 : 10, displays: quick ? 10_000 : 100_000
            ).measure()
        case .commits: try await SharedCommits(postgres: postgres, seconds: quick ? 2 : 10).measure()
        case .segment:
            try await CardToSegment(
                postgres: postgres, sizes: quick ? [1_000, 4_000] : [20_000, 40_000],
                events: quick ? 100_000 : 1_000_000, seconds: quick ? 4 : 20
            ).measure()
        case .analytics:
            try await FeatureIsolation(
                postgres: postgres, events: quick ? 100_000 : 1_000_000, seconds: quick ? 4 : 15
            ).measure()
        case .listener:
            try await LostListener(postgres: postgres, sockets: quick ? 2_000 : 20_000).measure()
        case .sockets: try await IdleSockets(count: quick ? 1_000 : 5_000).measure()
        }
    }
}
