import Foundation
import InlaySQL
@_spi(Inlay) import InlayWire
import Testing

@testable import InlayDevicesServer
@testable import InlayServerCore
@testable import InlayServerTesting

/// The pairing of a device with a user, from the token to the credential.
@Suite(.timeLimit(.minutes(5))) struct PairingTests {
    @Test func `an operator is warned of a host too long for the light link beside a long network name`() {
        let long = String(repeating: "a", count: Pairing.maximumHostLength - 4)
        #expect(DeviceRoutes.warning(publicURL: nil) == nil)
        #expect(DeviceRoutes.warning(publicURL: BaseURL("https://\(long).com/path")) == nil)
        let warning = DeviceRoutes.warning(publicURL: BaseURL("https://\(long).com:8443"))
        #expect(warning?.contains("72 bytes") == true)
    }

    @Test func `a pairing names the socket that took the request, whatever its Host field says`() async throws
    {
        try await DeviceSite.run { site in
            let token = try await site.proven("ada@example.com").session.accessToken
            for host in ["evil.test", "evil.test:443", "127.0.0.1:1"] {
                var headers = site.headers(token)
                headers["Host"] = host
                let answer = try await site.app.sendJSON(
                    "POST", "/v1/devices/pairings", headers: headers, "{}")
                let pairing: Pairing = try answer.as()
                #expect(pairing.host == "127.0.0.1:\(site.app.port)", "\(host)")
            }
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a device claims itself with the token, and its owner's app is notified over Live`(
        _ engine: SQLEngine
    ) async throws {
        try await DeviceSite.run(engine) { site in
            let tenant = try await apiKey(site)
            let token = try await site.proven("ada@example.com").session.accessToken
            let eve = try await site.proven("eve@example.com").session.accessToken
            try await TestSocket.open(site.app, tenant.headers(token: token)) { socket in
                _ = try await socket.nextMessage()
                try await socket.subscribe([LiveMessage.pairingTopic])
                let first = try await version(socket)
                let pairing = try await site.pairing(token, name: "Gate 1")
                #expect(
                    Data(
                        base64Encoded: pairing.token.replacing("-", with: "+").replacing("_", with: "/")
                            + "==")?.count == 16)
                #expect(pairing.expiresAt - site.app.clock.now == .seconds(600))
                #expect(pairing.host == "127.0.0.1:\(site.app.port)")
                let issued = try await version(socket)
                #expect(issued > first)
                #expect(try await site.status(pairing, token) == PairingStatus(state: .issued))
                #expect(try await site.sendAsDevice("seen", ["pairingToken": pairing.token]).status == 204)
                #expect(try await version(socket) > issued)
                #expect(try await site.status(pairing, token).state == .seen)
                let credential = try await site.claim(pairing, lastFailure: "wrongPassword")
                    .as(DeviceCredential.self)
                _ = try await version(socket)
                let status = try await site.status(pairing, token)
                #expect(status.state == .paired && status.device?.id == credential.deviceID)
                #expect(status.device?.name == "Gate 1" && status.device?.state == .active)
                #expect(status.reason == .wrongPassword)
                #expect(
                    try await site.device(credential.credential).as(Device.self).id == credential.deviceID)
            }
            #expect(try await site.devices(token).map(\.serial) == ["SN-1"])
            #expect(try await site.devices(eve).isEmpty)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `of many devices that claim one token at once, one gets it`(_ engine: SQLEngine) async throws {
        try await DeviceSite.run(engine) { site in
            let token = try await site.proven("ada@example.com").session.accessToken
            let pairing = try await site.pairing(token)
            let answers = try await withThrowingTaskGroup(of: TestAppResponse.self) { group in
                for index in 0..<20 { group.addTask { try await site.claim(pairing, serial: "SN-\(index)") } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(answers.filter { $0.status == 200 }.count == 1)
            #expect(try answers.filter { $0.status != 200 }.allSatisfy { try $0.code == "pairing.refused" })
            #expect(try await site.devices(token).count == 1)
        }
    }

    @Test func `a device that did not receive its credential may claim again until it has used one`()
        async throws
    {
        try await DeviceSite.run { site in
            let token = try await site.proven("ada@example.com").session.accessToken
            let pairing = try await site.pairing(token)
            let lost = try await site.claim(pairing).as(DeviceCredential.self)
            let again = try await site.claim(pairing).as(DeviceCredential.self)
            #expect(lost.deviceID == again.deviceID && lost.credential != again.credential)
            #expect(try await site.device(lost.credential).status == 401)
            #expect(try await site.claim(pairing, serial: "SN-2").status == 409)
            #expect(try await site.device(again.credential).status == 200)
            #expect(try await site.claim(pairing).status == 409)
            #expect(try await site.devices(token).count == 1)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a token lives ten minutes, and a newer one of the same phone replaces it`(
        _ engine: SQLEngine
    ) async throws {
        try await DeviceSite.run(engine) { site in
            let token = try await site.proven("ada@example.com").session.accessToken
            let old = try await site.pairing(token), next = try await site.pairing(token)
            #expect(try await site.status(old, token).state == .superseded)
            let late = try await site.claim(old)
            #expect(late.status == 409)
            #expect(try late.problem.detail?.contains("newer") == true)
            // A pairing from another phone of the same user supersedes nothing.
            let tablet = try await site.logIn("ada@example.com").as(AccountOpening.self).session.accessToken
            _ = try await site.pairing(tablet)
            #expect(try await site.status(next, token).state == .issued)
            site.app.clock.advance(by: .seconds(600))
            #expect(try await site.claim(next).status == 409)
            #expect(try await site.sendAsDevice("seen", ["pairingToken": next.token]).status == 409)
            let status = try await site.status(next, token)
            #expect(status.state == .expired && status.reason == .tokenExpired)
            // The server's own maintenance may expire a token first, but not this one: only a later clock expires it.
            let last = try await site.pairing(token), clock = site.app.clock
            let later = PairingStore(database: site.feature.pairings.database) {
                clock.now + PairingStore.life
            }
            #expect(try await later.expire().count == 1)
            #expect(try await later.expire().isEmpty)
            for pairing in [next, last] {
                #expect(try await site.status(pairing, token).state == .expired)
            }
        }
    }

    @Test(arguments: DeviceSetupFailure.allCases)
    func `every reason that a device gives reaches the app`(_ reason: DeviceSetupFailure) async throws {
        try await DeviceSite.run { site in
            let token = try await site.proven("ada@example.com").session.accessToken
            let pairing = try await site.pairing(token)
            let answer = try await site.sendAsDevice(
                "failure", ["pairingToken": pairing.token, "reason": reason.rawValue])
            #expect(answer.status == 204)
            #expect(
                try await site.status(pairing, token) == PairingStatus(state: .rejected, reason: reason))
            #expect(try await site.claim(pairing).status == 409)
        }
    }

    @Test func `an app that gives up says why, and changes nothing that is settled`() async throws {
        try await DeviceSite.run { site in
            let token = try await site.proven("ada@example.com").session.accessToken
            let eve = try await site.proven("eve@example.com").session.accessToken
            let pairing = try await site.pairing(token)
            func cancel(_ token: String) async throws -> Int {
                try await site.send(
                    "POST", "/v1/devices/pairings/\(pairing.id)/cancel", token: token, ["reason": "noLight"]
                ).status
            }
            #expect(try await cancel(eve) == 404)
            #expect(try await cancel(token) == 204)
            #expect(try await site.status(pairing, token).reason == .noLight)
            #expect(try await site.claim(pairing).status == 409)
            let next = try await site.pairing(token)
            _ = try await site.claim(next)
            _ = try await site.send(
                "POST", "/v1/devices/pairings/\(next.id)/cancel", token: token, ["reason": "cancelled"])
            #expect(try await site.status(next, token).state == .paired)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a device of an unproven account is held until the address is proven`(_ engine: SQLEngine)
        async throws
    {
        try await DeviceSite.run(engine) { site in
            let session = try await site.create("ada@example.com").as(AccountOpening.self).session
            let pairing = try await site.pairing(session.accessToken)
            let credential = try await site.claim(pairing).as(DeviceCredential.self)
            let held = try await site.status(pairing, session.accessToken)
            #expect(held.state == .seen && held.held == true && held.device?.state == .held)
            #expect(try await site.claim(pairing, serial: "SN-2").status == 409)
            // The pairing is held longer than a token lives, and does not expire.
            site.app.clock.advance(by: .seconds(700))
            #expect(try await site.feature.pairings.expire().isEmpty)
            _ = try await site.create("ada@example.com")
            let opening = try await site.prove(
                "ada@example.com", try await site.code("ada@example.com"), token: session.accessToken)
            let token = try opening.as(AccountOpening.self).session.accessToken
            let status = try await site.status(pairing, token)
            #expect(status.state == .paired && status.held == nil && status.device?.state == .active)
            #expect(try await site.device(credential.credential).as(Device.self).state == .active)
        }
    }

    @Test func `an application may let unproven accounts pair`() async throws {
        try await DeviceSite.run(settings: { $0.pairsUnproven = true }) { site in
            let token = try await site.create("ada@example.com").as(AccountOpening.self).session.accessToken
            let pairing = try await site.pairing(token)
            _ = try await site.claim(pairing)
            #expect(try await site.status(pairing, token).state == .paired)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a device set up again by its owner is the same device with another credential`(
        _ engine: SQLEngine
    ) async throws {
        try await DeviceSite.run(engine) { site in
            let token = try await site.proven("ada@example.com").session.accessToken
            let first = try await site.claim(try await site.pairing(token, name: "Gate 1"))
                .as(DeviceCredential.self)
            let second = try await site.claim(try await site.pairing(token)).as(DeviceCredential.self)
            #expect(first.deviceID == second.deviceID)
            #expect(try await site.device(first.credential).status == 401)
            #expect(try await site.device(second.credential).as(Device.self).name == "Gate 1")
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a device moves to another owner by its old credential, not by its serial number`(
        _ engine: SQLEngine
    ) async throws {
        try await DeviceSite.run(engine) { site in
            let ada = try await site.proven("ada@example.com").session.accessToken
            let eve = try await site.proven("eve@example.com").session.accessToken
            let mine = try await site.claim(try await site.pairing(ada)).as(DeviceCredential.self)
            // A device of another user reports the same serial number.
            let copied = try await site.claim(try await site.pairing(eve)).as(DeviceCredential.self)
            #expect(copied.deviceID != mine.deviceID)
            #expect(try await site.device(mine.credential).status == 200)
            // The device itself pairs with its new owner: the old credential and the old owner's row are gone.
            let sold = try await site.claim(try await site.pairing(eve), credential: mine.credential)
                .as(DeviceCredential.self)
            #expect(try await site.device(mine.credential).status == 401)
            #expect(try await site.device(sold.credential).status == 200)
            #expect(try await site.devices(ada).isEmpty)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `an account has at most 500 devices, each of which can be set up again`(_ engine: SQLEngine)
        async throws
    {
        try await DeviceSite.run(engine) { site in
            let token = try await site.proven("ada@example.com").session.accessToken
            #expect(try await site.claim(try await site.pairing(token)).status == 200)
            try await site.app.services.database.write {
                _ = try $0.execute(
                    """
                    INSERT INTO device_devices (environment_id, id, account_id, application_id, serial, model,
                        name, state, paired_at)
                    WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 499)
                    SELECT environment_id, 'dev_' || x, account_id, application_id, 'S' || x, model, name, state,
                        paired_at FROM device_devices, n
                    """)
            }
            let further = try await site.claim(try await site.pairing(token), serial: "SN-2")
            #expect(further.status == 409 && further.text.contains("500 devices"))
            #expect(try await site.devices(token).count == 500)
            let again = try await site.pairing(token)
            #expect(try await site.claim(again).status == 200)
            _ = try await site.send("DELETE", "/v1/devices/dev_1", token: token)
            let last = try await site.pairing(token)
            #expect(try await site.claim(last, serial: "SN-2").status == 200)
        }
    }

    @Test func `what a device says of itself has limits`() async throws {
        try await DeviceSite.run { site in
            let token = try await site.proven("ada@example.com").session.accessToken
            let pairing = try await site.pairing(token)
            for serial in ["", String(repeating: "x", count: 65), "a\u{7}b"] {
                #expect(try await site.claim(pairing, serial: serial).status == 422)
            }
            for wrong in ["", "x", pairing.token + "x", String(pairing.token.reversed())] {
                let answer = try await site.sendAsDevice(
                    "claim", ["pairingToken": wrong, "serial": "s", "model": "m"])
                #expect(answer.status == 409)
            }
            #expect(try await site.claim(pairing, serial: "ok").status == 200)
        }
    }

    private func version(_ socket: TestSocket) async throws -> Int64 {
        guard case .message(.changed(let topic, let version)) = try await socket.nextMessage(),
            topic == LiveMessage.pairingTopic
        else { throw TestFailure("Something else came.") }
        return version
    }

    private func apiKey(_ site: DeviceSite) async throws -> TestTenant {
        let signer = DevelopmentSigner()
        let key = try await site.app.services.environments.addApiKey(
            DeviceSite.environmentID, name: "app", rules: TokenRules(publicKey: signer.publicKeyPEM))
        return TestTenant(
            environmentID: DeviceSite.environmentID, apiKey: key, secret: "", secretKeyID: "", signer: signer)
    }
}
