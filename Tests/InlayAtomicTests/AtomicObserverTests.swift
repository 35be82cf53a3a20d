import Foundation
import InlayAtomic
@_spi(Inlay) import InlayCore
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
import Testing

extension AtomicTests {
    @MainActor @Suite struct Observers {
        @Test func `a container is observed without a view, each change as one call with the whole list`()
            async throws
        {
            let fixture = try AtomicFixture(socket: true)
            try fixture.serve(1, [AtomicFixture.card("a"), AtomicFixture.card("b", priority: 1)])
            let seen = fixture.observe()
            #expect(try await ids(seen, 1) == ["b", "a"])
            let socket = try await fixture.server.untilSocket()
            try await socket.untilSubscribed(["cards/1"])
            // One removed, one added, one changed.
            let steps: [(cards: [CardInstance], ids: [String])] = [
                ([AtomicFixture.card("a")], ["a"]),
                ([AtomicFixture.card("a"), AtomicFixture.card("c", priority: 6)], ["a", "c"]),
                ([AtomicFixture.card("a", priority: 7), AtomicFixture.card("c", priority: 6)], ["c", "a"]),
            ]
            for (step, version) in zip(steps, Int64(2)...) {
                try fixture.serve(version, step.cards)
                socket.push(.changed(topic: "cards/1", version: version))
                #expect(try await ids(seen, Int(version)) == step.ids)
            }
            #expect(seen.calls.count == 4)
            #expect(seen.calls.last??.last?.metadata.priority == NSNumber(value: 7))
            await fixture.logout()
        }

        @Test func `the handler gets nil, and not an empty list, when the cards cannot be fetched`()
            async throws
        {
            let fixture = try AtomicFixture()
            fixture.server.always(AtomicFixture.feed, .status(500))
            let seen = fixture.observe()
            try await seen.until(1)
            #expect(seen.calls.first?.map { $0.count } == nil)
            await fixture.logout()
        }

        @Test func `stopping one observation by its token leaves another going`() async throws {
            let fixture = try AtomicFixture()
            try fixture.serve(1, [])
            let (first, second) = (fixture.observe(), fixture.observe())
            try await first.until(1)
            try await second.until(1)
            let (one, two) = (try #require(first.token), try #require(second.token))
            #expect(!one.isEqual(two))
            AACSession.stopObservingStreamContainer(token: one)
            try fixture.serve(2, [AtomicFixture.card("a")])
            try await fixture.clock.untilSleeping(for: .seconds(15))
            fixture.clock.advance(by: .seconds(15))
            #expect(try await ids(second, 2) == ["a"])
            #expect(first.calls.count == 1)
            await fixture.logout()
        }

        @Test func `the observer's configuration has its documented defaults, and nil means the same`()
            async throws
        {
            let plain = AACStreamContainerObserverConfiguration()
            #expect(plain.cardListRefreshInterval == 15)
            #expect(plain.filters == nil && plain.runtimeVariableDelegate == nil)
            #expect(plain.runtimeVariableResolutionTimeout == 5)
            #expect(!plain.sendRuntimeVariableAnalytics)
            for configuration in [nil, plain] {
                let fixture = try AtomicFixture()
                try fixture.serve(1, [AtomicFixture.card("a")])
                let seen = fixture.observe(configuration)
                #expect(try await ids(seen, 1) == ["a"])
                try await fixture.clock.untilSleeping(for: .seconds(15))
                await fixture.logout()
            }
        }

        @Test(arguments: [0.1, 0, -3]) func `an observer's interval below one second becomes one second`(
            interval: TimeInterval
        ) async throws {
            let configuration = AACStreamContainerObserverConfiguration()
            configuration.cardListRefreshInterval = interval
            #expect(configuration.cardListRefreshInterval == 1)
            let fixture = try AtomicFixture()
            try fixture.serve(1, [])
            let seen = fixture.observe(configuration)
            try await seen.until(1)
            try await fixture.clock.untilSleeping(for: .seconds(1))
            await fixture.logout()
        }

        @Test func `without a socket the cards are requested at the given interval`() async throws {
            let configuration = AACStreamContainerObserverConfiguration()
            configuration.cardListRefreshInterval = 2
            let fixture = try AtomicFixture()
            try fixture.serve(1, [])
            let seen = fixture.observe(configuration)
            try await seen.until(1)
            for count in 2...3 {
                try await fixture.clock.untilSleeping(for: .seconds(2))
                fixture.clock.advance(by: .seconds(2))
                try await fixture.server.untilRequests(AtomicFixture.feed, count)
            }
            await fixture.logout()
        }

        @Test func `an observer's filters choose its cards`() async throws {
            let configuration = AACStreamContainerObserverConfiguration()
            configuration.filters = [AACCardListFilter.filter(byCardsEqualTo: .byPriority(6))]
            let fixture = try AtomicFixture()
            try fixture.serve(
                1, [AtomicFixture.card("a", priority: 5), AtomicFixture.card("b", priority: 6)])
            let seen = fixture.observe(configuration)
            #expect(try await ids(seen, 1) == ["b"])
            await fixture.logout()
        }

        @Test
        func `a card count is observed without a view, once per change, and nil when it cannot be fetched`()
            async throws
        {
            let fixture = try AtomicFixture(socket: true)
            try fixture.serve(1, [AtomicFixture.card("a"), AtomicFixture.card("b")])
            let counts = CallRecorder<NSNumber>()
            let token = AACSession.observeCardCountForStreamContainer(withIdentifier: "1", interval: 15) {
                counts.add($0)
            }
            // An observer of lists shows when the app has received the list with the same count.
            let lists = fixture.observe()
            try await counts.until(1)
            #expect(try await ids(lists, 1) == ["a", "b"])
            let socket = try await fixture.server.untilSocket()
            try await socket.untilSubscribed(["cards/1"])
            try fixture.serve(2, ["a", "b", "c"].map { AtomicFixture.card($0) })
            socket.push(.changed(topic: "cards/1", version: 2))
            try await counts.until(2)
            try fixture.serve(3, ["d", "e", "f"].map { AtomicFixture.card($0) })
            socket.push(.changed(topic: "cards/1", version: 3))
            #expect(try await ids(lists, 3) == ["d", "e", "f"])
            fixture.server.always(AtomicFixture.feed, .status(500))
            socket.push(.changed(topic: "cards/1", version: 4))
            try await counts.until(3)
            #expect(counts.calls == [2, 3, nil])
            AACSession.stopObservingCardCount(token)
            try fixture.serve(5, [])
            socket.push(.changed(topic: "cards/1", version: 5))
            let again = CallRecorder<NSNumber>()
            AACSession.observeCardCountForStreamContainer(withIdentifier: "1", interval: 15) { again.add($0) }
            try await again.until(1)
            #expect(counts.calls.count == 3)
            await fixture.logout()
        }

        @Test func `a count observer requests the feed at most once a second`() async throws {
            let fixture = try AtomicFixture()
            try fixture.serve(1, [])
            let counts = CallRecorder<NSNumber>()
            AACSession.observeCardCountForStreamContainer(withIdentifier: "1", interval: 0.1) {
                counts.add($0)
            }
            try await counts.until(1)
            try await fixture.clock.untilSleeping(for: .seconds(1))
            await fixture.logout()
        }

        @Test func `without a socket a count is requested at the given interval`() async throws {
            let fixture = try AtomicFixture()
            try fixture.serve(1, [])
            let counts = CallRecorder<NSNumber>()
            AACSession.observeCardCountForStreamContainer(withIdentifier: "1", interval: 2) { counts.add($0) }
            try await counts.until(1)
            try fixture.serve(2, [AtomicFixture.card("a")])
            try await fixture.clock.untilSleeping(for: .seconds(2))
            fixture.clock.advance(by: .seconds(2))
            #expect(try await counts.until(2) == [0, 1])
            await fixture.logout()
        }

        @Test func `count observers have filters, and a new observer with nil counts all cards`() async throws
        {
            let fixture = try AtomicFixture()
            try fixture.serve(
                1,
                (1...5).map {
                    AtomicFixture.card("\($0)", priority: $0, variables: ["odd": .boolean($0 % 2 == 1)])
                })
            let filters = [
                AACCardListFilter.filter(byCardsGreaterThan: .byPriority(2)),
                AACCardListFilter.filter(byCardsEqualTo: .byVariableName("odd", boolean: true)),
            ]
            for (filters, expected) in [(filters, 2), (nil, 5)] as [([AACCardFilter]?, Int)] {
                let counts = CallRecorder<NSNumber>()
                AACSession.observeCardCountForStreamContainer(
                    withIdentifier: "1", interval: 15, filters: filters
                ) {
                    counts.add($0)
                }
                try await counts.until(1)
                #expect(counts.calls[0]?.intValue == expected)
            }
            await fixture.logout()
        }

        @Test
        func `a requested count is fetched once and posted with the container as the notification's object`()
            async throws
        {
            let fixture = try AtomicFixture()
            try fixture.serve(1, [AtomicFixture.card("a"), AtomicFixture.card("b")])
            let posted = Locked<[[String: Int]]>([])
            let name = NSNotification.Name(rawValue: AACSessionCardCountDidChange)
            let observer = NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) {
                note in
                let info = note.userInfo ?? [:]
                guard note.object as? String == "1" else { return }
                let visible = info[AACSessionCardCountUserInfoKey] as? Int ?? -1
                let total = info[AACSessionTotalCardCountUserInfoKey] as? Int ?? -1
                posted.withLock { $0.append(["visible": visible, "total": total]) }
            }
            defer { NotificationCenter.default.removeObserver(observer) }
            let counts = CallRecorder<NSNumber>()
            AACSession.requestCardCountForStreamContainer(withIdentifier: "1") { counts.add($0) }
            #expect(try await counts.until(1) == [2])
            #expect(posted.withLock { $0 } == [["visible": 2, "total": 2]])
            fixture.server.always(AtomicFixture.feed, .status(500))
            AACSession.requestCardCountForStreamContainer(withIdentifier: "1") { counts.add($0) }
            #expect(try await counts.until(2) == [2, nil])
            await fixture.logout()
        }

        private func ids(_ seen: CallRecorder<[AACCardInstance]>, _ count: Int) async throws -> [String]? {
            try await seen.until(count)[count - 1]?.map(\.detail.cardId)
        }
    }
}
