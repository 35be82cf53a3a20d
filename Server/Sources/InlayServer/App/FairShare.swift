/// The part of a common amount that one network or user may hold, so that nobody uses up what others need.
///
/// Whoever holds something may hold a quarter of what would be left without it, and one in any case. Each further
/// network gets a quarter of a smaller rest, so it takes many networks to leave nothing.
enum FairShare {
    /// The rest is divided by this number.
    static let parts: Int64 = 4

    /// Whether somebody who holds so much may take one more while so much is left for everybody.
    static func admits(held: Int64, left: Int64) -> Bool {
        guard left > 0 else { return false }
        return held == 0 || (held + 1) <= (left + held) / parts
    }
}
