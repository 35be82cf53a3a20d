@_spi(Inlay) import InlayCore
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
@testable import InlayXMLAPI
import Testing

@testable import InlayBehaviors

@Suite(.timeLimit(.minutes(5))) struct DroppedSessionTests {
    @Test
    func `a session that the app releases ends its behaviors and its marketing database, and is deallocated`()
        async throws
    {
        let network = TestNetwork(reachable: true)
        var fixture: BehaviorsFixture? = try await .start { $0.network = network }
        let (clock, behaviors) = try #require(fixture.map { ($0.clock, $0.behaviors) })
        let work = try #require(fixture?.session.work)
        try await behaviors.appBecameActive()
        try await behaviors.track(.named("seen"))
        let (xmlapi, identities) = try #require(
            fixture.map { ($0.session.xmlapi, $0.session.contactIdentities) })
        fixture?.session.reportLastKnownPlaces()
        weak let session = fixture?.session
        fixture = nil
        #expect(session == nil)
        try await eventually { work.running == 0 && clock.sleepers.isEmpty }
        withExtendedLifetime((behaviors, xmlapi, identities)) {}
    }
}
