public import Foundation

/// A transport that asks the gate before every connection and passes the gate's pins on to the transport below.
@_spi(Inlay) public struct GatedTransport: Transport {
    private let transport: any Transport
    private let gate: any RequestGate

    /// A transport behind a gate.
    public init(_ transport: any Transport, gate: any RequestGate) {
        self.transport = transport
        self.gate = gate
    }

    public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        try await transport.send(admitted(request, as: request.url))
    }

    public func openSocket(_ request: TransportRequest) async throws(TransportError) -> any TransportSocket {
        try await transport.openSocket(admitted(request, as: Self.socketURL(request.url)))
    }

    /// Returns the address of a socket, about which the gate is asked: ws for http, wss for https.
    public static func socketURL(_ url: URL) -> URL {
        guard var parts = URLComponents(url: url, resolvingAgainstBaseURL: true) else { return url }
        switch parts.scheme?.lowercased() {
        case "https": parts.scheme = "wss"
        case "http": parts.scheme = "ws"
        default: break
        }
        return parts.url ?? url
    }

    private func admitted(
        _ request: TransportRequest, as url: URL
    ) throws(TransportError) -> TransportRequest {
        switch gate.disposition(for: url) {
        case .allow: return request
        case .deny: throw .denied
        case .allowWithPins(let pins):
            // Without TLS there is no certificate that a pin could match.
            guard ["https", "wss"].contains(url.scheme?.lowercased() ?? "") else { throw .denied }
            guard !pins.isEmpty else { throw .pinMismatch }
            var pinned = request
            pinned.pins = request.pins.map { $0.intersection(pins) } ?? pins
            guard pinned.pins?.isEmpty == false else { throw .pinMismatch }
            return pinned
        }
    }
}
