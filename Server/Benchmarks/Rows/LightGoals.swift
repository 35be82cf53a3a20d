import Foundation

/// A measurement of the light link through simulated channels, by a program of the SDK's package.
struct LightGoals {
    /// The path of `bench-light`.
    let program: String
    /// The number of transfers through each channel.
    let runs: Int

    func measure() async throws -> [BenchRow] {
        let child = try ChildProcess(program, ["\(runs)"])
        let numbers = try JSONDecoder().decode(
            [String: Double].self, from: Data(try await child.output().utf8))
        func number(_ name: String) throws -> Double {
            guard let value = numbers[name] else { throw BenchError("bench-light did not report \(name).") }
            return value
        }
        let rows = try number("rows")
        return [
            BenchRow(
                name: "light: 48 bytes, median", value: try number("medianSeconds"), unit: "s", budget: 11.5,
                better: .lower),
            BenchRow(name: "  within 15 s", value: try number("within15"), unit: "%", budget: 96),
            BenchRow(name: "  within 30 s", value: try number("within30"), unit: "%", budget: 99.9),
            BenchRow(name: "  cases whose goal is met", value: try number("met"), unit: "", budget: rows),
            BenchRow(
                name: "  wrong payloads of \(Int(try number("runs")))", value: try number("wrong"), unit: "",
                budget: 0, better: .lower),
        ]
    }
}
