import Foundation
import GRDB
@_spi(Inlay) import InlayCards
@_spi(Inlay) import InlayCore
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
import Testing

@Suite struct CardObservationTests {
    @Test func `a container shows its cards by priority, the newest first within one`() async throws {
        let fixture = try await CardsFixture.start()
        try fixture.serve(
            Sample.feed(
                1,
                [
                    Sample.instance("late", priority: 10),
                    Sample.instance("old", active: Sample.noon + .seconds(-60)),
                    Sample.instance("new"), Sample.instance("first", priority: 1),
                ]))
        let states = fixture.observe()
        try await states.untilCards(["first", "new", "old", "late"])
        #expect(states.elements.last?.isCurrent == true)
        #expect(states.elements.last?.total == 4)
    }

    @Test func `a seen card is remembered as long as a feed lists it`() async throws {
        let fixture = try await CardsFixture.start()
        try fixture.serve(Sample.feed(1, [Sample.instance("a"), Sample.instance("b")]))
        try await fixture.cards.refresh("c")
        for card in ["a", "b"] { await fixture.cards.displayed(card, in: "c") }
        try fixture.serve(Sample.feed(2, [Sample.instance("b")]))
        try await fixture.cards.refresh("c")
        let remembered = try await fixture.session.store.read { database in
            try String.fetchAll(database, sql: "SELECT card FROM card_seen")
        }
        #expect(remembered == ["b"])
        let later = try await fixture.restarted()
        #expect(await later.cards.current("c").unseen == 0)
    }

    @Test func `a change is fetched as soon as the socket announces it`() async throws {
        let fixture = try await CardsFixture.start(socket: true)
        try fixture.serve(Sample.feed(1, [Sample.instance("a")]))
        let states = fixture.observe()
        let socket = try await fixture.server.untilSocket()
        try await states.untilNewest(cards: ["a"])
        try fixture.serve(Sample.feed(2, [Sample.instance("a"), Sample.instance("b", priority: 1)]))
        socket.push(.changed(topic: "cards/c", version: 2))
        try await states.untilNewest(cards: ["b", "a"])
    }

    @Test(arguments: [ScriptedResponse.failure(.timedOut), .failure(.cut("in the middle")), .status(503)])
    func `a change whose request fails is requested again, though the socket brings no polls`(
        answer: ScriptedResponse
    ) async throws {
        let fixture = try await CardsFixture.start(socket: true)
        try fixture.serve(Sample.feed(1, []))
        let states = fixture.observe()
        let socket = try await fixture.server.untilSocket()
        try await fixture.server.untilRequests(CardsFixture.feed, 2)
        fixture.server.next(CardsFixture.feed, answer, answer)
        try fixture.serve(Sample.feed(2, [Sample.instance("a")]))
        socket.push(.changed(topic: "cards/c", version: 2))
        try await untilRequested(fixture, 5)
        try await states.untilNewest(cards: ["a"])
        // Analytics events also wait on this clock, to be sent in batches. Once some were sent and nothing sleeps,
        // no further request is scheduled.
        try await eventually {
            let isQuiet = try !fixture.analytics.isEmpty && fixture.clock.sleepers.isEmpty
            if !isQuiet { fixture.clock.advance(by: .seconds(60)) }
            return isQuiet
        }
        #expect(fixture.server.requests(CardsFixture.feed).count == 5)
    }

    @Test func `a response that is older than the announced version is requested again`() async throws {
        let fixture = try await CardsFixture.start(socket: true)
        try fixture.serve(Sample.feed(1, []))
        let states = fixture.observe()
        let socket = try await fixture.server.untilSocket()
        try await fixture.server.untilRequests(CardsFixture.feed, 2)
        try fixture.server.next(CardsFixture.feed, .json(Sample.feed(1, [])), .status(304))
        try fixture.serve(Sample.feed(2, [Sample.instance("a")]))
        socket.push(.changed(topic: "cards/c", version: 2))
        try await untilRequested(fixture, 5)
        try await states.untilNewest(cards: ["a"])
    }

    /// Advances the clock until the feed was requested `count` times in total; the delays are random.
    private func untilRequested(_ fixture: CardsFixture, _ count: Int) async throws {
        try await eventually {
            fixture.clock.advance(by: .seconds(1))
            return fixture.server.requests(CardsFixture.feed).count >= count
        }
    }

    @Test func `a request that the server refuses for good is not repeated`() async throws {
        let fixture = try await CardsFixture.start(socket: true)
        try fixture.serve(Sample.feed(1, []))
        let states = fixture.observe()
        let socket = try await fixture.server.untilSocket()
        try await fixture.server.untilRequests(CardsFixture.feed, 2)
        let problem = Problem(.notFound, status: 404, title: "No such container")
        try fixture.server.always(CardsFixture.feed, .problem(problem))
        socket.push(.changed(topic: "cards/c", version: 2))
        try await states.until { $0.failure == .refused(problem) }
        fixture.clock.advance(by: .seconds(120))
        try fixture.serve(Sample.feed(3, [Sample.instance("a")]))
        socket.push(.changed(topic: "cards/c", version: 3))
        try await states.untilNewest(cards: ["a"])
        #expect(fixture.server.requests(CardsFixture.feed).count == 4)
    }

    @Test func `an announced version that is already stored causes no request`() async throws {
        let fixture = try await CardsFixture.start(socket: true)
        try fixture.serve(Sample.feed(5, []))
        let states = fixture.observe()
        let socket = try await fixture.server.untilSocket()
        try await states.until { $0.isCurrent }
        // The request after the new connection; its response makes a state only when something changed.
        try await fixture.server.untilRequests(CardsFixture.feed, 2)
        socket.push(.changed(topic: "cards/c", version: 4))
        socket.push(.changed(topic: "cards/c", version: 5))
        try fixture.serve(Sample.feed(6, [Sample.instance("a")]))
        socket.push(.changed(topic: "cards/c", version: 6))
        try await states.untilNewest(cards: ["a"])
        #expect(fixture.server.requests(CardsFixture.feed).count == 3)
    }

    @Test func `an older feed that arrives late never replaces a newer one`() async throws {
        let fixture = try await CardsFixture.start()
        try fixture.serve(Sample.feed(7, [Sample.instance("new")]))
        let states = fixture.observe()
        try await states.untilNewest(cards: ["new"])
        try fixture.serve(Sample.feed(6, [Sample.instance("stale")]))
        try await fixture.cards.refresh("c")
        #expect(await fixture.cards.current("c").cards.map(\.id) == ["new"])
        let later = try await fixture.restarted()
        #expect(await later.cards.current("c").cards.map(\.id) == ["new"])
    }

    @Test func `a request names the stored version, and 304 keeps it`() async throws {
        let fixture = try await CardsFixture.start()
        try fixture.serve(Sample.feed(3, [Sample.instance("a")]))
        try await fixture.cards.refresh("c")
        fixture.server.always(CardsFixture.feed, .status(304))
        try await fixture.cards.refresh("c")
        #expect(fixture.server.requests(CardsFixture.feed).map(\.url.query) == [nil, "after=3"])
        #expect(await fixture.cards.current("c").cards.map(\.id) == ["a"])
    }

    @Test func `the last cards are shown at once after a restart without a network`() async throws {
        let fixture = try await CardsFixture.start()
        try fixture.serve(Sample.feed(3, [Sample.instance("a"), Sample.instance("b")]))
        try await fixture.cards.refresh("c")
        let offline = ScriptedTransport()
        offline.always(CardsFixture.feed, .failure(.unreachable("no network")))
        offline.hold(CardsFixture.feed)
        let later = try await fixture.restarted(server: offline)
        let states = later.observe()
        let first = try await states.until(count: 1)
        #expect(first[0].cards.map(\.id) == ["a", "b"])
        #expect(first[0].isCurrent == false && first[0].failure == nil)
        offline.release(CardsFixture.feed)
        try await states.until { $0.failure == .network(.unreachable("no network")) }
        #expect(states.elements.last?.cards.count == 2)
    }

    @Test func `without a socket the feed is requested at the interval`() async throws {
        let fixture = try await CardsFixture.start()
        try fixture.serve(Sample.feed(1, []))
        let states = fixture.observe(pollEvery: .seconds(15))
        try await states.until { $0.isCurrent }
        try await fixture.clock.untilSleeping(for: .seconds(15))
        try fixture.serve(Sample.feed(2, [Sample.instance("a")]))
        fixture.clock.advance(by: .seconds(15))
        try await states.untilNewest(cards: ["a"])
        #expect(fixture.server.requests(CardsFixture.feed).count == 2)
    }

    @Test(arguments: [Duration.milliseconds(100), .zero, .seconds(-3)])
    func `an interval below one second becomes one second`(interval: Duration) async throws {
        let fixture = try await CardsFixture.start()
        try fixture.serve(Sample.feed(1, []))
        let states = fixture.observe(pollEvery: interval)
        try await states.until { $0.isCurrent }
        try await fixture.clock.untilSleeping(for: .seconds(1))
    }

    @Test func `one bad card, and one whose layout is missing, hide no other`() async throws {
        let fixture = try await CardsFixture.start()
        let good = try JSONEncoder().encode(Sample.instance("good"))
        let homeless = try JSONEncoder().encode(Sample.instance("homeless", layout: "gone@1"))
        let body = """
            {"containerID":"c","version":1,"serverTime":1,"hadCards":true,"layouts":{"t@1":{"nodes":[]}},
             "cards":[{"id":"bad"},\(String(decoding: good, as: UTF8.self)),
                      \(String(decoding: homeless, as: UTF8.self)),\(String(decoding: good, as: UTF8.self))]}
            """
        fixture.server.always(
            CardsFixture.feed, .response(TransportResponse(status: 200, body: Data(body.utf8))))
        #expect(try await fixture.cards.cards(in: "c").map(\.id) == ["good"])
        #expect(await fixture.cards.current("c").unreadable == 2)
    }

    @Test(arguments: ["", "{", "[]", #"{"containerID":"other","version":9,"serverTime":1,"cards":[]}"#])
    func `an answer that is no feed of this container is an error and changes nothing`(body: String)
        async throws
    {
        let fixture = try await CardsFixture.start()
        try fixture.serve(Sample.feed(1, [Sample.instance("a")]))
        try await fixture.cards.refresh("c")
        fixture.server.always(
            CardsFixture.feed, .response(TransportResponse(status: 200, body: Data(body.utf8))))
        await #expect(throws: CardConnectionError.self) { try await fixture.cards.refresh("c") }
        #expect(await fixture.cards.current("c").cards.map(\.id) == ["a"])
    }

    @Test func `a refusal shows its problem, and the next answer clears it`() async throws {
        let fixture = try await CardsFixture.start()
        let problem = Problem(.notFound, status: 404, title: "No such container")
        fixture.server.always(CardsFixture.feed, try .problem(problem))
        let states = fixture.observe()
        try await states.until { $0.failure == .refused(problem) }
        try fixture.serve(Sample.feed(1, [Sample.instance("a")]))
        try await fixture.cards.refresh("c")
        try await states.untilNewest(cards: ["a"])
        #expect(states.elements.last?.failure == nil)
    }

    @Test func `each observer has its own filters, and the counts are the container's`() async throws {
        let fixture = try await CardsFixture.start()
        try fixture.serve(
            Sample.feed(1, (1...5).map { Sample.instance("\($0)", priority: $0, isSeen: $0 > 3) }))
        let all = fixture.observe()
        let few = fixture.observe([CardFilter.priority.atMost(3), CardFilter.priority.notEqual(to: 2)])
        try await few.untilNewest(cards: ["1", "3"])
        try await all.untilNewest(cards: ["1", "2", "3", "4", "5"])
        #expect(few.elements.last?.total == 5)
        #expect(few.elements.last?.unseen == 3)
    }

    @Test func `an observer that stopped receives nothing, and another still does`() async throws {
        let fixture = try await CardsFixture.start()
        try fixture.serve(Sample.feed(1, [Sample.instance("a")]))
        let (first, second) = (fixture.observe(), fixture.observe())
        try await first.untilNewest(cards: ["a"])
        try await second.untilNewest(cards: ["a"])
        first.stop()
        try await first.untilFinished()
        try fixture.serve(Sample.feed(2, []))
        try await fixture.cards.refresh("c")
        try await second.untilNewest(cards: [])
        #expect(first.elements.last?.cards.count == 1)
    }

    @Test func `a card goes when it expires, by the server's clock and without a request`() async throws {
        let fixture = try await CardsFixture.start()
        // The device's clock is an hour behind the server's.
        let serverNow = Sample.noon + .seconds(3600)
        let feed = Sample.feed(
            1,
            [
                Sample.instance("soon", expires: serverNow + .seconds(10)),
                Sample.instance("gone", expires: serverNow),
            ])
        fixture.server.always(
            CardsFixture.feed,
            try .json(feed, headers: [InlayHeader.serverTime: String(serverNow.microseconds)]))
        let states = fixture.observe()
        try await states.untilNewest(cards: ["soon"])
        try await fixture.clock.untilSleeping(for: .seconds(10))
        fixture.clock.advance(by: .seconds(10))
        try await states.untilNewest(cards: [])
        #expect(fixture.server.requests(CardsFixture.feed).count == 1)
    }

    @Test func `a session that the app releases ends its cards' work and is deallocated`() async throws {
        var fixture: CardsFixture? = try await .start(socket: true)
        try fixture?.serve(Sample.feed(1, [Sample.instance("a")]))
        let (clock, server) = try #require(fixture.map { ($0.clock, $0.server) })
        let (work, cards) = try #require(fixture.map { ($0.session.work, $0.cards) })
        weak let session = fixture?.session
        let states = try #require(fixture?.observe(pollEvery: .seconds(15)))
        try await states.untilNewest(cards: ["a"])
        let socket = try await server.untilSocket()
        fixture = nil
        #expect(session == nil)
        try await socket.untilClosed()
        try await states.untilFinished()
        try await eventually { work.running == 0 && clock.sleepers.isEmpty }
        await #expect(throws: CardActionError.loggedOut) { try await cards.dismiss("a", in: "c") }
    }

    @Test func `observers end at log-out`() async throws {
        let fixture = try await CardsFixture.start()
        try fixture.serve(Sample.feed(1, [Sample.instance("a")]))
        let states = fixture.observe()
        try await states.untilNewest(cards: ["a"])
        try await fixture.session.logOut()
        try await states.untilFinished()
        await #expect(throws: CardConnectionError.loggedOut) { try await fixture.cards.refresh("c") }
        #expect(await fixture.cards.current("c").cards.isEmpty)
    }
}
