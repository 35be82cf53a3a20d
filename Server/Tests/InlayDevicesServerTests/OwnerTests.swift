import Foundation
import InlaySQL
@_spi(Inlay) import InlayWire
import Testing

@testable import InlayDevicesServer
@testable import InlayServerTesting

/// Devices and their owners: names, removal, other owners.
@Suite(.timeLimit(.minutes(3))) struct OwnerTests {
    @Test(arguments: SQLEngine.allCases)
    func `an owner renames a device and removes it, which ends its credential`(_ engine: SQLEngine)
        async throws
    {
        try await DeviceSite.run(engine) { site in
            let ada = try await site.proven("ada@example.com").session.accessToken
            let eve = try await site.proven("eve@example.com").session.accessToken
            let credential = try await site.claim(try await site.pairing(ada)).as(DeviceCredential.self)
            let path = "/v1/devices/\(credential.deviceID)"
            #expect(try await site.send("PATCH", path, token: eve, ["name": "Mine"]).status == 404)
            #expect(try await site.send("DELETE", path, token: eve).status == 404)
            for name in ["", String(repeating: "x", count: 101)] {
                #expect(try await site.send("PATCH", path, token: ada, ["name": name]).status == 422)
            }
            let renamed = try await site.send("PATCH", path, token: ada, ["name": "Pier <3>"])
            #expect(try renamed.as(Device.self).name == "Pier <3>")
            #expect(try await site.send("DELETE", path, token: ada).status == 204)
            #expect(try await site.devices(ada).isEmpty)
            #expect(try await site.device(credential.credential).status == 401)
            #expect(try await site.send("DELETE", path, token: ada).status == 404)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `the funnel counts set-ups by the step that they reached and by the reason of their failure`(
        _ engine: SQLEngine
    ) async throws {
        try await DeviceSite.run(engine) { site in
            let start = site.app.clock.now
            let ada = try await site.proven("ada@example.com").session.accessToken
            let unproven = try await site.create("eve@example.com").as(AccountOpening.self).session
                .accessToken
            _ = try await site.claim(try await site.pairing(unproven), serial: "SN-9")
            _ = try await site.claim(try await site.pairing(ada))
            for reason in ["wrongPassword", "wrongPassword", "noInternet"] {
                let pairing = try await site.pairing(ada)
                _ = try await site.sendAsDevice("failure", ["pairingToken": pairing.token, "reason": reason])
            }
            _ = try await site.pairing(ada)
            let read = try await site.pairing(ada)
            _ = try await site.sendAsDevice("seen", ["pairingToken": read.token])
            let tablet = try await site.logIn("ada@example.com").as(AccountOpening.self).session.accessToken
            _ = try await site.pairing(tablet)
            site.app.clock.advance(by: .seconds(601))
            _ = try await site.pairing(tablet)
            let numbers = try await site.feature.funnel.numbers(DeviceSite.environmentID, since: start)
            var wanted = SetupFunnel.Numbers()
            (wanted.accounts, wanted.proven, wanted.begun, wanted.seen) = (2, 1, 9, 6)
            (wanted.claimed, wanted.paired, wanted.open) = (2, 1, 2)
            wanted.endings = [
                .failed(.wrongPassword): 2, .failed(.noInternet): 1, .superseded: 1, .lost: 1, .silent: 1,
            ]
            #expect(numbers == wanted)
            let none = try await site.feature.funnel.numbers("other", since: start)
            #expect(none == SetupFunnel.Numbers())
            let later = try await site.feature.funnel.numbers(
                DeviceSite.environmentID, since: site.app.clock.now)
            #expect(later.begun == 1)
        }
    }
}
