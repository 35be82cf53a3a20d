import Foundation
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
import Testing

@_spi(Inlay) @testable import InlayCore

/// Tests of broken sockets and of the sockets that replace them.
extension LiveTests {
    @Test func `the socket reconnects after waits that grow to a minute, and no timer is left`() async throws
    {
        fixture.server.alwaysSocket(.fail(.unreachable("offline")))
        let session = try await fixture.session()
        let signals = await subscribe(session, every: nil)
        for (number, wait) in [1, 2, 4, 8, 16, 32, 60, 60].enumerated() {
            try await fixture.server.untilSocketRequests(number + 1)
            try await fixture.clock.untilSleeping(for: .seconds(wait))
            if number == 7 { fixture.server.alwaysSocket(.accept) }
            fixture.clock.advance(by: .seconds(wait))
        }
        try await signals.until { $0 == .connected }
        try await eventually { fixture.clock.sleepers.isEmpty }
    }

    @Test func `after a stable connection the waits start again`() async throws {
        fixture.server.alwaysSocket(.fail(.unreachable("offline")))
        let session = try await fixture.session()
        let signals = await subscribe(session, every: nil)
        for (number, wait) in [1, 2, 4].enumerated() {
            try await fixture.server.untilSocketRequests(number + 1)
            try await fixture.clock.untilSleeping(for: .seconds(wait))
            if number == 2 { fixture.server.alwaysSocket(.accept) }
            fixture.clock.advance(by: .seconds(wait))
        }
        try await signals.until { $0 == .connected }
        fixture.clock.advance(by: Live.stableAfter)
        try await fixture.server.untilSocket().cut()
        try await signals.until { $0 == .disconnected }
        try await eventually { fixture.clock.sleepers == [fixture.clock.now() + .seconds(1)] }
    }

    @Test func `a cut socket is reported, replaced by polls, and opened again`() async throws {
        let session = try await fixture.session()
        let events = StreamRecorder(session.events.observe())
        let signals = await subscribe(session, every: .seconds(1))
        try await signals.until(count: 1)
        fixture.server.nextSocket(.refuse(status: 502))
        fixture.server.sockets[0].cut()
        try await signals.until { $0 == .disconnected }
        try await events.until { $0.name == .requestFailed }
        // The poll and the next try are both due after one second.
        try await fixture.clock.untilSleeping(2)
        fixture.clock.advance(by: .seconds(1))
        try await signals.until { $0 == .poll }
        try await fixture.server.untilSocketRequests(2)
        try await fixture.clock.untilSleeping(for: .seconds(2))
        fixture.clock.advance(by: .seconds(2))
        try await fixture.server.untilSocket(2)
        try await eventually { signals.elements.last == .connected }
        // Neither the polls nor the wait for the server's first message continue.
        try await eventually { fixture.clock.sleepers.isEmpty }
        #expect(events.elements.filter { $0.name == .requestFailed }.count == 1)
    }

    @Test func `a socket that the server closes normally is opened again without an event`() async throws {
        let session = try await fixture.session()
        let events = StreamRecorder(session.events.observe())
        let signals = await subscribe(session, every: .seconds(30))
        try await signals.until(count: 1)
        fixture.server.sockets[0].closeByServer()
        try await signals.until(count: 2)
        // Only the wait for the next try remains: no poll, and no wait for the first socket's hello.
        try await eventually { fixture.clock.sleepers == [fixture.clock.now() + .seconds(1)] }
        fixture.clock.advance(by: .seconds(1))
        try await signals.until(count: 3)
        #expect(signals.elements == [.connected, .disconnected, .connected])
        try await events.until { $0.name == .sdkInitialized }
        #expect(events.elements.map(\.name) == [.sdkInitialized])
        // Closing again and again is a failure.
        fixture.server.sockets[1].closeByServer()
        try await events.until { $0.name == .requestFailed }
        try await fixture.clock.untilSleeping(for: .seconds(30))
    }

    @Test func `after a new connection an older version is reported again`() async throws {
        let session = try await fixture.session()
        let signals = await subscribe(session)
        let socket = try await fixture.server.untilSocket()
        try await socket.untilSubscribed([topic])
        socket.push(.changed(topic: topic, version: 9))
        try await signals.until { $0 == .changed(version: 9) }
        socket.cut()
        try await fixture.clock.untilSleeping(for: .seconds(1))
        fixture.clock.advance(by: .seconds(1))
        let second = try await fixture.server.untilSocket(2)
        try await second.untilSubscribed([topic])
        second.push(.changed(topic: topic, version: 2))
        try await signals.until { $0 == .changed(version: 2) }
    }

    @Test func `topics that are being sent on a broken socket do not block those of the next socket`()
        async throws
    {
        fixture.server.nextSocket(.accept(hello: false))
        let session = try await fixture.session()
        let signals = await subscribe(session)
        let first = try await fixture.server.untilSocket()
        first.hold()
        first.push(.hello(serverTime: Timestamp(microseconds: 0)))
        try await first.untilSubscribed([topic])
        first.cut()
        try await fixture.clock.untilSleeping(for: .seconds(1))
        fixture.clock.advance(by: .seconds(1))
        let second = try await fixture.server.untilSocket(2)
        try await signals.until { $0 == .disconnected }
        try await eventually { signals.elements.last == .connected }
        first.release()
        try await second.untilSubscribed([topic])
    }
}
