import Foundation

/// A measurement of the hub on the device, by a program of the SDK's package.
struct HubSpeed {
    /// The path of `bench-hub`.
    let program: String
    let megabytes: Int

    func measure() async throws -> [BenchRow] {
        let child = try ChildProcess(program, ["\(megabytes)"])
        let numbers = try JSONDecoder().decode(
            [String: Double].self, from: Data(try await child.output().utf8))
        func number(_ name: String) throws -> Double {
            guard let value = numbers[name] else { throw BenchError("bench-hub did not report \(name).") }
            return value
        }
        let byHand = try number("byHandRate") / 1e6
        let byHandProcessor = try number("byHandProcessorMillis")
        return [
            BenchRow(
                name: "hub: verify and activate \(megabytes) MB", value: try number("rate") / 1e6,
                unit: "MB/s", budget: byHand * 0.8,
                peer: .init(name: "hashed, written and synced by hand", value: byHand)),
            BenchRow(
                name: "  processor time for it", value: try number("processorMillis"), unit: "ms",
                budget: byHandProcessor / 0.8, better: .lower,
                peer: .init(name: "by hand", value: byHandProcessor)),
            BenchRow(
                name: "  SHA-256 alone, for comparison", value: try number("sha256Rate") / 1e6, unit: "MB/s"),
            BenchRow(
                name: "  a changed article moves", value: try number("movedBytes") / 1e3, unit: "kB",
                budget: try number("changedBytes") / 1e3 * 1.2 + 8.192, better: .lower),
            BenchRow(
                name: "hub: open an article from the store, p99", value: try number("openP99Millis"),
                unit: "ms",
                budget: 5, better: .lower),
        ]
    }
}
