import Foundation
@_spi(Inlay) import InlayLight
import InlayLightChannel

/// A benchmark of the light link: how many transfers through simulated channels succeed, and in what time.
///
///     bench-light [RUNS] [--csv FILE] [--table]
///     bench-light count [--runs N] [--hours N] [--log FILE]
///
/// Prints a JSON object of numbers, from which `Scripts/bench` makes a row, or with `--table` the whole table. With
/// `count` it counts wrong payloads, which takes an hour (see `Scripts/light-count`).
@main enum LightBench {
    static func main() {
        let arguments = Array(CommandLine.arguments.dropFirst())
        do {
            try arguments.first == "count" ? count(arguments) : measure(arguments)
        } catch {
            FileHandle.standardError.write(Data("\(error)\n".utf8))
            exit(1)
        }
    }

    private static func count(_ arguments: [String]) throws {
        var count = LongCount()
        if let runs = option("--runs", arguments).flatMap({ Int($0) }) { count.runs = runs }
        if let hours = option("--hours", arguments).flatMap({ Int($0) }) { count.hours = hours }
        count.path = option("--log", arguments)
        try count()
    }

    private static func option(_ name: String, _ arguments: [String]) -> String? {
        guard let flag = arguments.firstIndex(of: name), flag + 1 < arguments.count else { return nil }
        return arguments[flag + 1]
    }

    private static func measure(_ arguments: [String]) throws {
        let runs = arguments.first.flatMap { Int($0) } ?? 1_000
        let start = ContinuousClock.now
        var rows: [Row] = []
        for testCase in Case.all {
            rows.append(try Row(testCase, runs: runs))
            if arguments.contains("--table"), let row = rows.last { print(row.line) }
        }
        if let path = option("--csv", arguments) {
            let csv = ([Row.csvHeader] + rows.map(\.csv)).joined(separator: "\n") + "\n"
            try csv.write(toFile: path, atomically: true, encoding: .utf8)
        }
        if arguments.contains("--table") { return }
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let numbers = numbers(of: rows, seconds: (ContinuousClock.now - start) / .seconds(1))
        print(String(decoding: try encoder.encode(numbers), as: UTF8.self))
    }

    private static func numbers(of rows: [Row], seconds: Double) -> [String: Double] {
        let first = rows[0]
        return [
            "runs": Double(rows.reduce(0) { $0 + $1.runs }), "rows": Double(rows.count),
            "met": Double(rows.count { $0.isMet }),
            "wrong": Double(rows.reduce(0) { $0 + $1.wrong }),
            "refused": Double(rows.reduce(0) { $0 + $1.refused }),
            "medianSeconds": first.percentile(50), "p95Seconds": first.percentile(95),
            "within15": first.within(15), "within30": first.within(30), "seconds": seconds,
        ]
    }
}
