/// The part of something common that one network or user may hold, so that nobody uses up what others need.
///
/// Of a campaign's capacity a holder may have a quarter of what would be left without its share, and one in any case:
/// each further network gets a quarter of a smaller rest, so it takes many networks to leave nothing. Of the
/// connections of a process a network may have a quarter.
package enum FairShare {
    /// The divisor of the common amount.
    package static let parts: Int64 = 4
}
