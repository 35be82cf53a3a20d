import Foundation
@_spi(Inlay) import InlayCore
import InlayNIO
import InlayServer
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire

@_spi(Inlay) @testable import InlayDevices
@testable import InlayDevicesServer

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// An application at a running server, with its phones and a device.
struct DeviceFixture: Sendable {
    static let password = "four words in a row, please"

    let server: RunningServer
    let application: DeviceApplication
    let secret: String
    var feature: DevicesFeature { server.server.features.devices }

    init(
        _ server: RunningServer, settings: (inout DeviceApplication) -> Void = { _ in }
    ) async throws {
        self.server = server
        let applications = server.server.features.devices.applications
        var (application, secret) = try await applications.create(
            RunningServer.environmentID, name: "Harbor", opensAtOnce: true)
        settings(&application)
        try await applications.save(application)
        (self.application, self.secret) = (application, secret)
    }

    /// Starts the SDK on a phone. A second call with the same folder is the app's next launch.
    func phone(
        _ folder: TemporaryFolder, secret: String? = nil, clock: any SessionClock = SystemClock()
    ) async throws -> Devices {
        let session = SessionConfiguration(
            environmentID: RunningServer.environmentID.rawValue, apiKey: server.apiKey,
            baseURL: server.address,
            folder: folder.url, clientVersion: "1.2 (test)")
        let configuration = DevicesConfiguration(
            session: session, applicationID: application.id.rawValue, applicationSecret: secret ?? self.secret
        )
        return try await Devices(configuration, transport: NIOTransport(), clock: clock)
    }

    /// Returns the code of the newest mail to an address; empty when there is none.
    func code(_ email: String) async throws -> String {
        let mails = try await feature.mails.mails(RunningServer.environmentID)
        return mails.first { $0.recipient == email }?.code ?? ""
    }

    /// Returns the number of accounts.
    func accounts() async throws -> Int {
        try await feature.accounts.counts(RunningServer.environmentID).all
    }

    /// Creates an account with a password on another phone, and proves its address.
    func provenAccount(_ email: String) async throws -> DeviceAccount {
        let folder = try TemporaryFolder()
        let other = try await phone(folder)
        _ = try await other.accounts.createAccount(email: email, password: Self.password)
        return try await other.accounts.prove(email: email, code: try await code(email))
    }

    /// Chooses a network and pairing by a typed code, and returns the token that the user would type.
    func typedToken(_ setup: DeviceSetup) async throws -> String {
        await setup.send(.network(name: "Harbor", password: "quayside"))
        try await eventually {
            await setup.send(.useTypedCode)
            return await setup.typedCode() != nil
        }
        return Self.token(await setup.typedCode()?.code ?? "")
    }

    /// Reports the token as seen by the device and claims the device; returns its credential.
    func claim(_ token: String) async throws -> DeviceCredential {
        _ = try await sendAsDevice("/v1/devices/seen", DeviceSeen(pairingToken: token))
        let claim = DeviceClaim(pairingToken: token, serial: "SN-1", model: "reader")
        return try JSONDecoder().decode(
            DeviceCredential.self, from: try await sendAsDevice("/v1/devices/claim", claim))
    }

    /// Sends a request as a device does, with no header but the content type, and returns the body of the answer.
    func sendAsDevice(_ path: String, _ body: some Encodable) async throws -> Data {
        var request = URLRequest(url: server.address.appendingPathComponent(path))
        request.httpMethod = "POST"
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        request.httpBody = try JSONEncoder().encode(body)
        return try await URLSession.shared.data(for: request).0
    }

    /// Decodes 26 typed characters of five bits each, as a device does.
    private static func token(_ typed: String) -> String {
        let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ")
        var (bytes, buffer, bits) = ([UInt8](), 0, 0)
        for letter in typed where letter != " " {
            buffer = buffer << 5 | (alphabet.firstIndex(of: letter) ?? 0)
            bits += 5
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(buffer >> bits & 255))
                buffer &= 0xFF
            }
        }
        return Data(bytes.prefix(Pairing.tokenBytes)).base64EncodedString().replacing("+", with: "-")
            .replacing("/", with: "_").replacing("=", with: "")
    }
}
