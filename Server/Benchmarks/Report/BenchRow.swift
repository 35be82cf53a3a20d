/// One line of the report: what was measured, what the design asks for, and what stands beside it.
struct BenchRow: Codable, Sendable {
    /// Whether more or less of it is better.
    enum Better: String, Codable { case higher, lower }

    /// What was measured, with its circumstances.
    let name: String
    let value: Double
    let unit: String
    /// The design's figure, or `nil` where it names none.
    var budget: Double?
    var better = Better.higher
    /// The limit or peer measured in the same run.
    var peer: Peer?

    struct Peer: Codable, Sendable {
        let name: String
        let value: Double
    }

    /// Whether the budget is kept; `nil` without one.
    var isKept: Bool? {
        budget.map { better == .higher ? value >= $0 : value <= $0 }
    }

    /// Value ÷ peer.
    var ratio: Double? {
        peer.flatMap { $0.value > 0 ? value / $0.value : nil }
    }
}
