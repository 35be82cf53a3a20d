/// Asks bidders and puts their bids to auction.
struct AdBidding: Sendable {
    /// The winner's ad, or `nil` when nobody bid enough.
    func ad(for asked: AdAsked) async throws -> AdAnswer? { nil }
}
