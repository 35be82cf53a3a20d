import Foundation
import InlaySQL
@_spi(Inlay) import InlayWire
import NIOCore
import Testing

@testable import InlayBehaviorsServer
@testable import InlayServerCore

/// A server with an environment and an OAuth client, and the requests that client programs send to it.
struct BehaviorSite: Sendable {
    let app: TestApp
    let tenant: TestTenant
    let credentials: OAuthCredentials
    let token: String

    static func run<R: Sendable>(
        _ engine: SQLEngine = .sqlite, clock: TestClock = TestClock(),
        _ body: @Sendable (BehaviorSite) async throws -> R
    ) async throws -> R {
        try await TestApp.run(engine, clock: clock, configure: { $0.rates = .off }) { app in
            try await body(try await make(app))
        }
    }

    /// Creates an environment with an OAuth client on a running server, and returns a site for it.
    static func make(_ app: TestApp, _ id: EnvironmentID = "harbor") async throws -> BehaviorSite {
        let tenant = try await TestTenant.make(app, id)
        let made = try await app.server.features.behaviors.oauth.addClient(id, name: "App")
        let answer = try await Self.grant(app, made.credentials)
        let token = try JSONDecoder().decode(Granted.self, from: answer.body).access_token
        return BehaviorSite(app: app, tenant: tenant, credentials: made.credentials, token: token)
    }

    struct Granted: Decodable { let access_token: String, token_type: String, expires_in: Int }

    var environmentID: EnvironmentID { tenant.environmentID }
    var behaviors: BehaviorsFeature { app.server.features.behaviors }

    static func grant(_ app: TestApp, _ credentials: OAuthCredentials) async throws -> TestAppResponse {
        try await form(
            app, "/oauth/token",
            [
                ("grant_type", "refresh_token"), ("client_id", credentials.clientID.rawValue),
                ("client_secret", credentials.clientSecret), ("refresh_token", credentials.refreshToken),
            ])
    }

    static func form(
        _ app: TestApp, _ path: String, _ fields: [(String, String)], headers: [String: String] = [:]
    ) async throws -> TestAppResponse {
        let text = fields.map { "\($0.0)=\(FormFields.escaped($0.1))" }.joined(separator: "&")
        let headers = headers.merging(["Content-Type": "application/x-www-form-urlencoded"]) { a, _ in a }
        return try await app.send("POST", path, headers: headers, body: .bytes(ByteBuffer(string: text)))
    }

    /// Posts events with the OAuth token, unless other headers are given.
    func submit(_ json: String, headers: [String: String]? = nil) async throws -> TestAppResponse {
        try await app.sendJSON(
            "POST", "/rest/events/submission", headers: headers ?? bearer, json)
    }

    /// Posts events, expects status 200 and returns the receipts.
    func receipts(_ json: String, headers: [String: String]? = nil) async throws -> [ItemReceipt] {
        let answer = try await submit(json, headers: headers)
        #expect(answer.status == 200, "\(answer.text)")
        return try JSONDecoder().decode(BatchReceipt.self, from: answer.body).receipts
    }

    var bearer: [String: String] { ["Authorization": "Bearer \(token)"] }

    /// Returns the rows of the environment's events, oldest first.
    func rows() async throws -> [SQLRow] {
        let environmentID = environmentID
        return try await app.services.database.read {
            try $0.rows(
                "SELECT * FROM behavior_events WHERE environment_id = ? ORDER BY seq", [.id(environmentID)])
        }
    }

    static func event(
        _ id: String?, _ code: String = "17", at time: String = "2026-03-01T11:00:00.000Z",
        _ attributes: [(String, String)] = [("Event Name", "Looked")]
    ) -> String {
        let list = attributes.map { "{\"name\":\"\($0.0)\",\"value\":\"\($0.1)\"}" }.joined(separator: ",")
        let start = id.map { "\"id\":\"\($0)\"," } ?? ""
        return
            "{\(start)\"eventTypeCode\":\"\(code)\",\"eventTimestamp\":\"\(time)\",\"attributes\":[\(list)]}"
    }

    static func body(_ events: [String]) -> String { "{\"events\":[\(events.joined(separator: ","))]}" }
}
