import Foundation
@_spi(Inlay) import InlayCore
import InlayNIO
import NIOConcurrencyHelpers
import Testing

/// Tests of the app's request gate in front of real connections.
@Suite(.timeLimit(.minutes(5))) struct GateTests {
    /// A gate with one fixed answer that records the URLs.
    struct Gate: RequestGate {
        let answer: RequestDisposition
        let checkedURLs = NIOLockedValueBox<[URL]>([])

        func disposition(for url: URL) -> RequestDisposition {
            checkedURLs.withLockedValue { $0.append(url) }
            return answer
        }
    }

    @Test func `a gate that allows is asked for the very address that the server then sees`() async throws {
        let server = try await LoopbackServer.start(socket: SocketScript())
        let gate = Gate(answer: .allow)
        let transport = GatedTransport(try NIOTransport(), gate: gate)
        _ = try await transport.send(TransportRequest(url: server.url("/v1/cards/counts?a=b%20c")))
        await (try transport.openSocket(TransportRequest(url: server.url("/socket")))).close()
        #expect(
            gate.checkedURLs.withLockedValue { $0 } == [
                server.url("/v1/cards/counts?a=b%20c"), server.url("/socket", scheme: "ws"),
            ])
        #expect(server.heads.withLockedValue { $0.map(\.uri) } == ["/v1/cards/counts?a=b%20c", "/socket"])
    }

    @Test func `a gate that denies means no connection, for requests and for sockets`() async throws {
        let server = try await LoopbackServer.start(socket: SocketScript())
        let transport = GatedTransport(try NIOTransport(), gate: Gate(answer: .deny))
        #expect(await failure { try await transport.send(TransportRequest(url: server.url())) } == .denied)
        #expect(
            await failure { try await transport.openSocket(TransportRequest(url: server.url())) } == .denied)
        // Connections are accepted in their order, so a count of one means that there was none before.
        _ = try await NIOTransport().send(TransportRequest(url: server.url()))
        #expect(server.connections.withLockedValue { $0 } == 1)
    }

    @Test func `a gate's pins decide over requests and sockets on real TLS`() async throws {
        let authority = try TestAuthority()
        let server = try await LoopbackServer.start(tls: authority.serverTLS(), socket: SocketScript())
        let nio = try NIOTransport(trust: .only(authority.rootPEM))
        let request = TransportRequest(url: server.url("/socket", scheme: "https"))
        let right = GatedTransport(nio, gate: Gate(answer: .allowWithPins([try authority.intermediate.pin])))
        await (try right.openSocket(request)).close()
        let wrong = GatedTransport(
            nio, gate: Gate(answer: .allowWithPins([try IssuedCertificate.makeRoot().pin])))
        #expect(await failure { try await wrong.send(request) } == .pinMismatch)
        #expect(await failure { try await wrong.openSocket(request) } == .pinMismatch)
        #expect(server.heads.withLockedValue { $0 }.count == 1)
    }
}
