@_spi(Inlay) import InlayCore
import InlayHubTesting
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
import Testing

@_spi(Inlay) @testable import InlayHub

@Suite(.timeLimit(.minutes(5))) struct DroppedSessionTests {
    @Test func `a session that the app drops ends its hub and is freed, also while the hub is on screen`()
        async throws
    {
        var fixture: HubFixture? = try await .make(socket: true)
        try fixture?.publish(.harbor(1))
        try fixture?.start()
        try await fixture?.untilVersion(1)
        let (clock, server) = try #require(fixture.map { ($0.clock, $0.server) })
        let (work, hub) = try #require(fixture.map { ($0.session.work, $0.hub) })
        let (events, states) = (StreamRecorder(hub.events), StreamRecorder(hub.states))
        let presentation = try hub.present()
        let socket = try await server.untilSocket()
        weak let session = fixture?.session
        fixture = nil
        #expect(session == nil)
        try await socket.untilClosed()
        try await events.untilFinished()
        try await states.untilFinished()
        try await eventually { work.running == 0 && clock.sleepers.isEmpty }
        withExtendedLifetime(presentation) {}
    }
}
