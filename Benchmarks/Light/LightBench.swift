import Dispatch
import Foundation
import InlayLight
import InlayLightChannel

/// How often, and how soon, a payload comes through a simulated room: the light link's goals, a row each.
///
///     bench-light [RUNS] [--csv FILE] [--table]
///
/// Prints one JSON object of numbers, of which `Scripts/bench` makes a row; with `--table` the whole table.
@main enum LightBench {
    static func main() throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        let runs = arguments.first.flatMap(Int.init) ?? 1_000
        let start = ContinuousClock.now
        var rows: [Row] = []
        for one in Case.all {
            rows.append(try Row(one, runs: runs))
            if arguments.contains("--table"), let row = rows.last { print(row.line) }
        }
        if let flag = arguments.firstIndex(of: "--csv"), flag + 1 < arguments.count {
            let csv = ([Row.csvHeader] + rows.map(\.csv)).joined(separator: "\n") + "\n"
            try csv.write(toFile: arguments[flag + 1], atomically: true, encoding: .utf8)
        }
        if arguments.contains("--table") { return }
        let first = rows[0]
        let numbers: [String: Double] = [
            "runs": Double(runs * rows.count), "rows": Double(rows.count),
            "met": Double(rows.count { $0.isMet }),
            "wrong": Double(rows.reduce(0) { $0 + $1.wrong }),
            "refused": Double(rows.reduce(0) { $0 + $1.refused }),
            "medianSeconds": first.percentile(50), "p95Seconds": first.percentile(95),
            "within15": first.within(15), "within30": first.within(30),
            "seconds": (ContinuousClock.now - start) / .seconds(1),
        ]
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        print(String(decoding: try encoder.encode(numbers), as: UTF8.self))
    }
}
