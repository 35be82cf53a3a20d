/// Percentiles of measured times.
struct Percentiles {
    private let sorted: [Double]

    init(_ values: [Double]) { sorted = values.sorted() }

    /// Returns a percentile; 0 without values.
    func at(_ percent: Double) -> Double {
        guard !sorted.isEmpty else { return 0 }
        let index = Int((Double(sorted.count) * percent / 100).rounded(.up)) - 1
        return sorted[min(max(index, 0), sorted.count - 1)]
    }
}
