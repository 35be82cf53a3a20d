import Foundation
import InlayCardsServer
@_spi(Inlay) import InlayCore
import InlayNIO
import InlayServerCore
@_spi(Inlay) import InlayWire

/// The customer's backend, which publishes cards over the public route.
struct Backend: Sendable {
    private let access: ServerAccess
    private let transport: NIOTransport
    private let address: URL

    init(_ access: ServerAccess) throws {
        self.access = access
        transport = try NIOTransport()
        guard let address = URL(string: access.baseURL + "/v1/events") else {
            throw BenchError("\(access.baseURL) is no address.")
        }
        self.address = address
    }

    /// Sends an event for one user; a card of the same lifecycle id is replaced.
    func publish(_ event: String, to user: UserID, lifecycle: String, title: String) async throws {
        try await send([
            "name": .string(event), "target": ["users": [.string(user.rawValue)]],
            "lifecycleId": .string(lifecycle),
            "variables": ["title": .string(title)],
        ])
    }

    /// Sends an event.
    func send(_ body: JSONValue) async throws {
        let answer = try await transport.send(
            TransportRequest(
                method: "POST", url: address,
                headers: [
                    "Authorization": "Bearer \(access.secretKey)", "Content-Type": "application/json",
                    InlayHeader.environment: ServerAccess.environment.rawValue,
                ], body: try JSONEncoder().encode(body)))
        guard (200..<300).contains(answer.status) else {
            throw BenchError("/v1/events: \(answer.status) \(String(decoding: answer.body, as: UTF8.self))")
        }
    }
}
