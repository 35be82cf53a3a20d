import Foundation

/// A measurement of parsing VAST on the device, by a program of the SDK's package.
struct VASTSpeed {
    /// The path of `bench-ads`.
    let program: String
    let turns: Int

    func measure() async throws -> [BenchRow] {
        let child = try ChildProcess(program, ["\(turns)"])
        let numbers = try JSONDecoder().decode(
            [String: Double].self, from: Data(try await child.output().utf8))
        func number(_ name: String) throws -> Double {
            guard let value = numbers[name] else { throw BenchError("bench-ads did not report \(name).") }
            return value
        }
        return [
            BenchRow(
                name: "VAST document of \(Int(try number("bytes"))) bytes, parsed and checked",
                value: try number("vastMicros"), unit: "µs", budget: 100, better: .lower,
                peer: .init(name: "bare XMLParser", value: try number("parserMicros")))
        ]
    }
}
