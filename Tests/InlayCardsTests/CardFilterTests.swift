import Foundation
@_spi(Inlay) import InlayCards
@_spi(Inlay) import InlayWire
import Testing

@Suite struct CardFilterTests {
    private let priorities = (1...10).map { Sample.card("p\($0)", priority: $0) }

    @Test func `each operator over priority chooses exactly its cards`() {
        #expect(chosen(CardFilter.priority.equal(to: 6)) == [6])
        #expect(chosen(CardFilter.priority.notEqual(to: 6)) == [1, 2, 3, 4, 5, 7, 8, 9, 10])
        #expect(chosen(CardFilter.priority.greater(than: 5)) == [6, 7, 8, 9, 10])
        #expect(chosen(CardFilter.priority.atLeast(5)) == [5, 6, 7, 8, 9, 10])
        #expect(chosen(CardFilter.priority.less(than: 5)) == [1, 2, 3, 4])
        #expect(chosen(CardFilter.priority.atMost(5)) == [1, 2, 3, 4, 5])
        #expect(chosen(CardFilter.priority.between(2, and: 6)) == [2, 3, 4, 5, 6])
        #expect(chosen(CardFilter.priority.any(of: [2, 3, 11])) == [2, 3])
        #expect(chosen(CardFilter.priority.none(of: [2, 3])) == [1, 4, 5, 6, 7, 8, 9, 10])
    }

    @Test func `empty lists, empty ranges and ranges of one value select what they contain`() {
        #expect(chosen(CardFilter.priority.any(of: [])).isEmpty)
        #expect(chosen(CardFilter.priority.none(of: [])).count == 10)
        #expect(chosen(CardFilter.priority.between(6, and: 2)).isEmpty)
        #expect(chosen(CardFilter.priority.between(4, and: 4)) == [4])
    }

    @Test func `the creation time of a card is compared to the second`() {
        let moment = Date(timeIntervalSince1970: 1_673_226_000)
        let cards = [-1.0, 0, 1].map { offset in
            Sample.card("\(offset)", created: Timestamp(seconds: moment.timeIntervalSince1970 + offset))
        }
        #expect(ids(CardFilter.created.atMost(moment), cards) == ["-1.0", "0.0"])
        #expect(ids(CardFilter.created.less(than: moment), cards) == ["-1.0"])
        #expect(ids(CardFilter.created.equal(to: moment), cards) == ["0.0"])
        #expect(ids(CardFilter.created.greater(than: moment), cards) == ["1.0"])
    }

    @Test func `templates are chosen by id and by name`() {
        let cards = (1...5).map { Sample.card("\($0)", template: "card\($0)") }
        #expect(ids(CardFilter.templateName.any(of: ["card1", "card2", "card3"]), cards) == ["1", "2", "3"])
        #expect(ids(CardFilter.templateID.equal(to: "card4"), cards) == ["4"])
        #expect(ids(CardFilter.templateName.none(of: ["card1"]), cards) == ["2", "3", "4", "5"])
    }

    @Test func `one card is chosen by its id`() {
        #expect(chosen(.card(id: "p3")) == [3])
        #expect(chosen(.card(id: "unknown")).isEmpty)
    }

    @Test func `variables of all four types are compared with values of their own type`() {
        let card = Sample.card(
            "v",
            variables: ["s": .string("x"), "n": .number(5), "d": .date(Sample.noon), "b": .boolean(true)])
        let date = Date(timeIntervalSince1970: Sample.noon.seconds)
        let matching = [
            CardFilter.variable("s").equal(to: "x"), CardFilter.variable("n").equal(to: 5),
            CardFilter.variable("d").equal(to: date), CardFilter.variable("b").equal(to: true),
            CardFilter.variable("n", as: Double.self).between(4.5, and: 5.5),
            CardFilter.variable("s").any(of: ["x"]),
        ]
        for filter in matching { #expect(filter.matches(card), "\(filter)") }
        #expect(!CardFilter.variable("b").equal(to: false).matches(card))
    }

    @Test func `a value of another type than the variable's matches no card, negated or not`() {
        let card = Sample.card("v", variables: ["n": .number(5)])
        let filters = [
            CardFilter.variable("n").equal(to: "5"), CardFilter.variable("n").notEqual(to: "5"),
            CardFilter.variable("n").equal(to: true),
            CardFilter.variable("n", as: Date.self).less(than: .distantFuture),
            CardFilter.variable("n").none(of: ["6"]), CardFilter.variable("absent").notEqual(to: 1),
        ]
        for filter in filters { #expect(!filter.matches(card), "\(filter)") }
    }

    @Test func `a variable that the event did not send has its template's default`() {
        let layout = CardLayout(
            nodes: [], variables: [CardVariable(name: "isSpecial", defaultValue: .boolean(true))])
        #expect(CardFilter.variable("isSpecial").equal(to: true).matches(Sample.card("d", layout: layout)))
    }

    @Test func `whole numbers beyond 2^53 are compared digit by digit, also with others`() {
        let order = Sample.card("v", variables: ["n": .integer(9_007_199_254_740_993)])
        func variable() -> CardAttribute<Int> { CardFilter.variable("n") }
        #expect(variable().equal(to: 9_007_199_254_740_993).matches(order))
        #expect(!variable().equal(to: 9_007_199_254_740_992).matches(order))
        #expect(variable().notEqual(to: 9_007_199_254_740_992).matches(order))
        #expect(variable().greater(than: 9_007_199_254_740_992).matches(order))
        #expect(variable().between(-5, and: .max).matches(order) && !variable().less(than: 7).matches(order))
        #expect(variable().any(of: [1, 9_007_199_254_740_993]).matches(order))
        #expect(variable().none(of: [1, 9_007_199_254_740_994]).matches(order))
        let double = CardFilter.variable("n", as: Double.self)
        #expect(double.less(than: 1e300).matches(order) && double.greater(than: 0.5).matches(order))
        #expect(!double.atLeast(.nan).matches(order) && !double.atMost(.nan).matches(order))
        #expect(
            double.less(than: .infinity).matches(order) && double.greater(than: -.infinity).matches(order))
        let large = Sample.card("w", variables: ["n": .number(9_007_199_254_740_994)])
        #expect(variable().equal(to: 9_007_199_254_740_994).matches(large))
        #expect(double.equal(to: 9_007_199_254_740_994).matches(large))
        let negative = Sample.card("x", variables: ["n": .integer(-9_007_199_254_740_993)])
        #expect(variable().less(than: -9_007_199_254_740_992).matches(negative))
        #expect(double.less(than: -0.5).matches(negative) && double.greater(than: -1e300).matches(negative))
    }

    @Test func `not-a-number lies in no range`() {
        let card = Sample.card("v", variables: ["n": .number(.nan)])
        #expect(!CardFilter.variable("n", as: Double.self).atLeast(-.infinity).matches(card))
        #expect(!CardFilter.variable("n", as: Double.self).atMost(.infinity).matches(card))
    }

    private func chosen(_ filter: CardFilter) -> [Int] {
        priorities.filter(filter.matches).map(\.instance.priority)
    }

    private func ids(_ filter: CardFilter, _ cards: [Card]) -> [String] {
        cards.filter(filter.matches).map(\.id)
    }
}
