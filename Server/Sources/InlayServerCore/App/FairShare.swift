/// The part of a common amount that one network or user may hold, so that nobody uses up what others need.
///
/// A holder may have a quarter of what would be left without its share, and one in any case. Each further
/// network gets a quarter of a smaller rest, so it takes many networks to leave nothing.
package enum FairShare {
    /// The rest is divided by this number.
    package static let parts: Int64 = 4

    /// Whether somebody who holds so much may take one more while so much is left for everybody.
    static func admits(held: Int64, left: Int64) -> Bool {
        guard left > 0 else { return false }
        return held == 0 || (held + 1) <= (left + held) / parts
    }
}
