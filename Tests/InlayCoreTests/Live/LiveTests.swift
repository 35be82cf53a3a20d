import Foundation
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
import Testing

@_spi(Inlay) @testable import InlayCore

@Suite struct LiveTests {
    let fixture: SessionFixture
    let topic = "cards/main"

    init() throws {
        fixture = try SessionFixture()
        fixture.server.alwaysSocket(.accept)
    }

    func subscribe(
        _ session: InlaySession, _ topic: String = "cards/main", every interval: Duration? = .seconds(15)
    ) async -> StreamRecorder<LiveSignal> {
        StreamRecorder(await session.live.subscribe(topic: topic, pollEvery: interval))
    }

    @Test func `a socket with the session's header fields is opened for the first subscriber`() async throws {
        let session = try await fixture.session()
        #expect(fixture.server.socketRequests.isEmpty)
        let signals = await subscribe(session)
        try await signals.until(count: 1)
        #expect(signals.elements == [.connected])
        let request = try #require(fixture.server.socketRequests.first)
        #expect(request.url.absoluteString == "https://inlay.example/socket")
        #expect(request.headers[InlayHeader.environment] == "env-1")
        #expect(request.headers["Authorization"]?.hasPrefix("Bearer ") == true)
    }

    @Test func `each subscriber receives the changes of its own topic`() async throws {
        let session = try await fixture.session()
        let first = await subscribe(session, "cards/a")
        let second = await subscribe(session, "cards/b")
        let socket = try await fixture.server.untilSocket()
        try await socket.untilSubscribed(["cards/a", "cards/b"])
        socket.push(.changed(topic: "cards/b", version: 4))
        socket.push(.changed(topic: "cards/a", version: 9))
        try await first.until { $0 == .changed(version: 9) }
        try await second.until { $0 == .changed(version: 4) }
        #expect(!first.elements.contains(.changed(version: 4)))
        #expect(fixture.server.sockets.count == 1)
    }

    @Test func `after quick subscriptions and cancellations the server has the right topics`() async throws {
        let session = try await fixture.session()
        let first = await subscribe(session, "cards/0")
        try await first.until(count: 1)
        var all = [first]
        for number in 1...20 { all.append(await subscribe(session, "cards/\(number)")) }
        for number in 1...19 { all[number].stop() }
        try await fixture.server.sockets[0].untilSubscribed(["cards/0", "cards/20"])
    }

    @Test func `late and repeated changes are not reported again`() async throws {
        let session = try await fixture.session()
        let signals = await subscribe(session)
        let socket = try await fixture.server.untilSocket()
        try await socket.untilSubscribed([topic])
        for version in [3, 5, 4, 5, 3, 6] as [Int64] { socket.push(.changed(topic: topic, version: version)) }
        try await signals.until { $0 == .changed(version: 6) }
        #expect(
            signals.elements == [
                .connected, .changed(version: 3), .changed(version: 5), .changed(version: 6),
            ])
    }

    @Test(arguments: ["", "{", "[]", #"{"type":"future","x":1}"#, #"{"type":"changed"}"#, "\u{0}", "hello"])
    func `a message that cannot be read is ignored`(text: String) async throws {
        let session = try await fixture.session()
        let signals = await subscribe(session)
        let socket = try await fixture.server.untilSocket()
        try await socket.untilSubscribed([topic])
        socket.push(text: text)
        socket.push(.changed(topic: topic, version: 1))
        try await signals.until { $0 == .changed(version: 1) }
        #expect(signals.elements == [.connected, .changed(version: 1)])
    }

    @Test func `while the socket is connected nothing is polled`() async throws {
        let session = try await fixture.session()
        let signals = await subscribe(session, every: .seconds(1))
        try await signals.until(count: 1)
        try await eventually { fixture.clock.sleepers.isEmpty }
        fixture.clock.advance(by: .seconds(3600))
        let socket = try await fixture.server.untilSocket()
        socket.push(.changed(topic: topic, version: 1))
        try await signals.until { $0 == .changed(version: 1) }
        #expect(!signals.elements.contains(.poll))
    }

    @Test func `a refused upgrade leads to an event and then to polls at the subscriber's interval`()
        async throws
    {
        fixture.server.alwaysSocket(.refuse(status: 503))
        let session = try await fixture.session()
        let events = StreamRecorder(session.events.observe())
        let signals = await subscribe(session, every: .seconds(90))
        try await events.until { $0.name == .requestFailed && $0.properties["path"] == "/socket" }
        try await fixture.clock.untilSleeping(for: .seconds(90))
        #expect(!signals.elements.contains(.poll))
        fixture.clock.advance(by: .seconds(90))
        try await signals.until(count: 1)
        try await fixture.clock.untilSleeping(for: .seconds(90))
        fixture.clock.advance(by: .seconds(90))
        try await signals.until(count: 2)
        #expect(signals.elements == [.poll, .poll])
        #expect(events.elements.filter { $0.name == .requestFailed }.count == 1)
    }

    @Test func `a server that opens the socket and stays silent is given up after 10 seconds`() async throws {
        fixture.server.alwaysSocket(.accept(hello: false))
        let session = try await fixture.session()
        let signals = await subscribe(session, every: .seconds(30))
        let socket = try await fixture.server.untilSocket()
        try await fixture.clock.untilSleeping(for: .seconds(10))
        fixture.clock.advance(by: .seconds(10))
        try await socket.untilClosed()
        try await fixture.clock.untilSleeping(for: .seconds(30))
        #expect(!signals.elements.contains(.connected))
    }

    @Test func `switching to HTTP closes the socket at once and starts polling`() async throws {
        let session = try await fixture.session()
        let signals = await subscribe(session, every: .seconds(7))
        try await signals.until(count: 1)
        await session.setLiveProtocol(.http)
        try await fixture.server.sockets[0].untilClosed()
        try await fixture.clock.untilSleeping(for: .seconds(7))
        fixture.clock.advance(by: .seconds(7))
        try await signals.until { $0 == .poll }
        #expect(signals.elements == [.connected, .disconnected, .poll])
        #expect(fixture.server.socketRequests.count == 1)
    }

    @Test func `switching back opens a socket at once`() async throws {
        let session = try await fixture.session { $0.liveProtocol = .http }
        let signals = await subscribe(session)
        #expect(fixture.server.socketRequests.isEmpty)
        await session.setLiveProtocol(.webSocket)
        try await signals.until { $0 == .connected }
        try await eventually { fixture.clock.sleepers.isEmpty }
    }

    @Test func `the choice of protocol ends with the session`() async throws {
        let first = try await fixture.session()
        await first.setLiveProtocol(.http)
        let second = try await fixture.session()
        let signals = await subscribe(second)
        try await signals.until { $0 == .connected }
    }

    @Test func `there are exactly two protocols`() {
        #expect(SessionConfiguration.LiveProtocol.allCases == [.webSocket, .http])
    }

    @Test(arguments: [(0.2, 1.0), (1.0, 1.0), (5.0, 5.0)])
    func `the poll interval is at least one second`(asked: Double, real: Double) async throws {
        let session = try await fixture.session { $0.liveProtocol = .http }
        let signals = await subscribe(session, every: .seconds(asked))
        for count in 1...3 {
            try await fixture.clock.untilSleeping(for: .seconds(real))
            fixture.clock.advance(by: .seconds(real))
            try await signals.until(count: count)
        }
        #expect(fixture.clock.sleepers.count <= 1)
    }

    @Test(arguments: [Duration.zero, nil])
    func `an interval of 0 means no polls`(interval: Duration?) async throws {
        let session = try await fixture.session { $0.liveProtocol = .http }
        let tasks = session.work.running
        let signals = await subscribe(session, every: interval)
        // A poll would be a task, which would exist before `subscribe` returns.
        #expect(session.work.running == tasks)
        let other = await subscribe(session, every: .seconds(30))
        for round in 1...5 {
            try await fixture.clock.untilSleeping(for: .seconds(30))
            fixture.clock.advance(by: .seconds(30))
            try await other.until(count: round)
        }
        #expect(signals.elements.isEmpty)
    }

    @Test func `a denied socket is never opened, and polling takes its place`() async throws {
        let gate = GatedTransportTests.ScriptedGate { $0.scheme == "wss" ? .deny : .allow }
        let session = try await fixture.session { $0.gate = gate }
        let signals = await subscribe(session, every: .seconds(90))
        try await fixture.clock.untilSleeping(for: .seconds(90))
        fixture.clock.advance(by: .seconds(90))
        try await signals.until { $0 == .poll }
        #expect(fixture.server.socketRequests.isEmpty)
        #expect(gate.checkedURLs.withLock { $0.first } == "wss://inlay.example/socket")
    }

    @Test func `a transport without sockets is tried once`() async throws {
        fixture.server.alwaysSocket(.fail(.unsupported("sockets")))
        let session = try await fixture.session()
        let signals = await subscribe(session, every: .seconds(10))
        for count in 1...5 {
            try await fixture.clock.untilSleeping(for: .seconds(10))
            fixture.clock.advance(by: .seconds(10))
            try await signals.until(count: count)
        }
        #expect(fixture.server.socketRequests.count == 1)
        #expect(fixture.clock.sleepers.count <= 1)
    }

    @Test func `an upgrade that is refused with 401 is tried once more with a new token`() async throws {
        fixture.server.nextSocket(.refuse(status: 401))
        let session = try await fixture.session()
        let signals = await subscribe(session)
        try await signals.until { $0 == .connected }
        #expect(fixture.provider.calls == 2)
        #expect(fixture.server.socketRequests.count == 2)
    }

    @Test func `without subscribers there is no socket and no timer`() async throws {
        let session = try await fixture.session()
        let signals = await subscribe(session)
        try await signals.until(count: 1)
        signals.stop()
        try await fixture.server.sockets[0].untilClosed()
        try await eventually { fixture.clock.sleepers.isEmpty }
        let again = await subscribe(session)
        try await again.until { $0 == .connected }
        #expect(fixture.server.sockets.count == 2)
    }

    @Test func `a second subscriber of a connected session receives connected at once`() async throws {
        let session = try await fixture.session()
        let first = await subscribe(session)
        try await first.until(count: 1)
        let second = await subscribe(session, "cards/other")
        try await second.until(count: 1)
        #expect(second.elements == [.connected])
        try await fixture.server.sockets[0].untilSubscribed(["cards/main", "cards/other"])
    }
}
