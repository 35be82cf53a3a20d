@_spi(Inlay) import InlayWire
import Testing

@_spi(Inlay) @testable import InlayHub

/// The test vectors of the rule in Docs/Hub.md.
@Suite struct TailoringTests {
    private func hub(_ tags: [[String]], for user: HubTailoring) -> String? {
        user.hub(of: tags.enumerated().map { HubPage(id: "h\($0.offset)", title: "", tags: $0.element) })?.id
    }

    private func order(_ tags: [[String]], for user: HubTailoring) -> [String] {
        user.ordered(
            tags.enumerated().map {
                HubArticle(
                    id: "a\($0.offset)", title: "", tags: $0.element, publishedAt: Timestamp(microseconds: 0),
                    page: "")
            }
        ).map(\.id)
    }

    @Test(arguments: [
        // hubs, the user's counts, the hub that is shown
        ([["a"], ["b"], ["a", "b"]], ["a": 1, "b": 1], "h2"),
        ([["a"], ["b"]], ["b": 1], "h1"),
        ([["a"], ["b"]], ["a": 1, "b": 500], "h0"),
        ([["a"], ["b"]], [:], "h0"),
        ([["a"], ["b"]], ["c": 9], "h0"),
        ([[], ["b"]], ["b": 1], "h1"),
        ([["b", "b", "b"], ["a", "b"]], ["a": 1, "b": 1], "h1"),
        ([["news"], ["Sports"]], ["sports": 3], "h0"),
        ([["news"], ["sports"]], ["sports": 3], "h1"),
        ([["x"], ["é"]], ["e\u{301}": 3], "h0"),
        ([["x"], ["e\u{301}"]], ["e\u{301}": 3], "h1"),
        ([["a", "b", "c"], ["a", "b"]], ["a": 1, "b": 1], "h0"),
    ])
    func
        `the first hub with the most of the user's tags is shown, regardless of their counts`(
            hubs: [[String]], user: [String: Int], expected: String
        )
    {
        #expect(hub(hubs, for: HubTailoring(HubTagCounts(byText: user))) == expected)
    }

    @Test func `without hubs there is none to show`() {
        #expect(hub([], for: HubTailoring(tags: ["a"])) == nil)
    }

    @Test(arguments: [
        // articles, the user's counts, the order
        ([["x"], ["y"], ["x", "y"]], ["x": 1, "y": 1], ["a2", "a0", "a1"]),
        ([["x"], ["y"], ["x", "y"]], [:], ["a0", "a1", "a2"]),
        ([["x"], ["y"]], ["x": 1, "y": 5], ["a1", "a0"]),
        ([["x", "x", "x"], ["x", "y"]], ["x": 1, "y": 1], ["a1", "a0"]),
        ([["q"], ["x"], ["r"], ["x"], ["s"]], ["x": 2], ["a1", "a3", "a0", "a2", "a4"]),
        ([["X"], ["x"]], ["x": 1], ["a1", "a0"]),
        ([["x"], ["y"], ["z"]], ["x": 3, "y": 3, "z": 3], ["a0", "a1", "a2"]),
        ([["a"], ["b", "c"]], ["a": 5, "b": 2, "c": 2], ["a0", "a1"]),
    ])
    func `articles are ordered by the sum of the user's counts, and equal ones by the publisher`(
        articles: [[String]], user: [String: Int], expected: [String]
    ) {
        #expect(order(articles, for: HubTailoring(HubTagCounts(byText: user))) == expected)
    }

    @Test func `equal matches keep the publisher's order on every run`() {
        let tags = (0..<50).map { ["t\($0 % 3)"] }
        let user = HubTailoring(tags: ["t0", "t1", "t2", "other"])
        let expected = (0..<50).map { "a\($0)" }
        for _ in 0..<20 { #expect(order(tags, for: user) == expected) }
    }

    @Test func `counts are added up, a tag is removed at zero, and a new tag needs at least one`() {
        var counts = HubTagCounts(["a": 2, "b": 1, "zero": 0, "less": -1])
        #expect(counts.counts == ["a": 2, "b": 1])
        counts.add(["a": 3, "b": -1, "c": 0, "d": -4, "e": 2])
        #expect(counts.counts == ["a": 5, "e": 2])
        counts.add(["a": .max, "e": .min])
        #expect(counts.counts == ["a": HubTagCounts.maximumCount])
    }
}
