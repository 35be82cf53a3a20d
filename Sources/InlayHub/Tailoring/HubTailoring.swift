@_spi(Inlay) package import InlayWire

/// The rules for a user's hub and the order of its articles: pure functions, the same on every device.
///
/// - The hub: the one with the most tags that the user has too; how often the user met them does not
///   count. Between equals the publisher's order decides, so without any match it is the first.
/// - Articles of a channel: by the sum of the user's counts over the article's tags, highest first.
///   Between equals the publisher's order stands.
///
/// A tag counts once however often an item names it, and only when it is byte for byte the same.
package struct HubTailoring: Hashable, Sendable {
    private let counts: HubTagCounts

    /// Creates the rules for a user's counts; without counts everything stays in the publisher's order.
    package init(_ counts: HubTagCounts = HubTagCounts()) { self.counts = counts }

    /// Creates the rules for tags that take the place of a user's: each counts once.
    package init(tags: [String]) { self.init(HubTagCounts(tags: tags)) }

    /// Returns the number of different tags of an item that the user has.
    package func matches(_ tags: [String]) -> Int {
        Set(tags.map { HubTag($0) }).count { counts[$0] > 0 }
    }

    /// Returns the sum of the user's counts over the different tags of an item.
    package func score(_ tags: [String]) -> Int {
        Set(tags.map { HubTag($0) }).reduce(0) { $0 + counts[$1] }
    }

    /// Returns the hub to show first; `nil` when there is none.
    package func hub(of hubs: [HubPage]) -> HubPage? {
        // `max(by:)` would take the last of equals.
        let ranked = hubs.enumerated().map { (matches: matches($0.element.tags), place: -$0.offset) }
        guard let best = ranked.max(by: { $0 < $1 }) else { return nil }
        return hubs[-best.place]
    }

    /// Returns articles in the order in which the user sees them.
    package func ordered(_ articles: [HubArticle]) -> [HubArticle] {
        let ranked = articles.enumerated().map { (score: score($0.element.tags), place: $0.offset) }
        return ranked.sorted { ($1.score, $0.place) < ($0.score, $1.place) }.map { articles[$0.place] }
    }
}
