/// The share of a common resource that one network or user may hold, so that nobody uses up what others need.
///
/// Of a campaign's capacity a holder may have a quarter of what the others leave, and one in any case: each further
/// network gets a quarter of a smaller rest, so it takes many networks to use up all of it. Of the connections of a
/// process a network may have a quarter.
package enum FairShare {
    /// The divisor of the common amount.
    package static let parts: Int64 = 4
}
