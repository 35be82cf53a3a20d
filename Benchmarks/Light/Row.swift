import Foundation
@_spi(Inlay) import InlayLight
import InlayLightChannel

/// The results of a case.
struct Row {
    let testCase: Case
    /// The seconds of the completed runs, in ascending order.
    let times: [Double]
    let runs: Int
    let wrong: Int
    let refused: Int

    /// Runs the case with the seeds 1 … `runs`, on all cores.
    init(_ testCase: Case, runs: Int) throws {
        let encoder = try LightEncoder(testCase.payload())
        let levels = encoder.levels()
        let all = onAllCores(1..<runs + 1) { testCase.run(encoder, levels: levels, seed: UInt64($0)) }
        self.testCase = testCase
        self.runs = runs
        times = all.compactMap(\.seconds).sorted()
        wrong = all.count { $0.isWrong }
        refused = all.reduce(0) { $0 + $1.refused }
    }

    /// Returns the percentage of runs that were complete within a number of seconds.
    func within(_ seconds: Double) -> Double {
        100 * Double(times.count { $0 <= seconds }) / Double(runs)
    }

    /// Returns a percentile of the time in seconds; 999 when not enough runs were complete.
    func percentile(_ percent: Int) -> Double {
        let index = runs * percent / 100
        return index < times.count ? times[index] : 999
    }

    var isMet: Bool {
        wrong == 0 && testCase.goals.allSatisfy { within($0.seconds) >= $0.percent }
            && (testCase.median.map { percentile(50) <= $0 } ?? true)
    }

    var line: String {
        let name = testCase.name.padding(toLength: 52, withPad: " ", startingAt: 0)
        let goals = testCase.goals.map { "\($0.percent) % in \(Int($0.seconds)) s" }.joined(separator: ", ")
        return name
            + String(
                format: "%6.1f s %6.1f s %6.1f %% %6.1f %% %6.1f %%  ", percentile(50), percentile(95),
                within(15),
                within(30), within(60))
            + "\(wrong) wrong, \(refused) refused  goal \(goals): \(isMet ? "met" : "MISSED")"
    }

    static let csvHeader = "case,bytes,runs,median_s,p95_s,within_15,within_30,within_60,wrong,refused,met"
    var csv: String {
        "\"\(testCase.name)\",\(testCase.bytes),\(runs),\(percentile(50)),\(percentile(95)),\(within(15)),\(within(30)),"
            + "\(within(60)),\(wrong),\(refused),\(isMet)"
    }
}
