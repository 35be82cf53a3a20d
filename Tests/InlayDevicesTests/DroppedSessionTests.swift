@_spi(Inlay) import InlayCore
@_spi(Inlay) import InlayTesting
import Testing

@_spi(Inlay) @testable import InlayDevices

@Suite(.timeLimit(.minutes(5))) struct DroppedSessionTests {
    @Test func `devices that the app releases end their session and are deallocated`() async throws {
        let fixture = try DevicesFixture()
        var devices: Devices? = try await fixture.loggedIn()
        weak let session = try await devices?.session()
        let work = try #require(session?.work)
        _ = try await devices?.list()
        let accounts = try #require(devices?.accounts)
        devices = nil
        try await eventually { session == nil }
        try await eventually { work.running == 0 && fixture.clock.sleepers.isEmpty }
        withExtendedLifetime(accounts) {}
    }
}
