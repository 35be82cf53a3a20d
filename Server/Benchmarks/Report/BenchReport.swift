import Foundation
import InlayBehaviorsServer

/// All rows of a run, as an aligned table for people and as JSON for comparing runs.
struct BenchReport: Codable {
    var machine = Machine()
    var rows: [BenchRow] = []

    struct Machine: Codable {
        var cores = ProcessInfo.processInfo.activeProcessorCount
        var memoryBytes = ProcessInfo.processInfo.physicalMemory
        var system = ProcessInfo.processInfo.operatingSystemVersionString
        /// The load average of the last minute. Near the number of cores, other work has made every figure worse.
        var loadAtStart = Self.load()

        static func load() -> Double {
            var loads = [0.0, 0.0, 0.0]
            return getloadavg(&loads, 3) > 0 ? loads[0] : 0
        }
    }

    func write(to path: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        try encoder.encode(self).write(to: URL(fileURLWithPath: path))
    }

    var table: String {
        let heading = ["measured", "value", "budget", "kept", "beside it", "its value", "ratio"]
        let lines = [heading] + rows.map(Self.cells)
        let widths = heading.indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
        let text = lines.map { line in
            line.indices.map { column in
                let pad = String(repeating: " ", count: widths[column] - line[column].count)
                // Numbers are aligned right, text left.
                return [1, 2, 5, 6].contains(column) ? pad + line[column] : line[column] + pad
            }.joined(separator: "  ")
        }
        let load = String(format: "%.1f", machine.loadAtStart)
        return (text + ["\(machine.cores) cores, load \(load) at the start, \(machine.system)"])
            .joined(separator: "\n")
    }

    private static func cells(_ row: BenchRow) -> [String] {
        [
            row.name, "\(number(row.value)) \(row.unit)",
            row.budget.map { (row.better == .higher ? "≥ " : "≤ ") + number($0) } ?? "",
            row.isKept.map { $0 ? "yes" : "NO" } ?? "", row.peer?.name ?? "",
            row.peer.map { number($0.value) } ?? "", row.ratio.map { String(format: "%.2f", $0) } ?? "",
        ]
    }

    private static func number(_ value: Double) -> String {
        guard value >= 100 else { return String(format: value >= 10 ? "%.1f" : "%.2f", value) }
        let digits = String(Int(value.rounded()))
        return digits.indices.reduce(into: "") { text, index in
            let left = digits.distance(from: index, to: digits.endIndex)
            if !text.isEmpty, left.isMultiple(of: 3) { text += "," }
            text.append(digits[index])
        }
    }
}
