/// A limit on the calls to an advertiser's trackers for one ad.
///
/// A creative may list any number of trackers, and the user may turn sound on and off any number of times. The
/// exchange's own trackers are not counted here.
struct AdCallBudget: Hashable, Sendable {
    /// The maximum number of calls for one ad on screen: fifty for each event of a video, and as many again.
    static let maximumCount = 1000

    private var remainingCount = maximumCount

    /// Returns the first addresses, as many as may still be called, and subtracts their number.
    mutating func admitted(_ addresses: [String]) -> [String] {
        let admitted = addresses.prefix(remainingCount)
        remainingCount -= admitted.count
        return Array(admitted)
    }
}
