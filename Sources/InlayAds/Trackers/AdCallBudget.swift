/// The number of its maker's addresses that an ad may still have called.
///
/// A creative writes as many trackers as it likes, and sound goes on and off as often as somebody presses. What the
/// exchange wants called is its own affair and not counted here.
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
