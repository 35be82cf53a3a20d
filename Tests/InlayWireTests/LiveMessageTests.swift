@_spi(Inlay) import InlayWire
import Testing

@Suite struct LiveMessageTests {
    @Test(arguments: [
        LiveMessage.hello(serverTime: Timestamp(microseconds: 3)),
        .subscribe(topics: ["cards/1", "cards/ä b"]),
        .subscribe(topics: []), .changed(topic: LiveMessage.cardTopic(container: "1"), version: 12),
    ])
    func `a live message comes back from the wire as it went`(message: LiveMessage) throws {
        #expect(try WireJSON.roundTrip(message) == message)
    }

    @Test func `a message of a newer peer is recognised as unknown`() throws {
        #expect(try WireJSON.read(LiveMessage.self, #"{"type": "sing", "song": 4}"#) == .unknown("sing"))
    }

    @Test(arguments: [#"{"type": "changed", "topic": "t"}"#, #"{"topic": "t"}"#, "7", "[]"])
    func `a message without its type's fields is an error`(text: String) {
        #expect(throws: (any Error).self) { try WireJSON.read(LiveMessage.self, text) }
    }

    @Test func `a container's id is escaped in the path`() {
        #expect(InlayPath.cardFeed(container: "a/../b?c#d") == "/v1/cards/containers/a%2F..%2Fb%3Fc%23d/feed")
        #expect(InlayPath.cardAppearance(container: "ü ") == "/v1/cards/containers/%C3%BC%20/appearance")
        #expect(InlayPath.cardFeed(container: "Az09-._~") == "/v1/cards/containers/Az09-._~/feed")
    }
}
