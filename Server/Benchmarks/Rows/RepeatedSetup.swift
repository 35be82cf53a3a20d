import InlayServerCore

/// A measurement of `Scripts/bootstrap` on a machine that has all packages. Every run of `make` starts with it.
struct RepeatedSetup {
    /// The path of the script.
    let script: String

    func measure() async throws -> [BenchRow] {
        var spans: [Double] = []
        for _ in 0..<5 {
            let start = ContinuousClock.now
            let output = try await ChildProcess(script, ["bench"]).output()
            spans.append((ContinuousClock.now - start) / .seconds(1))
            guard output.isEmpty else { throw BenchError("The machine was not set up:\n\(output)") }
        }
        return [
            BenchRow(
                name: "second set-up", value: Percentiles(spans).at(50), unit: "s", budget: 2, better: .lower)
        ]
    }
}
