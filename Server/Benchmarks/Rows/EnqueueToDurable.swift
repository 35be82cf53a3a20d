import Foundation

/// A measurement of the time from the app's call to a committed row on the device, by a program of the SDK's package.
struct EnqueueToDurable {
    /// The path of `bench-outbox`.
    let program: String
    let count: Int
    /// Whether an event of Behaviors is tracked, instead of enqueuing an item in the outbox.
    var isTrack = false

    func measure() async throws -> [BenchRow] {
        let child = try ChildProcess(program, ["\(count)"] + (isTrack ? ["track"] : []))
        let numbers = try JSONDecoder().decode(
            [String: Double].self, from: Data(try await child.output().utf8))
        func number(_ name: String) throws -> Double {
            guard let value = numbers[name] else { throw BenchError("bench-outbox did not report \(name).") }
            return value
        }
        let memory = try number("memoryBytes") * 100_000 / Double(count)
        return [
            BenchRow(
                name: "\(isTrack ? "track" : "enqueue") to durable, 5 attributes, 64 callers",
                value: try number("rate"), unit: "/s",
                budget: 30_000, peer: .init(name: "bare SQLite, groups of 64", value: try number("bareRate"))),
            BenchRow(
                name: "  processor time each", value: try number("cpuMicros"), unit: "µs", budget: 30,
                better: .lower),
            BenchRow(
                name: "  one caller, p99", value: try number("aloneP99Millis"), unit: "ms", budget: 1,
                better: .lower),
            BenchRow(
                name: "  memory grown by 100,000", value: memory / 1e6, unit: "MB", budget: 40, better: .lower
            ),
            BenchRow(
                name: "  disk each", value: try number("diskBytesEach"), unit: "B", budget: 500,
                better: .lower),
        ]
    }
}
