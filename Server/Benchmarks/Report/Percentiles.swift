/// Percentiles of measured times.
struct Percentiles {
    private let sorted: [Double]

    init(_ values: [Double]) { sorted = values.sorted() }

    /// The value that `percent` of all are not above; 0 when nothing was measured.
    func at(_ percent: Double) -> Double {
        guard !sorted.isEmpty else { return 0 }
        let index = Int((Double(sorted.count) * percent / 100).rounded(.up)) - 1
        return sorted[min(max(index, 0), sorted.count - 1)]
    }
}
