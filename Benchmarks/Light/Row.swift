import Foundation
import InlayLight
import InlayLightChannel

/// What came of a case: the times of all runs.
struct Row {
    let one: Case
    /// Seconds of the runs that came through, shortest first.
    let times: [Double]
    let runs: Int
    let wrong: Int
    let refused: Int

    /// Runs the case with the seeds 1 … `runs`, on all cores.
    init(_ one: Case, runs: Int) throws {
        let encoder = try LightEncoder(one.payload())
        let levels = encoder.levels()
        let all = onAllCores(1..<runs + 1) { one.run(encoder, levels: levels, seed: UInt64($0)) }
        self.one = one
        self.runs = runs
        times = all.compactMap(\.seconds).sorted()
        wrong = all.count { $0.isWrong }
        refused = all.reduce(0) { $0 + $1.refused }
    }

    /// How many in a hundred came through within so many seconds.
    func within(_ seconds: Double) -> Double {
        100 * Double(times.count { $0 <= seconds }) / Double(runs)
    }

    /// Seconds that so many in a hundred need at most; 999 when they did not all come through.
    func percentile(_ percent: Int) -> Double {
        let index = runs * percent / 100
        return index < times.count ? times[index] : 999
    }

    var isMet: Bool {
        wrong == 0 && one.goals.allSatisfy { within($0.seconds) >= $0.percent }
            && (one.median.map { percentile(50) <= $0 } ?? true)
    }

    var line: String {
        let name = one.name.padding(toLength: 52, withPad: " ", startingAt: 0)
        let goals = one.goals.map { "\($0.percent) % in \(Int($0.seconds)) s" }.joined(separator: ", ")
        return name
            + String(
                format: "%6.1f s %6.1f s %6.1f %% %6.1f %% %6.1f %%  ", percentile(50), percentile(95),
                within(15),
                within(30), within(60))
            + "\(wrong) wrong, \(refused) refused  goal \(goals): \(isMet ? "met" : "MISSED")"
    }

    static let csvHeader = "case,bytes,runs,median_s,p95_s,within_15,within_30,within_60,wrong,refused,met"
    var csv: String {
        "\"\(one.name)\",\(one.bytes),\(runs),\(percentile(50)),\(percentile(95)),\(within(15)),\(within(30)),"
            + "\(within(60)),\(wrong),\(refused),\(isMet)"
    }
}
