import Foundation
import InlayAtomic
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
import Testing

extension AtomicTests {
    @MainActor @Suite struct Filters {
        /// Returns the sorted ids of the cards that an observer with these filters receives.
        private func chosen(_ cards: [CardInstance], _ filters: AACCardFilter...) async throws -> [String] {
            let fixture = try AtomicFixture()
            try fixture.serve(1, cards)
            let configuration = AACStreamContainerObserverConfiguration()
            configuration.filters = filters
            let seen = fixture.observe(configuration)
            try await seen.until(1)
            await fixture.logout()
            return (seen.calls[0] ?? []).map(\.detail.cardId).sorted()
        }

        private let priorities = (1...7).map { AtomicFixture.card("\($0)", priority: $0) }

        @Test func `each operator over priority selects exactly its cards`() async throws {
            let five = AACCardFilterValue.byPriority(5)
            let (two, three, six) = (
                AACCardFilterValue.byPriority(2), AACCardFilterValue.byPriority(3),
                AACCardFilterValue.byPriority(6)
            )
            typealias List = AACCardListFilter
            #expect(try await chosen(priorities, List.filter(byCardsEqualTo: six)) == ["6"])
            #expect(
                try await chosen(priorities, List.filter(byCardsNotEqualTo: six)) == [
                    "1", "2", "3", "4", "5", "7",
                ])
            #expect(try await chosen(priorities, List.filter(byCardsGreaterThan: five)) == ["6", "7"])
            #expect(
                try await chosen(priorities, List.filter(byCardsGreaterThanOrEqualTo: five)) == [
                    "5", "6", "7",
                ])
            #expect(try await chosen(priorities, List.filter(byCardsLessThan: five)) == ["1", "2", "3", "4"])
            #expect(
                try await chosen(priorities, List.filter(byCardsLessThanOrEqualTo: five)) == [
                    "1", "2", "3", "4", "5",
                ])
            #expect(try await chosen(priorities, List.filter(byCardsIn: [two, three])) == ["2", "3"])
            #expect(
                try await chosen(priorities, List.filter(byCardsNotIn: [two, three])) == [
                    "1", "4", "5", "6", "7",
                ])
            #expect(
                try await chosen(priorities, List.filter(byCardsBetweenStartValue: two, endValue: six))
                    == ["2", "3", "4", "5", "6"])
            #expect(try await chosen(priorities, List.filter(byCardsIn: [])).isEmpty)
            #expect(try await chosen(priorities, List.filter(byCardsNotIn: [])).count == 7)
        }

        @Test func `created date, template id and template name select their cards`() async throws {
            var cards = (1...5).map { AtomicFixture.card("\($0)", template: "card\($0)") }
            for index in 0..<3 {
                cards[index].createdAt = Timestamp(seconds: 1_673_226_000 + Double(index) - 1)
            }
            let moment = AACCardFilterValue.byCreatedDate(Date(timeIntervalSince1970: 1_673_226_000))
            #expect(
                try await chosen(cards, AACCardListFilter.filter(byCardsLessThanOrEqualTo: moment)) == [
                    "1", "2",
                ])
            let names = ["card1", "card2", "card3"].map { AACCardFilterValue.byCardTemplateName($0) }
            #expect(try await chosen(cards, AACCardListFilter.filter(byCardsIn: names)) == ["1", "2", "3"])
            let template = AACCardFilterValue.byCardTemplateID("card4")
            #expect(try await chosen(cards, AACCardListFilter.filter(byCardsEqualTo: template)) == ["4"])
        }

        @Test func `variables of four types select their cards, and a wrong type selects none`() async throws
        {
            let date = Date(timeIntervalSince1970: AtomicFixture.noon.seconds)
            let cards = [
                AtomicFixture.card(
                    "yes",
                    variables: [
                        "s": .string("x"), "n": .number(5), "d": .date(AtomicFixture.noon),
                        "isSpecial": .boolean(true),
                    ]),
                AtomicFixture.card(
                    "no",
                    variables: [
                        "s": .string("y"), "n": .number(6), "d": .date(AtomicFixture.noon + .seconds(1)),
                        "isSpecial": .boolean(false),
                    ]),
            ]
            let values = [
                AACCardFilterValue.byVariableName("s", string: "x"), .byVariableName("n", number: 5),
                .byVariableName("d", date: date), .byVariableName("isSpecial", boolean: true),
            ]
            for value in values {
                #expect(try await chosen(cards, AACCardListFilter.filter(byCardsEqualTo: value)) == ["yes"])
                #expect(try await chosen(cards, AACCardListFilter.filter(byCardsNotEqualTo: value)) == ["no"])
            }
            // A value of another type is neither equal nor unequal, neither in a list nor out of it.
            let wrong = [
                AACCardFilterValue.byVariableName("n", string: "5"), .byVariableName("s", number: 5),
                .byVariableName("d", number: NSNumber(value: AtomicFixture.noon.seconds)),
                .byVariableName("isSpecial", string: "true"), .byVariableName("isSpecial", number: 1),
                .byVariableName("n", date: date),
            ]
            for value in wrong {
                let filters: [AACCardFilter] = [
                    AACCardListFilter.filter(byCardsEqualTo: value),
                    AACCardListFilter.filter(byCardsNotEqualTo: value),
                    AACCardListFilter.filter(byCardsIn: [value]),
                    AACCardListFilter.filter(byCardsNotIn: [value]),
                ]
                for filter in filters { #expect(try await chosen(cards, filter).isEmpty) }
            }
        }

        @Test func `whole numbers beyond 2^53 are compared with all of their digits`() async throws {
            let orders: [Int64] = [9_007_199_254_740_992, 9_007_199_254_740_993]
            let cards = orders.map { AtomicFixture.card("\($0)", variables: ["order": .init(whole: $0)]) }
            for order in orders {
                let value = AACCardFilterValue.byVariableName("order", number: NSNumber(value: order))
                #expect(
                    try await chosen(cards, AACCardListFilter.filter(byCardsEqualTo: value)) == ["\(order)"])
            }
            let first = AACCardFilterValue.byVariableName("order", number: NSNumber(value: orders[0]))
            let greater = try await chosen(cards, AACCardListFilter.filter(byCardsGreaterThan: first))
            #expect(greater == ["\(orders[1])"])
        }

        @Test func `several filters must all match, and the legacy filter selects one card`() async throws {
            let cards = (5...7).map {
                AtomicFixture.card("p\($0)", priority: $0, variables: ["isSpecial": .boolean($0 > 5)])
            }
            let notSix = AACCardListFilter.filter(byCardsNotEqualTo: .byPriority(6))
            let special = AACCardListFilter.filter(
                byCardsEqualTo: .byVariableName("isSpecial", boolean: true))
            #expect(try await chosen(cards, notSix, special) == ["p7"])
            #expect(try await chosen(cards, AACCardListFilter.filter(byCardInstanceId: "p5")) == ["p5"])
            #expect(try await chosen(cards, AACCardListFilter.filter(byCardInstanceId: "ABCD-1234")).isEmpty)
        }

        @Test func `equality takes every type, lists take all but booleans, without a trap`() {
            let date = Date()
            let listable = [
                AACCardFilterValue.byPriority(1), .byCreatedDate(date), .byCardTemplateID("t"),
                .byCardTemplateName("t"),
                .byVariableName("s", string: "x"), .byVariableName("n", number: 1),
                .byVariableName("d", date: date),
            ]
            for value in listable {
                _ = AACCardListFilter.filter(byCardsIn: [value])
                _ = AACCardListFilter.filter(byCardsNotIn: [value])
            }
            for value in listable + [.byVariableName("b", boolean: true)] {
                _ = AACCardListFilter.filter(byCardsEqualTo: value)
                _ = AACCardListFilter.filter(byCardsNotEqualTo: value)
            }
        }

        @Test func `greaterThan traps on strings and booleans`() async {
            let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                _ = AACCardListFilter.filter(byCardsGreaterThan: .byCardTemplateName("t"))
            }
            let errorOutput = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
            #expect(errorOutput.contains("greaterThan takes NSInteger and NSDate values, not NSString"))
            await #expect(processExitsWith: .failure) {
                _ = AACCardListFilter.filter(byCardsGreaterThan: .byVariableName("b", boolean: true))
            }
        }

        @Test func `greaterThanOrEqualTo traps on strings and booleans`() async {
            await #expect(processExitsWith: .failure) {
                _ = AACCardListFilter.filter(byCardsGreaterThanOrEqualTo: .byVariableName("s", string: "x"))
            }
            await #expect(processExitsWith: .failure) {
                _ = AACCardListFilter.filter(byCardsGreaterThanOrEqualTo: .byVariableName("b", boolean: true))
            }
        }

        @Test func `lessThan traps on strings and booleans`() async {
            await #expect(processExitsWith: .failure) {
                _ = AACCardListFilter.filter(byCardsLessThan: .byCardTemplateID("t"))
            }
            await #expect(processExitsWith: .failure) {
                _ = AACCardListFilter.filter(byCardsLessThan: .byVariableName("b", boolean: true))
            }
        }

        @Test func `lessThanOrEqualTo traps on strings and booleans`() async {
            await #expect(processExitsWith: .failure) {
                _ = AACCardListFilter.filter(byCardsLessThanOrEqualTo: .byCardTemplateID("t"))
            }
            await #expect(processExitsWith: .failure) {
                _ = AACCardListFilter.filter(byCardsLessThanOrEqualTo: .byVariableName("b", boolean: true))
            }
        }

        @Test func `in and notIn trap on booleans`() async {
            await #expect(processExitsWith: .failure) {
                _ = AACCardListFilter.filter(byCardsIn: [.byVariableName("b", boolean: true)])
            }
            await #expect(processExitsWith: .failure) {
                _ = AACCardListFilter.filter(byCardsNotIn: [.byVariableName("b", boolean: true)])
            }
        }

        @Test func `between traps on strings, booleans and two different attributes`() async {
            await #expect(processExitsWith: .failure) {
                let value = AACCardFilterValue.byCardTemplateName("t")
                _ = AACCardListFilter.filter(byCardsBetweenStartValue: value, endValue: value)
            }
            await #expect(processExitsWith: .failure) {
                let value = AACCardFilterValue.byVariableName("b", boolean: true)
                _ = AACCardListFilter.filter(byCardsBetweenStartValue: value, endValue: value)
            }
            await #expect(processExitsWith: .failure) {
                _ = AACCardListFilter.filter(
                    byCardsBetweenStartValue: .byPriority(1), endValue: .byVariableName("n", number: 2))
            }
        }
    }
}
