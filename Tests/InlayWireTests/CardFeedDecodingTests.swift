@_spi(Inlay) import InlayWire
import Testing

@Suite struct CardFeedDecodingTests {
    @Test func `an unreadable card is skipped alone`() throws {
        let feed = try WireJSON.read(CardFeed.self, feed(cards: [card("a"), #"{"id": 7}"#, card("b")]))
        #expect(feed.cards.elements.map(\.id) == ["a", "b"])
        #expect(feed.cards.skipped.count == 1)
    }

    @Test func `a feed with only unreadable cards is empty`() throws {
        let feed = try WireJSON.read(CardFeed.self, feed(cards: ["null", "3", "[]", #""x""#, "{}"]))
        #expect(feed.cards.elements.isEmpty)
        #expect(feed.cards.skipped.count == 5)
    }

    @Test func `a card with a status of a newer server is skipped alone`() throws {
        let strange = card("a").replacing(#""active""#, with: #""hibernating""#)
        let feed = try WireJSON.read(CardFeed.self, feed(cards: [strange, card("b")]))
        #expect(feed.cards.elements.map(\.id) == ["b"])
    }

    @Test func `an unreadable layout is skipped alone`() throws {
        let feed = try WireJSON.read(
            CardFeed.self,
            feed(cards: [card("a")], layouts: #"{"good": {"nodes": []}, "bad": {"nodes": 3}}"#))
        #expect(feed.layouts.keys.sorted() == ["good"])
    }

    @Test func `fields a newer server adds are ignored`() throws {
        let text = feed(cards: [card("a").replacing(#""id""#, with: #""hologram": {"x": [1]}, "id""#)])
        #expect(try WireJSON.read(CardFeed.self, text).cards.elements.count == 1)
    }

    @Test func `a feed cut off in the middle is an error and not a shorter feed`() {
        let whole = feed(cards: [card("a"), card("b")])
        for length in stride(from: 1, to: whole.count - 1, by: 7) {
            #expect(throws: (any Error).self) {
                try WireJSON.read(CardFeed.self, String(whole.prefix(length)))
            }
        }
    }

    @Test(arguments: [
        "[]", "{}", #"{"containerID": "c"}"#, #"{"containerID":"c","version":"1"}"#, "\"\"", "",
    ])
    func `JSON that is no feed is an error`(text: String) {
        #expect(throws: (any Error).self) { try WireJSON.read(CardFeed.self, text) }
    }

    @Test func `a feed comes back from the wire as it went`() throws {
        let one = CardInstance(
            id: "a", layoutID: "t@1", templateID: "t", templateName: "T", eventName: "e", lifecycleID: "l",
            priority: 2, createdAt: Timestamp(microseconds: 1), updatedAt: Timestamp(microseconds: 2),
            activeAt: Timestamp(microseconds: 3), expiresAt: Timestamp(microseconds: 4),
            snoozedUntil: Timestamp(microseconds: 5), isSeen: true,
            variables: [
                "s": .string("x"), "n": .number(1.5), "d": .date(Timestamp(microseconds: 6)),
                "b": .boolean(true),
            ])
        let feed = CardFeed(
            containerID: "c", version: 9, serverTime: Timestamp(microseconds: 10), hadCards: true,
            cards: [one],
            layouts: ["t@1": CardLayout(nodes: [.headline("Hi")])])
        #expect(try WireJSON.roundTrip(feed) == feed)
    }

    private func card(_ id: String) -> String {
        """
        {"id": "\(id)", "layoutID": "t@1", "templateID": "t", "templateName": "T", "eventName": "e",
         "lifecycleID": "l", "priority": 5, "status": "active", "createdAt": 1, "updatedAt": 1,
         "activeAt": 1, "isSeen": false, "variables": {}}
        """
    }

    private func feed(cards: [String], layouts: String = "{}") -> String {
        """
        {"containerID": "c", "version": 1, "serverTime": 1, "hadCards": true,
         "cards": [\(cards.joined(separator: ","))], "layouts": \(layouts)}
        """
    }
}
