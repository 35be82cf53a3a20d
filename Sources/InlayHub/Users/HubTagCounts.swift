/// The number of times that a user met each tag: the user's interests.
package struct HubTagCounts: Hashable, Sendable {
    /// The maximum count; more of the same adds no information.
    package static let maximumCount = 1_000_000

    /// The counts, each from 1 to ``maximumCount``.
    package private(set) var counts: [HubTag: Int]

    /// Counts as they are; what is not above 0 is left out.
    package init(_ counts: [HubTag: Int] = [:]) {
        self.counts = counts.filter { $0.value > 0 }.mapValues { min($0, Self.maximumCount) }
    }

    /// Each of these tags once, however often it is named.
    package init(tags: [String]) {
        self.init(Dictionary(tags.map { (HubTag($0), 1) }) { first, _ in first })
    }

    /// The number of times that the user met the tag; 0 for an unknown tag.
    package subscript(tag: HubTag) -> Int { counts[tag] ?? 0 }

    /// Whether there is no tag.
    package var isEmpty: Bool { counts.isEmpty }

    /// Adds to each tag's count, or takes away from it.
    ///
    /// A tag whose count would be 0 or less is deleted; a new tag with such a count is not added.
    package mutating func add(_ changes: [HubTag: Int]) {
        for (tag, change) in changes {
            let (sum, overflow) = self[tag].addingReportingOverflow(change)
            let count = overflow ? (change > 0 ? Self.maximumCount : 0) : min(sum, Self.maximumCount)
            counts[tag] = count > 0 ? count : nil
        }
    }
}
