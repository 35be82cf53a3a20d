/// Arithmetic with money in millionths of its currency. Prices are per thousand impressions, as in OpenRTB.
package enum Micros {
    /// Returns the amount as an exact decimal without trailing zeros: 1250000 is `1.25`.
    package static func text(_ micros: Int64) -> String {
        let (whole, rest) = micros.magnitude.quotientAndRemainder(dividingBy: 1_000_000)
        let sign = micros < 0 ? "-" : ""
        guard rest != 0 else { return "\(sign)\(whole)" }
        let digits = String(rest)
        var fraction = String(repeating: "0", count: 6 - digits.count) + digits
        while fraction.last == "0" { fraction.removeLast() }
        return "\(sign)\(whole).\(fraction)"
    }

    /// Returns `left` ÷ `right` as a decimal, truncated to six places; `nil` when `right` is not above 0.
    package static func ratio(_ left: Int64, _ right: Int64) -> String? {
        guard right > 0 else { return nil }
        let (product, overflow) = left.multipliedReportingOverflow(by: 1_000_000)
        return overflow ? nil : text(product / right)
    }
}
