import Foundation

/// Fills the places that trackers leave open.
struct AdTrackerMacros {
    private let values: [(String, String)]
    private let codes: [(String, String)]

    /// Values for trackers that are called now, for an error of this number if any.
    init(code: Int?, now: Date = Date(), random: Int = Int.random(in: 10_000_000...99_999_999)) {
        let number = code.map { code in ["[ERRORCODE]", "%5BERRORCODE%5D"].map { ($0, "\(code)") } } ?? []
        codes = number
        let time = ISO8601DateFormatter.string(
            from: now, timeZone: TimeZone(secondsFromGMT: 0) ?? .current,
            formatOptions: [.withInternetDateTime, .withFractionalSeconds])
        let escaped = time.replacingOccurrences(of: ":", with: "%3A")
        values = number + [("[CACHEBUSTING]", "\(random)"), ("[TIMESTAMP]", escaped)]
    }

    /// The exchange's own: nothing of it is touched but the number.
    func own(_ address: String) -> String { Self.filled(address, codes) }

    /// An advertiser's.
    func foreign(_ address: String) -> String { Self.filled(address, values) }

    private static func filled(_ address: String, _ values: [(String, String)]) -> String {
        guard address.contains("[") || address.contains("%5B") else { return address }
        return values.reduce(address) { $0.replacingOccurrences(of: $1.0, with: $1.1) }
    }
}
