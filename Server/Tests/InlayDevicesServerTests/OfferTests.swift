import Foundation
import InlaySQL
@_spi(Inlay) import InlayWire
import Testing

@testable import InlayDevicesServer
@testable import InlayServerTesting

/// Transfers of devices from one owner to another.
@Suite(.timeLimit(.minutes(3))) struct OfferTests {
    @Test(arguments: SQLEngine.allCases)
    func `an offered device stays its owner's, and works, until the other sets it up`(
        _ engine: SQLEngine
    ) async throws {
        try await DeviceSite.run(engine) { site in
            let (ada, eve) = try await owners(site)
            let old = try await site.claim(try await site.pairing(ada, name: "Ada's")).as(
                DeviceCredential.self)
            #expect(try await offer(site, old, ada, "eve@example.com").status == 202)
            let offered = try await site.devices(ada)
            #expect(offered.map(\.state) == [.transferring])
            #expect(offered.map(\.offeredTo) == ["eve@example.com"])
            #expect(try await site.device(old.credential).status == 200)
            // Eve's list does not show a device that she did not ask for.
            #expect(try await site.devices(eve).isEmpty)
            let mail = try await mails(site, "eve@example.com").first
            #expect(mail?.subject == "A device for you in Harbor app")
            #expect(mail?.message?.text.contains("Ada's") == false)
            // The former owner has an open pairing, which ends with the transfer.
            let open = try await site.pairing(ada)
            let new = try await site.claim(try await site.pairing(eve)).as(DeviceCredential.self)
            #expect(new.deviceID == old.deviceID)
            #expect(try await site.device(old.credential).status == 401)
            #expect(try await site.device(new.credential).status == 200)
            #expect(try await site.devices(ada).isEmpty)
            let own = try await site.devices(eve)
            #expect(own.map(\.state) == [.active] && own[0].offeredTo == nil && own[0].name == "reader")
            #expect(try await site.claim(open, credential: new.credential).status == 409)
            #expect(try await site.status(open, ada).state == .superseded)
            #expect(try await mails(site, "ada@example.com").first?.subject.contains("new owner") == true)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `known and unknown addresses are offered a device alike, and the unknown takes it once proven`(
        _ engine: SQLEngine
    ) async throws {
        try await DeviceSite.run(engine, settings: { $0.pairsUnproven = true }) { site in
            let (ada, _) = try await owners(site)
            let credential = try await site.claim(try await site.pairing(ada)).as(DeviceCredential.self)
            let answers = try await ["eve@example.com", "later@example.com"].asyncMap {
                try await offer(site, credential, ada, $0)
            }
            #expect(answers.map(\.status) == [202, 202] && answers[0].body == answers[1].body)
            #expect(try await mails(site, "later@example.com").isEmpty)
            // The second offer has replaced the first one.
            let later = try await site.create("later@example.com").as(AccountOpening.self)
            let mine = try await site.claim(try await site.pairing(later.session.accessToken))
                .as(DeviceCredential.self)
            // The address is not proven yet: the claim makes another device with the serial, and the offered one stays.
            #expect(mine.deviceID != credential.deviceID)
            #expect(try await site.device(credential.credential).status == 200)
            let proven = try await site.prove(
                "later@example.com", try await site.code("later@example.com"),
                token: later.session.accessToken
            ).as(AccountOpening.self).session.accessToken
            #expect(
                try await site.send("DELETE", "/v1/devices/\(mine.deviceID)", token: proven).status == 204)
            let taken = try await site.claim(try await site.pairing(proven)).as(DeviceCredential.self)
            #expect(taken.deviceID == credential.deviceID)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `an offer that was withdrawn, or not taken in 30 days, transfers nothing`(
        _ engine: SQLEngine
    ) async throws {
        try await DeviceSite.run(engine) { site in
            let (ada, eve) = try await owners(site)
            let credential = try await site.claim(try await site.pairing(ada)).as(DeviceCredential.self)
            _ = try await offer(site, credential, ada, "eve@example.com")
            let path = "/v1/devices/\(credential.deviceID)/transfer"
            #expect(try await site.send("DELETE", path, token: eve).status == 404)
            #expect(try await site.send("DELETE", path, token: ada).status == 204)
            #expect(try await site.send("DELETE", path, token: ada).status == 204)
            let first = try await site.claim(try await site.pairing(eve)).as(DeviceCredential.self)
            #expect(first.deviceID != credential.deviceID)
            #expect(try await site.device(credential.credential).status == 200)
            _ = try await site.send("DELETE", "/v1/devices/\(first.deviceID)", token: eve)
            _ = try await offer(site, credential, ada, "eve@example.com")
            site.app.clock.advance(by: DeviceStore.offerLifetime)
            let eveLater = try await site.logIn("eve@example.com").as(AccountOpening.self).session.accessToken
            let second = try await site.claim(try await site.pairing(eveLater)).as(DeviceCredential.self)
            #expect(second.deviceID != credential.deviceID)
            try await site.feature.runPeriodicTasks()
            let adaLater = try await site.logIn("ada@example.com").as(AccountOpening.self).session.accessToken
            let kept = try await site.devices(adaLater)
            #expect(kept.map(\.state) == [.active] && kept[0].offeredTo == nil)
            #expect(try await site.device(credential.credential).status == 200)
        }
    }

    @Test func `a device is not offered to its own owner, nor one that is another user's or held`()
        async throws
    {
        try await DeviceSite.run { site in
            let (ada, eve) = try await owners(site)
            let credential = try await site.claim(try await site.pairing(ada)).as(DeviceCredential.self)
            #expect(try await offer(site, credential, ada, "ada@example.com").status == 422)
            #expect(try await offer(site, credential, ada, "ada").status == 422)
            #expect(try await offer(site, credential, eve, "bob@example.com").status == 404)
            let unproven = try await site.create("new@example.com").as(AccountOpening.self).session
                .accessToken
            let held = try await site.claim(try await site.pairing(unproven), serial: "SN-2")
                .as(DeviceCredential.self)
            #expect(try await offer(site, held, unproven, "eve@example.com").status == 409)
            #expect(try await site.device(credential.credential).status == 200)
        }
    }

    @Test func `when two devices with one serial number are offered, the device's own credential decides`()
        async throws
    {
        try await DeviceSite.run { site in
            let (ada, eve) = try await owners(site)
            let mallory = try await site.proven("mallory@example.com").session.accessToken
            let real = try await site.claim(try await site.pairing(ada)).as(DeviceCredential.self)
            let fake = try await site.claim(try await site.pairing(mallory)).as(DeviceCredential.self)
            _ = try await offer(site, real, ada, "eve@example.com")
            site.app.clock.advance(by: .seconds(1))
            _ = try await offer(site, fake, mallory, "eve@example.com")
            let claimed = try await site.claim(try await site.pairing(eve), credential: real.credential)
                .as(DeviceCredential.self)
            #expect(claimed.deviceID == real.deviceID)
            #expect(try await site.device(fake.credential).status == 200)
        }
    }

    @Test func `offers mail an address four times in an hour and no more`() async throws {
        try await DeviceSite.run { site in
            let (ada, _) = try await owners(site)
            let credential = try await site.claim(try await site.pairing(ada)).as(DeviceCredential.self)
            func offers() async throws -> Int {
                try await mails(site, "eve@example.com").count { $0.subject.contains("A device") }
            }
            for _ in 0..<9 {
                #expect(try await offer(site, credential, ada, "eve@example.com").status == 202)
            }
            // Nor with time between the offers: a further mail would only repeat the earlier ones.
            for _ in 0..<5 {
                site.app.clock.advance(by: MailCode.mailPace)
                #expect(try await offer(site, credential, ada, "eve@example.com").status == 202)
            }
            #expect(try await offers() == 4)
            site.app.clock.advance(by: MailCode.mailWindow)
            let later = try await site.logIn("ada@example.com").as(AccountOpening.self).session.accessToken
            _ = try await offer(site, credential, later, "eve@example.com")
            #expect(try await offers() == 5)
        }
    }

    private func owners(_ site: DeviceSite) async throws -> (ada: String, eve: String) {
        let owners = (
            try await site.proven("ada@example.com").session.accessToken,
            try await site.proven("eve@example.com").session.accessToken
        )
        // Mails with the same time have no order.
        site.app.clock.advance(by: .seconds(1))
        return owners
    }

    private func offer(
        _ site: DeviceSite, _ device: DeviceCredential, _ token: String, _ email: String
    ) async throws -> TestAppResponse {
        try await site.send(
            "POST", "/v1/devices/\(device.deviceID)/transfer", token: token, ["email": email])
    }

    private func mails(_ site: DeviceSite, _ email: String) async throws -> [MailStore.Mail] {
        try await site.feature.mails.mails(DeviceSite.environmentID).filter { $0.recipient == email }
    }
}
