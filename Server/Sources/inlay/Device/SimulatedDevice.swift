import Foundation
import InlayCardsServer
@_spi(Inlay) import InlayCore
@_spi(Inlay) import InlayLight
import InlayNIO
import InlayServerCore
@_spi(Inlay) import InlayWire

/// A simulated device that has read the light: it joins the network and claims itself.
///
/// It keeps its older network until it has reached the server through the new one, and remembers its last failure.
struct SimulatedDevice {
    let serial: String
    let model: String
    let firmware: String
    let networks: SimulatedNetworks
    let hasOlderNetwork: Bool
    let transport: NIOTransport
    private var lastFailure: DeviceSetupFailure?

    init(
        serial: String, model: String, firmware: String, networks: SimulatedNetworks, hasOlderNetwork: Bool,
        transport: NIOTransport
    ) {
        self.serial = serial
        self.model = model
        self.firmware = firmware
        self.networks = networks
        self.hasOlderNetwork = hasOlderNetwork
        self.transport = transport
    }

    /// Sets the device up with a payload, and logs each step.
    mutating func setUp(_ payload: LightPayload, log: (String) -> Void) async throws -> SimulatedOutcome {
        let server = Self.server(payload.host)
        let token = Self.base64URL(payload.token)
        log("light: network \(payload.ssid), server \(server?.absoluteString ?? "none")")
        guard let server else { return .unreadable }
        if hasOlderNetwork {
            let status = try await post(InlayPath.deviceSeen, DeviceSeen(pairingToken: token), to: server)
                .status
            log("server: seen \(status)")
        }
        log("wifi: joining \(payload.ssid)")
        if let failure = networks.failure(joining: payload.ssid, password: payload.password) {
            return try await fail(failure, token, server, log)
        }
        log("wifi: joined \(payload.ssid)")
        return try await claim(token, server, log)
    }

    private mutating func fail(
        _ failure: DeviceSetupFailure, _ token: String, _ server: URL, _ log: (String) -> Void
    ) async throws -> SimulatedOutcome {
        log("wifi: \(failure.rawValue)")
        lastFailure = failure
        if hasOlderNetwork {
            let report = DeviceFailureReport(pairingToken: token, reason: failure)
            log("server: failure \(try await post(InlayPath.deviceFailure, report, to: server).status)")
        }
        switch failure {
        case .networkNotFound: return .networkNotFound
        case .wrongPassword: return .wrongPassword
        default: return .noInternet
        }
    }

    private mutating func claim(
        _ token: String, _ server: URL, _ log: (String) -> Void
    ) async throws -> SimulatedOutcome {
        let claim = DeviceClaim(
            pairingToken: token, serial: serial, model: model, firmware: firmware, lastFailure: lastFailure)
        let answer = try await post(InlayPath.deviceClaim, claim, to: server)
        guard answer.status == 200,
            let credential = try? JSONDecoder().decode(DeviceCredential.self, from: answer.body)
        else {
            let code =
                (try? JSONDecoder().decode(Problem.self, from: answer.body))?.code.rawValue ?? "unknown"
            log("server: claim refused \(answer.status) \(code)")
            lastFailure = .tokenExpired
            return .refused
        }
        lastFailure = nil
        log("paired: device \(credential.deviceID)")
        return .paired
    }

    private func post(
        _ path: String, _ body: some Encodable, to server: URL
    ) async throws -> TransportResponse {
        try await transport.send(
            TransportRequest(
                method: "POST", url: server.appendingPathComponent(path),
                headers: ["Content-Type": "application/json"], body: try JSONEncoder().encode(body)))
    }

    /// Returns the server's URL, which is http on this machine and https elsewhere.
    private static func server(_ host: String) -> URL? {
        guard !host.isEmpty, let parts = URLComponents(string: "https://\(host)"), let name = parts.host
        else {
            return nil
        }
        let isHere = ["localhost", "127.0.0.1", "[::1]", "::1"].contains(name)
        return URL(string: "\(isHere ? "http" : "https")://\(host)")
    }

    private static func base64URL(_ bytes: [UInt8]) -> String {
        Data(bytes).base64EncodedString().replacingOccurrences(of: "+", with: "-")
            .replacingOccurrences(of: "/", with: "_").replacingOccurrences(of: "=", with: "")
    }
}

/// The outcome of a simulated set-up; the raw value is the command's exit code.
enum SimulatedOutcome: Int32 {
    case paired = 0
    case noLight = 10
    case networkNotFound = 11
    case wrongPassword = 12
    case noInternet = 13
    case refused = 14
    case unreadable = 15
}
