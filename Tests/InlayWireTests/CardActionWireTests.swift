@_spi(Inlay) import InlayWire
import Testing

@Suite struct CardActionWireTests {
    @Test(arguments: [
        CardAction.Kind.dismiss, .snooze(until: Timestamp(microseconds: 1_700_000_000_000_000)),
        .submit(buttonName: nil, values: [:]),
        .submit(buttonName: "go", values: ["s": "text", "n": .number(999), "b": .boolean(false)]),
    ])
    func `an action comes back from the wire as it went`(kind: CardAction.Kind) throws {
        let action = CardAction(
            id: "1", containerID: "c", cardID: "k", layoutID: "t@1", time: Timestamp(microseconds: 5),
            kind: kind)
        #expect(try WireJSON.roundTrip(action) == action)
    }

    @Test func `a number, a boolean and a string stay what they are`() throws {
        let values: [String: CardInputValue] = ["one": .number(1), "yes": .boolean(true), "text": "1"]
        #expect(try WireJSON.text(values) == #"{"one":1,"text":"1","yes":true}"#)
        #expect(try WireJSON.roundTrip(values) == values)
    }

    @Test func `a value that is no string, number or boolean is refused`() {
        #expect(throws: (any Error).self) { try WireJSON.read(CardInputValue.self, "[1]") }
        #expect(throws: (any Error).self) { try WireJSON.read(CardInputValue.self, #"{"a": 1}"#) }
    }

    @Test func `a date variable is not mistaken for a number`() throws {
        let date = CardVariableValue.date(Timestamp(microseconds: 7))
        #expect(try WireJSON.roundTrip(date) == date)
        #expect(try WireJSON.roundTrip(CardVariableValue.number(7)) == .number(7))
    }

    @Test(
        arguments: [
            (1_234_567_890_123_456, .number(1_234_567_890_123_456)),
            (9_007_199_254_740_992, .number(9_007_199_254_740_992)),
            (9_007_199_254_740_993, .integer(9_007_199_254_740_993)),
            (-9_007_199_254_740_993, .integer(-9_007_199_254_740_993)), (.max, .integer(.max)),
            (0, .number(0)),
        ] as [(Int64, CardVariableValue)])
    func `a whole number keeps its digits on the wire`(_ whole: Int64, _ value: CardVariableValue) throws {
        #expect(CardVariableValue(whole: whole) == value)
        #expect(try WireJSON.text(value) == #"{"number":\#(whole)}"#)
        #expect(try WireJSON.roundTrip(value) == value)
    }

    @Test(
        arguments: [
            (#"{"number":7}"#, .number(7)), (#"{"number":7.0}"#, .number(7)),
            (#"{"number":2.5}"#, .number(2.5)),
            (#"{"number":9007199254740992}"#, .number(9_007_199_254_740_992)),
            (#"{"number":1e+22}"#, .number(1e22)), (#"{"number":10000000000000000000}"#, .number(1e19)),
            (#"{"string":"9007199254740993"}"#, .string("9007199254740993")),
            (#"{"boolean":true}"#, .boolean(true)),
            (#"{"date":9007199254740993}"#, .date(Timestamp(microseconds: 9_007_199_254_740_993))),
        ] as [(String, CardVariableValue)])
    func `values of the older number format are decoded`(
        _ json: String, _ value: CardVariableValue
    ) throws {
        #expect(try WireJSON.read(CardVariableValue.self, json) == value)
    }

    @Test func `the counts of all containers add up`() throws {
        let counts = CardCounts(containers: [
            "a": .init(total: 2, unseen: 1), "b": .init(total: 3, unseen: 0),
        ])
        #expect(try WireJSON.roundTrip(counts) == counts)
        #expect(counts.total == 5)
        #expect(counts.unseen == 1)
    }

    @Test func `a receipt distinguishes acceptance from refusal`() throws {
        let receipt = BatchReceipt(receipts: [
            ItemReceipt(id: "1"),
            ItemReceipt(id: "2", refusal: Problem(.conflict, status: 409, title: "Closed")),
        ])
        let read = try WireJSON.roundTrip(receipt)
        #expect(read.receipts.map { $0.refusal?.code } == [nil, .conflict])
    }

    @Test func `an analytics event with an unknown name is decoded`() throws {
        let event = AnalyticsEvent(
            id: "1", name: "card-teleported", time: Timestamp(microseconds: 1), containerID: "c", cardID: "k",
            clientVersion: "2", properties: ["depth": 3, "nested": ["a": [1, nil as JSONValue? ?? .null]]])
        #expect(try WireJSON.roundTrip(event) == event)
    }
}
