import Foundation
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
import Testing

@_spi(Inlay) @testable import InlayCore

@Suite struct GatedTransportTests {
    /// A gate whose dispositions come from a closure, and that records the URLs.
    final class ScriptedGate: RequestGate {
        let checkedURLs = Locked<[String]>([])
        private let answer: @Sendable (URL) -> RequestDisposition

        init(_ answer: @escaping @Sendable (URL) -> RequestDisposition) { self.answer = answer }

        func disposition(for url: URL) -> RequestDisposition {
            checkedURLs.withLock { $0.append(url.absoluteString) }
            return answer(url)
        }
    }

    let server = ScriptedTransport()
    let pin = CertificatePin(digest: Data(repeating: 1, count: 32))
    let otherPin = CertificatePin(digest: Data(repeating: 2, count: 32))

    init() {
        server.always("/x", .status(200))
        server.alwaysSocket(.accept)
    }

    func send(_ url: String, _ answer: @escaping @Sendable (URL) -> RequestDisposition) async throws -> Int {
        try await GatedTransport(server, gate: ScriptedGate(answer))
            .send(TransportRequest(url: address(url))).status
    }

    @Test func `an allowed request is sent without pins`() async throws {
        #expect(try await send("https://h.example/x") { _ in .allow } == 200)
        #expect(server.requests.first?.pins == nil)
    }

    @Test func `a denied request never reaches the transport`() async throws {
        await #expect(throws: TransportError.denied) { try await send("https://h.example/x") { _ in .deny } }
        #expect(server.requests.isEmpty)
    }

    @Test func `pins are passed to the transport with the request`() async throws {
        let pins: Set = [pin, otherPin]
        _ = try await send("https://h.example/x") { _ in .allowWithPins(pins) }
        #expect(server.requests.first?.pins == pins)
    }

    @Test func `pins for plain http deny the request`() async throws {
        let pins: Set = [pin]
        await #expect(throws: TransportError.denied) {
            try await send("http://h.example/x") { _ in .allowWithPins(pins) }
        }
        #expect(server.requests.isEmpty)
    }

    @Test func `an empty set of pins matches nothing`() async throws {
        await #expect(throws: TransportError.pinMismatch) {
            try await send("https://h.example/x") { _ in .allowWithPins([]) }
        }
        #expect(server.requests.isEmpty)
    }

    @Test func `the gate is asked about a socket by its wss address`() async throws {
        let gate = ScriptedGate { _ in .allow }
        let transport = GatedTransport(server, gate: gate)
        _ = try await transport.openSocket(TransportRequest(url: address("https://h.example/socket")))
        _ = try await transport.openSocket(TransportRequest(url: address("http://h.example/socket")))
        #expect(gate.checkedURLs.withLock { $0 } == ["wss://h.example/socket", "ws://h.example/socket"])
    }

    @Test func `pins deny a plain socket, and are passed on for a TLS socket`() async throws {
        let pins: Set = [pin]
        let transport = GatedTransport(server, gate: ScriptedGate { _ in .allowWithPins(pins) })
        await #expect(throws: TransportError.denied) {
            _ = try await transport.openSocket(TransportRequest(url: address("http://h.example/socket")))
        }
        _ = try await transport.openSocket(TransportRequest(url: address("https://h.example/socket")))
        #expect(server.socketRequests.map(\.pins) == [pins])
    }

    @Test func `every request of a session asks the gate with its own URL`() async throws {
        let fixture = try SessionFixture()
        fixture.server.always("/v1/a", .status(200))
        fixture.server.always("/v1/b", .status(200))
        let gate = ScriptedGate { _ in .allow }
        let session = try await fixture.session { $0.gate = gate }
        _ = try await session.api.get("/v1/a", query: [URLQueryItem(name: "after", value: "7")])
        _ = try await session.api.post("/v1/b", body: Data("{}".utf8))
        #expect(gate.checkedURLs.withLock { $0 } == fixture.server.requests.map(\.url.absoluteString))
        #expect(gate.checkedURLs.withLock { $0 }.count == 2)
    }

    @Test func `a pin is base64 of 32 raw bytes and nothing else`() throws {
        let digest = Data(0..<32)
        #expect(try CertificatePin(sha256: digest.base64EncodedString()).digest == digest)
        #expect(throws: CertificatePin.Malformed.notBase64) { try CertificatePin(sha256: "%%%") }
        let hex = digest.map { String(format: "%02x", $0) }.joined()
        #expect(throws: CertificatePin.Malformed.wrongLength(64)) {
            try CertificatePin(sha256: Data(hex.utf8).base64EncodedString())
        }
    }
}
