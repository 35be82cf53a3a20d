import Foundation
import InlayCore
import InlayLight
import InlayNIO
import InlayWire

/// A device after it read the light: it joins, and claims itself. It keeps its older network until the new one
/// has led to the server, and remembers why it failed.
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

    /// Does what the payload says, and tells line by line.
    mutating func setUp(_ payload: LightPayload, say: (String) -> Void) async throws -> SimulatedOutcome {
        let server = Self.server(payload.host)
        let token = Self.base64URL(payload.token)
        say("light: network \(payload.ssid), server \(server?.absoluteString ?? "none")")
        guard let server else { return .unreadable }
        if hasOlderNetwork {
            let status = try await post(InlayPath.deviceSeen, DeviceSeen(pairingToken: token), to: server)
                .status
            say("server: seen \(status)")
        }
        say("wifi: joining \(payload.ssid)")
        if let failure = networks.failure(joining: payload.ssid, password: payload.password) {
            return try await fail(failure, token, server, say)
        }
        say("wifi: joined \(payload.ssid)")
        return try await claim(token, server, say)
    }

    private mutating func fail(
        _ failure: DeviceSetupFailure, _ token: String, _ server: URL, _ say: (String) -> Void
    ) async throws -> SimulatedOutcome {
        say("wifi: \(failure.rawValue)")
        lastFailure = failure
        if hasOlderNetwork {
            let report = DeviceFailureReport(pairingToken: token, reason: failure)
            say("server: failure \(try await post(InlayPath.deviceFailure, report, to: server).status)")
        }
        switch failure {
        case .networkNotFound: return .networkNotFound
        case .wrongPassword: return .wrongPassword
        default: return .noInternet
        }
    }

    private mutating func claim(
        _ token: String, _ server: URL, _ say: (String) -> Void
    ) async throws -> SimulatedOutcome {
        let claim = DeviceClaim(
            pairingToken: token, serial: serial, model: model, firmware: firmware, lastFailure: lastFailure)
        let answer = try await post(InlayPath.deviceClaim, claim, to: server)
        guard answer.status == 200,
            let credential = try? JSONDecoder().decode(DeviceCredential.self, from: answer.body)
        else {
            let code =
                (try? JSONDecoder().decode(Problem.self, from: answer.body))?.code.rawValue ?? "unknown"
            say("server: claim refused \(answer.status) \(code)")
            lastFailure = .tokenExpired
            return .refused
        }
        lastFailure = nil
        say("paired: device \(credential.deviceID)")
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

    /// The server's address. Plain HTTP goes no further than this machine.
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
