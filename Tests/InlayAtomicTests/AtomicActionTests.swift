import Foundation
import InlayAtomic
@_spi(Inlay) import InlayCards
@_spi(Inlay) import InlayCore
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
import Testing

extension AtomicTests {
    @MainActor @Suite struct Actions {
        private static let all = [
            AACSessionCardAction(dismissActionWithContainerId: "1", cardId: "d"),
            AACSessionCardAction(snoozeActionWithContainerId: "1", cardId: "z", snoozeInterval: 60),
            AACSessionCardAction(
                submitActionWithContainerId: "1", cardId: "s", submitButtonName: "button-name",
                submitValues: ["submit-key": "submitted values", "submit-key2": 999]),
        ]

        @Test func `each of the three actions reaches the platform with both ids and ends without an error`()
            async throws
        {
            #expect(AACSessionCardActionTypes.allCases == [.dismiss, .snooze, .submit])
            let fixture = try AtomicFixture()
            for action in Self.all { #expect(await fixture.run(action) == nil) }
            let sent = try fixture.actions
            #expect(sent.map(\.containerID) == ["1", "1", "1"] && sent.map(\.cardID) == ["d", "z", "s"])
            #expect(
                sent.map(\.kind) == [
                    .dismiss, .snooze(until: AtomicFixture.noon + .seconds(60)),
                    .submit(
                        buttonName: "button-name",
                        values: ["submit-key": "submitted values", "submit-key2": .number(999)]),
                ])
            await fixture.logout()
        }

        @Test func `strings, numbers and booleans keep their types, and values may be left out`() async throws
        {
            let fixture = try AtomicFixture()
            let values: [String: Any] = [
                "text": "x", "int": 1, "double": 1.5, "float": Float(0.5), "number": NSNumber(value: 7),
                "yes": true,
                "flag": NSNumber(value: false),
            ]
            #expect(await fixture.run(submit("a", values)) == nil)
            #expect(await fixture.run(submit("b", nil)) == nil)
            #expect(
                try fixture.actions.map(\.kind) == [
                    .submit(
                        buttonName: "go",
                        values: [
                            "text": "x", "int": 1.0, "double": 1.5, "float": 0.5, "number": 7.0, "yes": true,
                            "flag": .boolean(false),
                        ]), .submit(buttonName: "go", values: [:]),
                ])
            await fixture.logout()
        }

        @Test func `a value of another type is an error, and nothing is submitted`() async throws {
            let fixture = try AtomicFixture()
            for bad in [[1, 2], Date(), ["a": 1], NSNull()] as [Any] {
                let error = try #require(await fixture.run(submit("a", ["fine": "x", "bad": bad])))
                #expect(error.domain == AACSessionCardActionsErrorDomain)
                #expect(AACSessionCardActionsError.Code(rawValue: error.code) == .dataError)
            }
            #expect(fixture.server.requests(InlayPath.cardActions).isEmpty)
            await fixture.logout()
        }

        @Test func `a submission without a view neither reads nor checks the card's inputs`() async throws {
            let fixture = try AtomicFixture()
            var rules = CardInputRules()
            rules.required = .init(true)
            let input = CardTextInput(name: "must", label: "Must", defaultValue: "default", rules: rules)
            try fixture.serve(
                1, [AtomicFixture.card("a")], layout: CardLayout(nodes: [.form([.textInput(input)])]))
            try await fixture.observe().until(1)
            #expect(await fixture.run(submit("a", ["other": "x"])) == nil)
            #expect(try fixture.actions.map(\.kind) == [.submit(buttonName: "go", values: ["other": "x"])])
            await fixture.logout()
        }

        @Test func `the button's name is in the submission's analytics`() async throws {
            let fixture = try AtomicFixture()
            _ = await fixture.run(submit("a", ["n": 1]))
            await fixture.logout()
            let event = try #require(try fixture.analytics.first { $0.name == "card-completed" })
            #expect(event.properties["buttonName"] == "go")
            #expect(event.properties["values"] == ["n": 1])
            #expect(event.cardID == "a" && event.containerID == "1")
        }

        @Test func `a negative snooze is an error and no request, zero is allowed`() async throws {
            let fixture = try AtomicFixture()
            for seconds: TimeInterval in [-1, -.infinity, .nan] {
                let action = AACSessionCardAction(
                    snoozeActionWithContainerId: "1", cardId: "a", snoozeInterval: seconds)
                #expect(await fixture.run(action)?.domain == AACSessionCardActionsErrorDomain)
            }
            #expect(fixture.server.requests(InlayPath.cardActions).isEmpty)
            let zero = AACSessionCardAction(snoozeActionWithContainerId: "1", cardId: "a", snoozeInterval: 0)
            #expect(await fixture.run(zero) == nil)
            await fixture.logout()
        }

        @Test func `network and data failures of each action have their code, domain and cause`() async throws
        {
            let problem = Problem(.invalidValue, status: 422, title: "No")
            for (answer, code) in [
                (
                    ScriptedResponse.failure(.unreachable("offline")),
                    AACSessionCardActionsError.Code.networkError
                ),
                (.receipts { _ in problem }, .dataError),
            ] {
                for action in Self.all {
                    let fixture = try AtomicFixture()
                    fixture.server.always(InlayPath.cardActions, answer)
                    let error = try #require(await fixture.run(action))
                    #expect(error.domain == AACSessionCardActionsErrorDomain)
                    #expect(AACSessionCardActionsErrorCode(rawValue: error.code) == code)
                    #expect(error.userInfo[NSUnderlyingErrorKey] is NSError)
                    await fixture.logout()
                }
            }
        }

        @Test func `user metrics count all containers and each one, and follow displayed and snoozed cards`()
            async throws
        {
            let fixture = try AtomicFixture()
            fixture.server.always(
                InlayPath.cardCounts,
                try .json(
                    CardCounts(containers: ["1": .init(total: 2, unseen: 2), "B": .init(total: 3, unseen: 3)])
                ))
            try fixture.serve(1, [AtomicFixture.card("a"), AtomicFixture.card("b")])
            let seen = fixture.observe()
            try await seen.until(1)
            let before = try #require(await metrics().0)
            #expect(before.totalCards() == 5 && before.unseenCards() == 5)
            #expect(before.totalCardsForStreamContainer(withId: "1") == 2)
            try await AtomicRuntime.shared.session().cards.displayed("a", in: "1")
            let shown = try #require(await metrics().0)
            #expect(shown.unseenCards() == 4 && shown.unseenCardsForStreamContainer(withId: "1") == 1)
            #expect(shown.unseenCardsForStreamContainer(withId: "B") == 3)
            let snooze = AACSessionCardAction(
                snoozeActionWithContainerId: "1", cardId: "b", snoozeInterval: 60)
            #expect(await fixture.run(snooze) == nil)
            let after = try #require(await metrics().0)
            #expect(after.totalCards() == 4 && after.totalCardsForStreamContainer(withId: "1") == 1)
            #expect(after.totalCardsForStreamContainer(withId: "unknown") == 0)
            await fixture.logout()
        }

        @Test func `a number that a double cannot hold exactly is refused and not sent`() async throws {
            let fixture = try AtomicFixture()
            for number in [9_007_199_254_740_993, NSNumber(value: Int64.max), UInt64.max] as [Any] {
                let error = try #require(await fixture.run(submit("a", ["order": number])))
                #expect(AACSessionCardActionsError.Code(rawValue: error.code) == .dataError)
            }
            #expect(fixture.server.requests(InlayPath.cardActions).isEmpty)
            let exact: [String: Any] = [
                "a": 9_007_199_254_740_992, "b": NSNumber(value: 7 as Int64), "c": 0.1,
            ]
            #expect(await fixture.run(submit("a", exact)) == nil)
            let values: [String: CardInputValue] = [
                "a": .number(9_007_199_254_740_992), "b": .number(7), "c": .number(0.1),
            ]
            #expect(try fixture.actions.map(\.kind) == [.submit(buttonName: "go", values: values)])
            await fixture.logout()
        }

        @Test func `metrics that cannot be fetched are nil, and the error distinguishes network from data`()
            async throws
        {
            for (answer, code) in [
                (ScriptedResponse.failure(.timedOut), AACSessionUserMetricsError.Code.networkError),
                (.status(500), .dataError),
                (.response(TransportResponse(status: 200, body: Data("[".utf8))), .dataError),
            ] {
                let fixture = try AtomicFixture()
                fixture.server.always(InlayPath.cardCounts, answer)
                let (metrics, error) = await metrics()
                #expect(metrics == nil)
                #expect(error?.domain == AACSessionUserMetricsErrorDomain)
                #expect(error.map { AACSessionUserMetricsErrorCode(rawValue: $0.code) } == code)
                #expect(error?.userInfo[NSUnderlyingErrorKey] is NSError)
                await fixture.logout()
            }
        }

        private func metrics() async -> (AACUserMetrics?, NSError?) {
            await withCheckedContinuation { done in
                AACSession.userMetrics { done.resume(returning: ($0, $1 as NSError?)) }
            }
        }

        private func submit(_ card: String, _ values: [String: Any]?) -> AACSessionCardAction {
            AACSessionCardAction(
                submitActionWithContainerId: "1", cardId: card, submitButtonName: "go", submitValues: values)
        }
    }
}
