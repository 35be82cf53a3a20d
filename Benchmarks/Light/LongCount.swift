import Foundation
@_spi(Inlay) import InlayLight
import InlayLightChannel

/// A count of errors that must never happen, over very many runs: wrong payloads in transfers through every channel,
/// each with its own payload, and blocks received from random light.
struct LongCount {
    /// The numbers of transfers and of hours in one part of the log.
    private static let transfersAtOnce = 250
    private static let hoursAtOnce = 10

    /// The number of transfers, divided equally among the channels.
    var runs = 1_000_000
    /// The number of hours of each kind of random light.
    var hours = 100
    /// The path of the log; `nil` for none.
    var path: String?

    /// Counts and prints a table.
    /// - Throws: `CountError` when the log is that of another receiver, or when a counted error has happened.
    func callAsFunction() throws {
        var log = try CountLog(path: path, fingerprint: Self.fingerprint())
        let light = try count(RandomLight.all, each: hours, atOnce: Self.hoursAtOnce, &log, \.name) {
            kind, hours in
            onAllCores(hours) { CountLog.Tally(count: 1, bad: kind.blocks(inHour: $0)) }
        }
        table("random light", "hours", "blocks", zip(RandomLight.all.map(\.name), light))
        let each = (runs + Case.all.count - 1) / Case.all.count
        let channels = try count(Case.all, each: each, atOnce: Self.transfersAtOnce, &log, \.name) {
            channel, seeds in
            onAllCores(seeds) { Self.transfer(channel, seed: UInt64($0)) }
        }
        table("transfers", "runs", "wrong", zip(Case.all.map(\.name), channels))
        if (light + channels).contains(where: { $0.bad > 0 }) { throw CountError.happened }
    }

    /// Counts the seeds 1 … `each` of all items, one part of each item in turn, so that an interrupted count covers all
    /// items equally.
    private func count<Item>(
        _ items: [Item], each: Int, atOnce: Int, _ log: inout CountLog, _ name: (Item) -> String,
        _ work: (Item, Range<Int>) -> [CountLog.Tally]
    ) throws -> [CountLog.Tally] {
        var sums = items.map { _ in CountLog.Tally() }
        for first in stride(from: 1, through: each, by: atOnce) {
            let seeds = first..<min(first + atOnce, each + 1)
            for (index, item) in items.enumerated() {
                let part = "\(name(item)) \(seeds.lowerBound)-\(seeds.upperBound - 1)"
                sums[index] += try log.tally(of: part) {
                    work(item, seeds).reduce(into: CountLog.Tally()) { $0 += $1 }
                }
            }
            let bad = sums.reduce(0) { $0 + $1.bad }
            FileHandle.standardError.write(
                Data("seeds to \(seeds.upperBound - 1) of \(each), \(bad) bad\n".utf8))
        }
        return sums
    }

    private static func transfer(_ channel: Case, seed: UInt64) -> CountLog.Tally {
        guard let encoder = try? LightEncoder(channel.payload(seed: seed)) else { return CountLog.Tally() }
        let result = channel.run(encoder, levels: encoder.levels(), seed: seed)
        return CountLog.Tally(
            count: 1, bad: result.isWrong ? 1 : 0, refused: result.refused,
            missed: result.seconds == nil ? 1 : 0)
    }

    /// Returns a hash of some transfers through every channel, which differs for another receiver or channel.
    private static func fingerprint() -> String {
        var sum: UInt64 = 0xCBF2_9CE4_8422_2325
        for channel in Case.all {
            guard let encoder = try? LightEncoder(channel.payload()) else { continue }
            let levels = encoder.levels()
            for time in onAllCores(1..<9, { channel.run(encoder, levels: levels, seed: UInt64($0)).seconds })
            {
                sum = (sum ^ (time ?? -1).bitPattern) &* 0x100_0000_01B3
            }
        }
        return String(sum, radix: 16)
    }

    private func table(
        _ title: String, _ count: String, _ bad: String,
        _ rows: some Sequence<(String, CountLog.Tally)>
    ) {
        func cell(_ text: String) -> String { String(repeating: " ", count: max(0, 10 - text.count)) + text }
        func line(_ name: String, _ cells: [String]) {
            print(name.padding(toLength: 52, withPad: " ", startingAt: 0) + cells.map(cell).joined())
        }
        func numbers(_ tally: CountLog.Tally) -> [String] {
            [tally.count, tally.bad, tally.refused, tally.missed].map(String.init)
        }
        line(title, [count, bad, "refused", "missed"])
        var all = CountLog.Tally()
        for (name, tally) in rows {
            line(name, numbers(tally))
            all += tally
        }
        line("all", numbers(all))
    }
}
