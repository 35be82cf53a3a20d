import Foundation
import InlaySQL
import InlayWire
import Testing

@testable import InlayServer

/// Devices and their owners: names, removal, other owners.
@Suite(.timeLimit(.minutes(3))) struct OwnerTests {
    @Test(arguments: SQLEngine.allCases)
    func `an owner renames and removes a device, whose credential dies`(_ engine: SQLEngine) async throws {
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
    func `a device handed on leaves its owner at once, known address or not`(_ engine: SQLEngine) async throws
    {
        try await DeviceSite.run(engine) { site in
            let ada = try await site.proven("ada@example.com").session.accessToken
            let eve = try await site.proven("eve@example.com").session.accessToken
            var credentials: [DeviceCredential] = []
            for serial in ["SN-1", "SN-2"] {
                credentials.append(
                    try await site.claim(try await site.pairing(ada), serial: serial).as())
            }
            site.app.clock.advance(by: .seconds(1))
            let answers = try await zip(credentials, ["eve@example.com", "later@example.com"]).map { $0 }
                .asyncMap { credential, email in
                    try await site.send(
                        "POST", "/v1/devices/\(credential.deviceID)/transfer", token: ada, ["email": email])
                }
            #expect(answers.map(\.status) == [202, 202] && answers[0].body == answers[1].body)
            #expect(try await site.devices(ada).isEmpty)
            for credential in credentials {
                #expect(try await site.device(credential.credential).status == 401)
            }
            let offered = try await site.devices(eve)
            #expect(offered.map(\.id) == [credentials[0].deviceID] && offered[0].state == .transferring)
            let mails = try await site.feature.mails.mails(DeviceSite.environmentID)
            #expect(mails.first?.recipient == "eve@example.com")
            // The new owner sets it up, and it is the same device.
            let claimed = try await site.claim(try await site.pairing(eve)).as(DeviceCredential.self)
            #expect(claimed.deviceID == credentials[0].deviceID)
            #expect(try await site.devices(eve).map(\.state) == [.active])
            // The other one waits for an address that is proven later.
            let later = try await site.create("later@example.com").as(AccountOpening.self)
            #expect(try await site.devices(later.session.accessToken).isEmpty)
            let proven = try await site.prove(
                "later@example.com", try await site.code("later@example.com"),
                token: later.session.accessToken
            ).as(AccountOpening.self)
            #expect(
                try await site.devices(proven.session.accessToken).map(\.id) == [credentials[1].deviceID])
        }
    }

    @Test func `a device is not handed to its own owner, nor one that is somebody else's`() async throws {
        try await DeviceSite.run { site in
            let ada = try await site.proven("ada@example.com").session.accessToken
            let eve = try await site.proven("eve@example.com").session.accessToken
            let credential = try await site.claim(try await site.pairing(ada)).as(DeviceCredential.self)
            let path = "/v1/devices/\(credential.deviceID)/transfer"
            #expect(try await site.send("POST", path, token: ada, ["email": "ada@example.com"]).status == 422)
            #expect(try await site.send("POST", path, token: eve, ["email": "eve@example.com"]).status != 202)
            #expect(try await site.device(credential.credential).status == 200)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `the funnel counts how far set-ups came and why the others did not`(_ engine: SQLEngine) async throws
    {
        try await DeviceSite.run(engine) { site in
            let start = site.app.clock.now
            let ada = try await site.proven("ada@example.com").session.accessToken
            let unproven = try await site.create("eve@example.com").as(AccountOpening.self).session
                .accessToken
            _ = try await site.claim(try await site.pairing(unproven), serial: "SN-9")
            _ = try await site.claim(try await site.pairing(ada))
            for reason in ["wrongPassword", "wrongPassword", "noInternet"] {
                let pairing = try await site.pairing(ada)
                _ = try await site.say("failure", ["pairingToken": pairing.token, "reason": reason])
            }
            _ = try await site.pairing(ada)
            let read = try await site.pairing(ada)
            _ = try await site.say("seen", ["pairingToken": read.token])
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
