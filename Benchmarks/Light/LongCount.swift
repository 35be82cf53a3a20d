import Foundation
import InlayLight
import InlayLightChannel

/// Counts what must never happen, so often that "never" means something: a wrong payload, in transfers through
/// every room with a payload of its own each, and a block that was taken from random light.
struct LongCount {
    /// Seeds, or hours, that are worked out and written down at once.
    private static let transfersAtOnce = 250
    private static let hoursAtOnce = 10

    /// Transfers in all; every room has the same number of them.
    var runs = 1_000_000
    /// Hours of each kind of random light.
    var hours = 100
    /// Where to write down what was counted.
    var path: String?

    /// Counts, and prints a table.
    /// - Throws: `CountError` when the log is of another receiver, or when it happened.
    func callAsFunction() throws {
        var log = try CountLog(path: path, fingerprint: Self.fingerprint())
        let light = try count(RandomLight.all, each: hours, atOnce: Self.hoursAtOnce, &log, \.name) {
            kind, hours in
            onAllCores(hours) { CountLog.Tally(count: 1, bad: kind.blocks(inHour: $0)) }
        }
        table("random light", "hours", "blocks", zip(RandomLight.all.map(\.name), light))
        let each = (runs + Case.all.count - 1) / Case.all.count
        let rooms = try count(Case.all, each: each, atOnce: Self.transfersAtOnce, &log, \.name) {
            room, seeds in
            onAllCores(seeds) { Self.transfer(room, seed: UInt64($0)) }
        }
        table("transfers", "runs", "wrong", zip(Case.all.map(\.name), rooms))
        if (light + rooms).contains(where: { $0.bad > 0 }) { throw CountError.happened }
    }

    /// Works through seeds 1 … `each` of all things, a part of each in turn, so that a count that is broken off
    /// has counted all alike.
    private func count<Thing>(
        _ things: [Thing], each: Int, atOnce: Int, _ log: inout CountLog, _ name: (Thing) -> String,
        _ work: (Thing, Range<Int>) -> [CountLog.Tally]
    ) throws -> [CountLog.Tally] {
        var sums = things.map { _ in CountLog.Tally() }
        for first in stride(from: 1, through: each, by: atOnce) {
            let seeds = first..<min(first + atOnce, each + 1)
            for (index, thing) in things.enumerated() {
                let part = "\(name(thing)) \(seeds.lowerBound)-\(seeds.upperBound - 1)"
                sums[index] += try log.tally(of: part) {
                    work(thing, seeds).reduce(into: CountLog.Tally()) { $0 += $1 }
                }
            }
            let bad = sums.reduce(0) { $0 + $1.bad }
            FileHandle.standardError.write(
                Data("seeds to \(seeds.upperBound - 1) of \(each), \(bad) bad\n".utf8))
        }
        return sums
    }

    private static func transfer(_ room: Case, seed: UInt64) -> CountLog.Tally {
        guard let encoder = try? LightEncoder(room.payload(seed: seed)) else { return CountLog.Tally() }
        let result = room.run(encoder, levels: encoder.levels(), seed: seed)
        return CountLog.Tally(
            count: 1, bad: result.isWrong ? 1 : 0, refused: result.refused,
            missed: result.seconds == nil ? 1 : 0)
    }

    /// A sum over some transfers of every room: another receiver, or another room, has another one.
    private static func fingerprint() -> String {
        var sum: UInt64 = 0xCBF2_9CE4_8422_2325
        for room in Case.all {
            guard let encoder = try? LightEncoder(room.payload()) else { continue }
            let levels = encoder.levels()
            for time in onAllCores(1..<9, { room.run(encoder, levels: levels, seed: UInt64($0)).seconds }) {
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
