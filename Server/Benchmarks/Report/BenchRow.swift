/// A row of the report: a measured value with its budget and its baseline.
struct BenchRow: Codable, Sendable {
    /// The better direction of a value.
    enum Better: String, Codable { case higher, lower }

    /// The name of the measurement, with its conditions.
    let name: String
    let value: Double
    let unit: String
    /// The design's budget, if any.
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

    /// The value divided by the peer's value; `nil` without a peer.
    var ratio: Double? {
        peer.flatMap { $0.value > 0 ? value / $0.value : nil }
    }
}
