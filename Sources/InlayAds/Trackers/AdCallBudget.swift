/// The number of its maker's addresses that an ad may still have called.
///
/// A creative may list any number of trackers, and the user may turn sound on and off any number of times. The
/// exchange's own trackers are not counted here.
struct AdCallBudget: Hashable, Sendable {
    /// The maximum for one ad on screen: fifty for each event of a video, and as many again.
    static let maximumCount = 1000

    private var left = maximumCount

    /// Those that may be called, in their order.
    mutating func admitted(_ addresses: [String]) -> [String] {
        let admitted = addresses.prefix(left)
        left -= admitted.count
        return Array(admitted)
    }
}
