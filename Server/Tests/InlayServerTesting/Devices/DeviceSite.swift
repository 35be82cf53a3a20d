import Foundation
import Logging
import InlaySQL
@_spi(Inlay) import InlayWire

@testable import InlayDevicesServer
@testable import InlayServerCore

/// A server with one application, and the requests that apps and devices send to it.
struct DeviceSite: Sendable {
    static let environmentID: EnvironmentID = "harbor"
    static let password = "four words in a row, please"

    let app: TestApp
    let application: DeviceApplication
    let secret: String
    var address: String?

    var feature: DevicesFeature { app.server.features.devices }

    /// Returns a runner that sends mails through a mail server of the test; the server itself has none.
    func mailRunner(_ client: SMTPClient) -> JobRunner {
        let jobs = MailJobs(mails: feature.mails, client: client, logger: .quiet)
        return JobRunner(
            app.services.jobs, [jobs], logger: .quiet, metrics: app.services.metrics, chance: { 0 })
    }

    static func run<R: Sendable>(
        _ engine: SQLEngine = .sqlite, settings: @Sendable (inout DeviceApplication) -> Void = { _ in },
        configure: (inout InlayServerConfiguration) -> Void = { _ in },
        _ body: @Sendable (DeviceSite) async throws -> R
    ) async throws -> R {
        try await TestApp.run(engine, configure: configure) { app in
            _ = try await app.services.environments.create(id: environmentID.rawValue, name: "Harbor")
            return try await body(try await make(app, settings: settings))
        }
    }

    static func make(
        _ app: TestApp, _ environmentID: EnvironmentID = environmentID,
        settings: @Sendable (inout DeviceApplication) -> Void = { _ in }
    ) async throws -> DeviceSite {
        let applications = app.server.features.devices.applications
        var (application, secret) = try await applications.create(
            environmentID, name: "Harbor app", opensAtOnce: true)
        settings(&application)
        try await applications.save(application)
        return DeviceSite(app: app, application: application, secret: secret)
    }

    /// Returns the same app with another client address; the server must be configured to trust a proxy.
    func from(_ address: String) -> DeviceSite {
        var site = self
        site.address = address
        return site
    }

    /// Returns the headers that an app sends, with an account's token or without.
    func headers(_ token: String? = nil) -> [String: String] {
        var headers = ["Inlay-Application": application.id.rawValue, "Inlay-Application-Secret": secret]
        headers["X-Forwarded-For"] = address
        headers["Authorization"] = token.map { "Bearer \($0)" }
        return headers
    }

    /// Sends a request as the app.
    func send(
        _ method: String, _ path: String, token: String? = nil, _ body: [String: Any?] = [:]
    ) async throws -> TestAppResponse {
        try await app.sendJSON(method, path, headers: headers(token), try Self.json(body))
    }

    /// Sends a request as a device, with no header but the content type.
    func sendAsDevice(_ path: String, _ body: [String: Any?]) async throws -> TestAppResponse {
        try await app.sendJSON("POST", "/v1/devices/\(path)", try Self.json(body))
    }

    private static func json(_ body: [String: Any?]) throws -> String {
        let data = try JSONSerialization.data(withJSONObject: body.compactMapValues { $0 })
        return String(decoding: data, as: UTF8.self)
    }

    // MARK: Requests

    func create(_ email: String, _ password: String? = DeviceSite.password) async throws -> TestAppResponse {
        try await send("POST", "/v1/devices/accounts", ["email": email, "password": password])
    }

    func prove(
        _ email: String, _ code: String, request: String? = nil, token: String? = nil
    ) async throws -> TestAppResponse {
        try await send(
            "POST", "/v1/devices/accounts/proof", token: token,
            ["email": email, "code": code, "request": request])
    }

    func logIn(_ email: String, _ password: String = DeviceSite.password) async throws -> TestAppResponse {
        try await send("POST", "/v1/devices/sessions", ["email": email, "password": password])
    }

    /// Sets another password with the code from a reset mail.
    @discardableResult
    func reset(_ email: String, _ password: String) async throws -> TestAppResponse {
        let asked = try await send("POST", "/v1/devices/password/reset", ["email": email])
            .as(AccountNext.self)
        return try await send(
            "POST", "/v1/devices/password",
            [
                "email": email, "code": try await code(email), "newPassword": password,
                "request": asked.request,
            ])
    }

    func refresh(_ token: String) async throws -> TestAppResponse {
        try await send("POST", "/v1/devices/sessions/refresh", ["refreshToken": token])
    }

    /// Returns the code in the newest mail to an address.
    func code(_ email: String) async throws -> String {
        let mails = try await feature.mails.mails(application.environmentID)
        guard let code = mails.first(where: { $0.recipient == email })?.code else {
            throw TestFailure("No mail with a code to \(email).")
        }
        return code
    }

    /// Creates an account and proves its address; returns the account with its session.
    func proven(_ email: String) async throws -> AccountOpening {
        let opening = try await create(email).as(AccountOpening.self)
        return try await prove(email, try await code(email), token: opening.session.accessToken).as()
    }

    func pairing(_ token: String, name: String? = nil) async throws -> Pairing {
        try await send("POST", "/v1/devices/pairings", token: token, ["name": name]).as()
    }

    func status(_ pairing: Pairing, _ token: String) async throws -> PairingStatus {
        try await send("GET", "/v1/devices/pairings/\(pairing.id)", token: token).as()
    }

    func claim(
        _ pairing: Pairing, serial: String = "SN-1", credential: String? = nil, lastFailure: String? = nil
    ) async throws -> TestAppResponse {
        try await sendAsDevice(
            "claim",
            [
                "pairingToken": pairing.token, "serial": serial, "model": "reader", "firmware": "1.0",
                "credential": credential, "lastFailure": lastFailure,
            ])
    }

    /// Requests a device's own record with its credential.
    func device(_ credential: String) async throws -> TestAppResponse {
        try await app.send("GET", "/v1/devices/self", headers: ["Authorization": "Bearer \(credential)"])
    }

    func devices(_ token: String) async throws -> [Device] {
        try await send("GET", "/v1/devices", token: token).as(DeviceList.self).devices.elements
    }

    /// Returns every row of the feature's tables as text, except the mails.
    func storedText() async throws -> String {
        let tables = [
            "applications", "application_secrets", "accounts", "codes", "code_requests", "attempts",
            "sessions", "tokens", "devices", "pairings", "versions",
        ]
        return try await app.services.database.read { connection in
            try tables.map { "\(try connection.rows("SELECT * FROM device_\($0)"))" }.joined()
        }
    }
}

extension TestAppResponse {
    /// Decodes the body; throws ``TestFailure`` with the status and the text when it is something else.
    func `as`<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
        do {
            return try JSONDecoder().decode(type, from: body)
        } catch {
            throw TestFailure("\(status) is no \(type): \(text.prefix(300))")
        }
    }
}
