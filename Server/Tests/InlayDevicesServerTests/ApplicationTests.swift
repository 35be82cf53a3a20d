import Foundation
import InlayDevicesServer
import InlaySQL
import InlayServerCore
@_spi(Inlay) import InlayWire
import Testing

@testable import InlayServerTesting

/// Applications: the id and the secrets with which apps authenticate.
@Suite(.timeLimit(.minutes(3))) struct ApplicationTests {
    @Test(arguments: SQLEngine.allCases)
    func `a wrong, missing or foreign id or secret is refused on every route, in the same words`(
        _ engine: SQLEngine
    ) async throws {
        try await DeviceSite.run(engine) { site in
            let other = try await DeviceSite.make(site.app)
            let token = try await site.proven("ada@example.com").session.accessToken
            let wrong: [[String: String]] = [
                [:], ["Inlay-Application": site.application.id.rawValue],
                ["Inlay-Application-Secret": site.secret],
                ["Inlay-Application": "app_unknown", "Inlay-Application-Secret": site.secret],
                [
                    "Inlay-Application": site.application.id.rawValue,
                    "Inlay-Application-Secret": site.secret + "x",
                ],
                [
                    "Inlay-Application": site.application.id.rawValue,
                    "Inlay-Application-Secret": other.secret,
                ],
            ]
            let routes = [
                ("POST", "accounts"), ("POST", "accounts/proof"), ("POST", "sessions"),
                ("POST", "sessions/refresh"), ("DELETE", "sessions"), ("DELETE", "sessions/all"),
                ("POST", "password/reset"), ("POST", "password"), ("POST", "password/change"),
                ("POST", "application-token"), ("POST", "pairings"), ("GET", "pairings/pr_x"),
                ("POST", "pairings/pr_x/cancel"), ("DELETE", "dev_x"), ("PATCH", "dev_x"),
                ("POST", "dev_x/transfer"), ("DELETE", "dev_x/transfer"), ("GET", "sessions"),
                ("DELETE", "sessions/ses_x"), ("POST", "sessions/end"), ("POST", "accounts/deletion"),
                ("POST", "accounts/deletion/code"),
            ]
            var problems: Set<Problem> = []
            for (method, path) in routes {
                for headers in wrong {
                    let answer = try await site.app.sendJSON(
                        method, "/v1/devices/\(path)",
                        headers: headers.merging(["Authorization": "Bearer \(token)"]) { $1 },
                        #"{"email":"new@example.com"}"#)
                    #expect(answer.status == 401, "\(method) \(path) \(headers)")
                    problems.insert(try answer.problem)
                }
            }
            #expect(problems.count == 1)
            for (method, path) in [("GET", ""), ("POST", "/pairings"), ("POST", "/application-token")] {
                let nobody = try await site.send(method, "/v1/devices\(path)")
                #expect(nobody.status == 401)
                #expect(try nobody.code == "account.session-ended")
            }
            #expect(try await site.feature.accounts.counts(DeviceSite.environmentID).all == 1)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `two secrets are valid at a time, so that apps can change from one to the next`(
        _ engine: SQLEngine
    ) async throws {
        try await DeviceSite.run(engine) { site in
            let store = site.feature.applications, id = site.application.id
            let second = try await store.addSecret(DeviceSite.environmentID, id)
            #expect(second != site.secret)
            await #expect(throws: Problem.self) { try await store.addSecret(DeviceSite.environmentID, id) }
            let next = DeviceSite(app: site.app, application: site.application, secret: second)
            #expect(try await site.logIn("ada@example.com").code == "account.log-in-refused")
            #expect(try await next.logIn("ada@example.com").code == "account.log-in-refused")
            let secrets = try await store.secrets(DeviceSite.environmentID, id)
            let first = try #require(secrets.first { site.secret.hasPrefix($0.id) })
            try await store.revokeSecret(DeviceSite.environmentID, id, first.id)
            #expect(try await site.logIn("ada@example.com").code == "application.refused")
            #expect(try await next.logIn("ada@example.com").code == "account.log-in-refused")
            _ = try await store.addSecret(DeviceSite.environmentID, id)
        }
    }

    @Test func `concurrent requests for a second secret add only one`() async throws {
        try await DeviceSite.run { site in
            let store = site.feature.applications, id = site.application.id
            let refusals = try await withThrowingTaskGroup(of: Problem?.self) { group in
                for _ in 0..<6 {
                    group.addTask {
                        do {
                            _ = try await store.addSecret(DeviceSite.environmentID, id)
                            return nil
                        } catch let problem as Problem {
                            return problem
                        }
                    }
                }
                return try await group.reduce(into: [Problem?]()) { $0.append($1) }
            }
            #expect(refusals.count { $0 == nil } == 1 && refusals.count { $0?.code == .conflict } == 5)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a revoked application is refused everywhere, and its users' application token with 403`(
        _ engine: SQLEngine
    ) async throws {
        try await DeviceSite.run(engine) { site in
            let token = try await site.proven("ada@example.com").session.accessToken
            func give() async throws -> TestAppResponse {
                try await site.send("POST", "/v1/devices/application-token", token: token)
            }
            #expect(try await give().status == 200)
            try await site.feature.applications.revoke(DeviceSite.environmentID, site.application.id)
            let refused = try await give()
            #expect(refused.status == 403)
            #expect(try refused.code == "application.refused")
            #expect(try await site.logIn("ada@example.com").code == "application.refused")
            #expect(try await site.send("GET", "/v1/devices", token: token).status == 401)
            let stranger = DeviceSite(app: site.app, application: site.application, secret: "ias_x_y")
            #expect(
                try await stranger.send("POST", "/v1/devices/application-token", token: token).status == 401)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a claim for a revoked application is refused and does not use the token up`(
        _ engine: SQLEngine
    ) async throws {
        try await DeviceSite.run(engine) { site in
            let pairing = try await site.pairing(try await site.proven("ada@example.com").session.accessToken)
            try await site.feature.applications.revoke(DeviceSite.environmentID, site.application.id)
            for _ in 0..<2 {
                let refused = try await site.claim(pairing)
                #expect(refused.status == 409)
                #expect(try refused.problem.detail == "The application was revoked.")
            }
            let used = try await site.app.services.database.read {
                try $0.rows("SELECT id FROM device_pairings WHERE settled_at IS NOT NULL")
            }
            #expect(used.isEmpty)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `accounts and devices of one environment are unknown in another`(_ engine: SQLEngine) async throws {
        try await DeviceSite.run(engine) { site in
            _ = try await site.app.services.environments.create(id: "other", name: "Other")
            let other = try await DeviceSite.make(site.app, "other")
            let mine = try await site.proven("ada@example.com")
            let pairing = try await site.pairing(mine.session.accessToken)
            let credential = try await site.claim(pairing).as(DeviceCredential.self)
            #expect(try await other.logIn("ada@example.com").status == 401)
            let theirs = try await other.proven("ada@example.com")
            #expect(theirs.account.id != mine.account.id)
            let token = theirs.session.accessToken
            #expect(try await other.devices(token).isEmpty)
            #expect(
                try await other.send("GET", "/v1/devices/pairings/\(pairing.id)", token: token).status == 404)
            for (method, path, body) in [
                ("DELETE", credential.deviceID, [:]), ("PATCH", credential.deviceID, ["name": "Mine"]),
                ("POST", "\(credential.deviceID)/transfer", ["email": "eve@example.com"]),
            ] {
                #expect(
                    try await other.send(method, "/v1/devices/\(path)", token: token, body).status == 404)
            }
            #expect(try await site.devices(mine.session.accessToken).map(\.id) == [credential.deviceID])
            let store = site.feature
            #expect(try await store.accounts.account("other", AccountID(mine.account.id)) == nil)
            #expect(try await store.devices.device("other", DeviceID(credential.deviceID)) == nil)
            #expect(try await store.applications.application("other", site.application.id) == nil)
            #expect(try await store.mails.mails("other").allSatisfy { $0.environmentID == "other" })
        }
    }

    @Test func `a logo is a picture of at most 128 KiB, and nothing that a browser would run`() async throws {
        try await DeviceSite.run { site in
            let store = site.feature.applications, id = site.application.id
            let png = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1, 2, 3])
            try await store.setLogo(DeviceSite.environmentID, id, png)
            #expect(try await store.logo(id)?.mediaType == "image/png")
            for wrong in [Data("<svg onload=x>".utf8), png + Data(count: 128 << 10), Data()] {
                await #expect(throws: Problem.self) {
                    try await store.setLogo(DeviceSite.environmentID, id, wrong)
                }
            }
            try await store.setLogo(DeviceSite.environmentID, id, nil)
            #expect(try await store.logo(id) == nil)
        }
    }
}
