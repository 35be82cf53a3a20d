import Foundation
import InlayAtomic
@_spi(Inlay) import InlayCore
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
import Testing

extension AtomicTests {
    @MainActor @Suite struct Containers {
        @Test func `votes are observed and sent, a down vote only after Submit and with its reason`()
            async throws
        {
            let fixture = try AtomicFixture()
            try fixture.serve(1, [AtomicFixture.card("a")])
            let host = VotingApp()
            let configuration = AACConfiguration()
            configuration.cardEventDelegate = host
            configuration.cardVotingOptions = [.useful, .notUseful]
            let events = CallRecorder<AACSDKEvent>()
            AACSession.observeSDKEvents { event in
                if event is AACSDKEventCardVotedDown || event is AACSDKEventCardVotedUp { events.add(event) }
            }
            let shown = try await ShownContainer(fixture, configuration)
            try await shown.untilDrawn("card/a")
            shown.user("vote-not-useful", ["card": "a"])
            shown.user("cancel-feedback", ["card": "a"])
            shown.user("vote-useful", ["card": "a"])
            for reason in ["not-relevant", "too-often", "something-else"] {
                shown.user("vote-not-useful", ["card": "a"])
                shown.user("send-feedback", ["card": "a", "value": .string(reason), "text": "my words"])
            }
            try await events.until(4)
            try await host.received.until(4)
            await shown.close()
            await fixture.logout()
            AACSession.stopObservingSDKEvents()
            #expect(host.received.calls == [.votedUseful, .votedNotUseful, .votedNotUseful, .votedNotUseful])
            let up = try #require(events.calls.first as? AACSDKEventCardVotedUp)
            #expect(up.eventName == "card-voted-up" && up.cardInstanceId == "a" && up.source == .overflow)
            let down = events.calls.compactMap { $0 as? AACSDKEventCardVotedDown }
            #expect(down.map(\.reason) == [.notRelevant, .tooOften, .other])
            #expect(down.map(\.otherMessage) == [nil, nil, "my words"])
            #expect(down.allSatisfy { $0.eventName == "card-voted-down" && $0.cardInstanceId == "a" })
            let sent = try fixture.analytics.filter { $0.name.hasPrefix("card-voted") }
            #expect(sent.map(\.name) == ["card-voted-up"] + Array(repeating: "card-voted-down", count: 3))
            #expect(
                sent.compactMap { $0.properties["reason"]?.string } == [
                    "not-relevant", "too-often", "something-else",
                ])
            #expect(sent.last?.properties["message"] == "my words")
        }

        @Test func `the URL that a user was redirected to is reported, percent-encoded where a URL needs it`()
            async throws
        {
            let fixture = try AtomicFixture()
            let written = "https://x.test/?x=%20y&z={o}|1"
            let button = CardLinkButton(text: "Go", action: .url(written))
            try fixture.serve(1, [AtomicFixture.card("a")], layout: CardLayout(nodes: [.linkButton(button)]))
            let events = CallRecorder<AACSDKEventUserRedirected>()
            AACSession.observeSDKEvents { event in
                if let event = event as? AACSDKEventUserRedirected { events.add(event) }
            }
            let shown = try await ShownContainer(fixture)
            try await shown.untilDrawn("card/a")
            shown.user("link", ["card": "a", "node": "0"])
            let received = try await events.until(1)
            await shown.close()
            await fixture.logout()
            AACSession.stopObservingSDKEvents()
            let event = try #require(received.first ?? nil)
            #expect(event.redirectMethod == .url && event.detail == .linkButton)
            #expect(event.redirectUrl?.absoluteString == "https://x.test/?x=%20y&z=%7Bo%7D%7C1")
        }

        @Test(arguments: [(15.0, 15), (5, 5), (0.2, 1)])
        func `a container polls at its interval and never below one second`(
            interval: TimeInterval, seconds: Int
        ) async throws {
            let fixture = try AtomicFixture()
            try fixture.serve(1, [])
            let configuration = AACConfiguration()
            if interval != 15 { configuration.cardListRefreshInterval = interval }
            let shown = try await ShownContainer(fixture, configuration)
            try await fixture.server.untilRequests(AtomicFixture.feed)
            try await fixture.clock.untilSleeping(for: .seconds(seconds))
            fixture.clock.advance(by: .seconds(seconds))
            try await fixture.server.untilRequests(AtomicFixture.feed, 2)
            await shown.close()
            await fixture.logout()
        }

        @Test func `with interval 0, and while the socket works, nothing is polled`() async throws {
            for (interval, socket) in [(0.0, false), (1, true)] {
                let fixture = try AtomicFixture(socket: socket)
                try fixture.serve(1, [AtomicFixture.card("a")])
                let configuration = AACConfiguration()
                configuration.cardListRefreshInterval = interval
                let shown = try await ShownContainer(fixture, configuration)
                try await shown.untilDrawn("card/a")
                if socket {
                    try await fixture.server.untilSocket().untilSubscribed(["cards/1"])
                    // After a new connection the container requests its feed again, to get earlier changes.
                    try await fixture.server.untilRequests(AtomicFixture.feed, 2)
                }
                try await AtomicRuntime.shared.session().cards.refresh("1")
                let before = fixture.server.requests(AtomicFixture.feed).count
                // A second container, which polls: after its polls, those of the first would have arrived too.
                let other = InlayPath.cardFeed(container: "2")
                let seen = CallRecorder<NSNumber>()
                AACSession.observeCardCountForStreamContainer(withIdentifier: "2", interval: 1) {
                    seen.add($0)
                }
                try await fixture.server.untilRequests(other)
                for round in 1...10 where !socket {
                    try await fixture.clock.untilSleeping(for: .seconds(1))
                    fixture.clock.advance(by: .seconds(1))
                    try await fixture.server.untilRequests(other, 1 + round)
                }
                if socket { fixture.clock.advance(by: .seconds(30)) }
                try await AtomicRuntime.shared.session().cards.refresh("1")
                #expect(fixture.server.requests(AtomicFixture.feed).count == before + 1)
                await shown.close()
                await fixture.logout()
            }
        }

        @Test
        func
            `a container shows Cards and Try again by default, and the app's own strings when they are set`()
            async throws
        {
            for isOwn in [false, true] {
                let fixture = try AtomicFixture()
                fixture.server.always(AtomicFixture.feed, .status(500))
                let configuration = AACConfiguration()
                if isOwn {
                    configuration.setValue("Offers", for: .cardListTitle)
                    configuration.setValue("Once more", for: .tryAgainTitle)
                }
                let shown = try await ShownContainer(fixture, configuration)
                try await shown.untilDrawn(isOwn ? ">Once more<" : ">Try again<")
                try fixture.serve(1, [AtomicFixture.card("a")])
                shown.user("retry")
                try await shown.untilDrawn("card/a")
                try await shown.untilDrawn(isOwn ? ">Offers<" : ">Cards<")
                await shown.close()
                await fixture.logout()
            }
        }

        @Test func `a container in dark style is dark on a light device, and in light style light`()
            async throws
        {
            for (style, accent) in [
                (AACConfigurationInterfaceStyle.dark, "#102030"), (.light, "#405060"),
                (.automatic, "#405060"),
            ] {
                let fixture = try AtomicFixture()
                try fixture.serve(1, [AtomicFixture.card("a")])
                let configuration = AACConfiguration()
                configuration.interfaceStyle = style
                let shown = try await ShownContainer(
                    fixture, configuration, light: CardTheme(colors: ["accent": "#405060"]),
                    dark: CardTheme(colors: ["accent": "#102030"]))
                try await shown.untilDrawn("card/a")
                try await shown.untilDrawn(accent)
                let other = accent == "#102030" ? "#405060" : "#102030"
                #expect(!shown.patches.elements.contains { "\($0.payload)".contains(other) })
                await shown.close()
                await fixture.logout()
            }
        }

        @Test func `refresh requests new cards at once`() async throws {
            let fixture = try AtomicFixture()
            try fixture.serve(1, [AtomicFixture.card("a")])
            let shown = try await ShownContainer(fixture)
            try await shown.untilDrawn("card/a")
            let before = fixture.server.requests(AtomicFixture.feed).count
            try fixture.serve(2, [AtomicFixture.card("a"), AtomicFixture.card("b")])
            shown.container.refresh()
            try await shown.untilDrawn("card/b")
            #expect(fixture.server.requests(AtomicFixture.feed).count == before + 1)
            await shown.close()
            await fixture.logout()
        }

        @Test func `filters of a container apply together, replace earlier ones, and are removed by nil`()
            async throws
        {
            let fixture = try AtomicFixture()
            try fixture.serve(1, (1...3).map { AtomicFixture.card("p\($0)", priority: $0) })
            let shown = try await ShownContainer(fixture)
            try await shown.untilDrawn("card/p3")
            let one = AACCardListFilter.filter(byCardsNotEqualTo: .byPriority(1))
            let two = AACCardListFilter.filter(byCardsLessThan: .byPriority(3))
            shown.container.apply([one, two])
            try await shown.untilShown(["p2"])
            shown.container.apply(one)
            try await shown.untilShown(["p2", "p3"])
            shown.container.apply(nil as AACCardFilter?)
            try await shown.untilShown(["p1", "p2", "p3"])
            for none in [nil, []] as [[AACCardFilter]?] {
                shown.container.apply([two])
                try await shown.untilShown(["p1", "p2"])
                shown.container.apply(none)
                try await shown.untilShown(["p1", "p2", "p3"])
            }
            await shown.close()
            // A container also has the filters that are set before it is shown.
            let filtered = try await ShownContainer(fixture, filters: [one])
            try await filtered.untilShown(["p2", "p3"])
            await filtered.close()
            await fixture.logout()
        }

        @Test
        func `a container's delegate resolves variables, and they are sent as analytics only with the flag`()
            async throws
        {
            let layout = CardLayout(
                nodes: [.headline("Items: {{numberOfItems}}")],
                variables: [CardVariable(name: "numberOfItems", defaultValue: .string("no"), isRuntime: true)]
            )
            for isSent in [false, true] {
                let fixture = try AtomicFixture()
                try fixture.serve(1, [AtomicFixture.card("a"), AtomicFixture.card("b")], layout: layout)
                let resolver = TwelveResolver()
                let configuration = AACConfiguration()
                configuration.runtimeVariableDelegate = resolver
                #expect(!configuration.features.runtimeVariableAnalytics, "The documented default is NO.")
                // Without the flag the configuration is not changed, because its default is tested.
                if isSent { configuration.features.runtimeVariableAnalytics = true }
                let shown = try await ShownContainer(fixture, configuration)
                try await shown.untilDrawn("Items: 12")
                shown.container.updateVariables()
                try await resolver.requests.until(2)
                await shown.close()
                await fixture.logout()
                let sent = try fixture.analytics.filter { $0.name == "runtime-vars-updated" }
                #expect(sent.isEmpty == !isSent)
                #expect(sent.allSatisfy { $0.properties["variables"] == ["numberOfItems": "12"] })
                #expect(Set(sent.compactMap(\.cardID)) == (isSent ? ["a", "b"] : []))
            }
        }

        @Test func `after log-out both routes of set-up make the SDK usable again`() async throws {
            for isLogin in [true, false] {
                let fixture = try AtomicFixture()
                await fixture.logout()
                try fixture.serve(1, [AtomicFixture.card("a")])
                if isLogin {
                    try fixture.login()
                } else {
                    AACSession.initialise(withEnvironmentId: "env", apiKey: "key")
                    AACSession.setSessionDelegate(fixture.user)
                    AACSession.setApiBaseUrl(try AtomicFixture.baseURL)
                }
                let seen = fixture.observe()
                try await seen.until(1)
                #expect(seen.calls[0]?.count == 1)
                await fixture.logout()
            }
        }

        @Test func `a delegate without intervals gets the default intervals, and a late token is ignored`()
            async throws
        {
            let user = PlainUser()
            let fixture = try AtomicFixture(login: false)
            AACSession.login(
                withEnvironmentId: "env", apiKey: "key", sessionDelegate: user,
                apiBaseUrl: try AtomicFixture.baseURL)
            try fixture.serve(1, [])
            let counts = CallRecorder<NSNumber>()
            AACSession.requestCardCountForStreamContainer(withIdentifier: "1") { counts.add($0) }
            // The session's analytics also request a token: before this request, with it or after it.
            let running = Task {
                var ranOut = 0
                while (try? await fixture.clock.untilSleeping(for: .seconds(5))) != nil {
                    fixture.clock.advance(by: .seconds(5))
                    ranOut += 1
                }
                return ranOut
            }
            defer { running.cancel() }
            #expect(try await counts.until(1) == [nil])
            running.cancel()
            let ranOut = await running.value
            #expect(ranOut > 0)
            try await user.tokenRequests.until(ranOut)
            user.answer(0..<ranOut, TestToken.unsigned(expires: nil))
            #expect(fixture.server.requests.isEmpty && counts.calls.count == 1)
            AACSession.requestCardCountForStreamContainer(withIdentifier: "1") { counts.add($0) }
            try await user.tokenRequests.until(ranOut + 1)
            fixture.clock.advance(by: .seconds(4))
            user.answer(ranOut..., TestToken.unsigned(expires: nil))
            #expect(try await counts.until(2) == [nil, 0])
            await fixture.logout()
        }
    }
}

@MainActor private final class VotingApp: AACCardEventDelegate {
    let received = CallRecorder<AACCardEventKind>()

    func streamContainer(
        _ streamContainerVc: AACStreamContainerViewController, didTriggerCardEvent event: AACCardEvent
    ) {
        received.add(event.kind)
    }
}

@MainActor private final class TwelveResolver: AACRuntimeVariableDelegate {
    let requests = CallRecorder<Int>()

    func cardSessionDidRequestRuntimeVariables(
        _ cardsToResolve: [AACCardInstance], completionHandler: @escaping AACSessionRuntimeVariablesHandler
    ) {
        requests.add(cardsToResolve.count)
        for card in cardsToResolve { card.resolveRuntimeVariable(withName: "numberOfItems", value: "12") }
        completionHandler(cardsToResolve)
    }
}

/// A delegate with only the required method, which returns tokens when the test calls `answer`.
@MainActor private final class PlainUser: AACSessionDelegate {
    let tokenRequests = CallRecorder<Int>()
    private var handlers: [AACSessionAuthenticationTokenHandler] = []

    func cardSessionDidRequestAuthenticationToken(handler: @escaping AACSessionAuthenticationTokenHandler) {
        handlers.append(handler)
        tokenRequests.add(handlers.count)
    }

    func answer(_ requests: some RangeExpression<Int>, _ token: String?) {
        handlers[requests].forEach { $0(token) }
    }
}
