import Foundation
@_spi(Inlay) import InlayCore
import InlayNIO
import NIOConcurrencyHelpers
import NIOSSL
import Testing

/// Tests of pins on real TLS, with a root, an intermediate and a leaf certificate made for each test.
@Suite(.timeLimit(.minutes(5))) struct PinTests {
    let authority: TestAuthority
    let transport: NIOTransport

    init() throws {
        authority = try TestAuthority()
        transport = try NIOTransport(trust: .only(authority.rootPEM))
    }

    private func get(
        _ server: LoopbackServer, pins: Set<CertificatePin>?, host: String = "127.0.0.1"
    ) async throws(TransportError) -> TransportResponse {
        try await transport.send(
            TransportRequest(
                method: "POST", url: server.url(scheme: "https", host: host), body: Data("secret".utf8),
                timeout: .seconds(20), pins: pins))
    }

    @Test func `a pinned leaf key lets the request through`() async throws {
        let leaf = try authority.leaf()
        let server = try await LoopbackServer.start(tls: authority.serverTLS(leaf: leaf))
        let answer = try await get(server, pins: [leaf.pin])
        #expect(answer.status == 200)
        #expect(String(decoding: answer.body, as: UTF8.self) == "POST / secret")
    }

    @Test func `a chain whose intermediate is pinned lets the request through`() async throws {
        let server = try await LoopbackServer.start(tls: authority.serverTLS())
        #expect(try await get(server, pins: [authority.intermediate.pin]).status == 200)
    }

    @Test
    func `a chain whose root is pinned lets the request through though the server does not send the root`()
        async throws
    {
        let server = try await LoopbackServer.start(tls: authority.serverTLS())
        #expect(try await get(server, pins: [authority.root.pin]).status == 200)
    }

    @Test func `one right pin among wrong ones is enough`() async throws {
        let server = try await LoopbackServer.start(tls: authority.serverTLS())
        let pins = try Set([IssuedCertificate.makeRoot().pin, authority.intermediate.pin])
        #expect(try await get(server, pins: pins).status == 200)
    }

    @Test func `with only wrong pins the server sees a handshake and no request`() async throws {
        let server = try await LoopbackServer.start(tls: authority.serverTLS())
        let wrong = try IssuedCertificate.makeRoot().pin
        await #expect(throws: TransportError.pinMismatch) { try await get(server, pins: [wrong]) }
        // A later request arrives and is the only one.
        _ = try await get(server, pins: [authority.root.pin])
        #expect(server.connections.withLockedValue { $0 } == 2)
        #expect(server.seen.withLockedValue { $0 }.count == 1)
    }

    @Test func `an empty set of pins matches nothing and opens no connection`() async throws {
        let server = try await LoopbackServer.start(tls: authority.serverTLS())
        await #expect(throws: TransportError.pinMismatch) { try await get(server, pins: []) }
        // Connections are accepted in their order, so a count of one means that there was none before.
        _ = try await get(server, pins: [authority.root.pin])
        #expect(server.connections.withLockedValue { $0 } == 1)
    }

    @Test func `pins over plain http are denied without a connection`() async throws {
        let server = try await LoopbackServer.start()
        let pin = try authority.root.pin
        await #expect(throws: TransportError.denied) {
            try await transport.send(TransportRequest(url: server.url(), pins: [pin]))
        }
        await #expect(throws: TransportError.denied) {
            try await transport.openSocket(TransportRequest(url: server.url(scheme: "ws"), pins: [pin]))
        }
        // Connections are accepted in their order, so a count of one means that there was none before.
        _ = try await transport.send(TransportRequest(url: server.url()))
        #expect(server.connections.withLockedValue { $0 } == 1)
    }

    @Test func `a right pin does not make an untrusted root trusted`() async throws {
        let stranger = try TestAuthority()
        let leaf = try stranger.leaf()
        let server = try await LoopbackServer.start(tls: stranger.serverTLS(leaf: leaf))
        await expectUntrusted {
            try await get(server, pins: [leaf.pin, stranger.root.pin])
        }
        // A later request arrives and is the only one.
        let trusting = try NIOTransport(trust: .only(stranger.rootPEM))
        _ = try await trusting.send(TransportRequest(url: server.url("/later", scheme: "https")))
        #expect(server.seen.withLockedValue { $0 } == ["GET /later 0"])
    }

    @Test func `a right pin does not excuse another host's certificate`() async throws {
        let leaf = try authority.leaf(names: ["elsewhere.example"], addresses: [])
        let server = try await LoopbackServer.start(tls: authority.serverTLS(leaf: leaf))
        await expectUntrusted { try await get(server, pins: [leaf.pin]) }
        await expectUntrusted {
            try await get(server, pins: [leaf.pin], host: "localhost")
        }
    }

    @Test func `a right pin does not excuse an expired certificate`() async throws {
        let leaf = try authority.leaf(lifetime: -60)
        let server = try await LoopbackServer.start(tls: authority.serverTLS(leaf: leaf))
        await expectUntrusted { try await get(server, pins: [leaf.pin]) }
    }

    @Test func `a right pin does not excuse a certificate that is only for clients`() async throws {
        let leaf = try authority.leaf(purpose: .clientAuth)
        let server = try await LoopbackServer.start(tls: authority.serverTLS(leaf: leaf))
        await expectUntrusted { try await get(server, pins: [leaf.pin]) }
    }

    @Test func `a pinned certificate that a server only sends along matches nothing`() async throws {
        let pinned = try TestAuthority()
        let leaf = try authority.leaf()
        let chain = try [leaf, authority.intermediate, pinned.root].map {
            NIOSSLCertificateSource.certificate(try NIOSSLCertificate(bytes: $0.der, format: .der))
        }
        let key = try NIOSSLPrivateKey(bytes: Array(leaf.key.derRepresentation), format: .der)
        let tls = try NIOSSLContext(
            configuration: .makeServerConfiguration(certificateChain: chain, privateKey: .privateKey(key)))
        let server = try await LoopbackServer.start(tls: tls)
        let pin = try pinned.root.pin
        await #expect(throws: TransportError.pinMismatch) { try await get(server, pins: [pin]) }
    }

    @Test func `host names are matched as well as addresses`() async throws {
        let leaf = try authority.leaf(names: ["localhost"], addresses: [])
        let server = try await LoopbackServer.start(tls: authority.serverTLS(leaf: leaf))
        #expect(try await get(server, pins: [leaf.pin], host: "localhost").status == 200)
        #expect(try await get(server, pins: nil, host: "localhost").status == 200)
        await expectUntrusted {
            try await get(server, pins: [leaf.pin], host: "127.0.0.1")
        }
    }

    @Test func `without pins the ordinary checks hold`() async throws {
        let server = try await LoopbackServer.start(tls: authority.serverTLS())
        #expect(try await get(server, pins: nil).status == 200)
        let stranger = try TestAuthority()
        let untrusted = try await LoopbackServer.start(tls: stranger.serverTLS())
        await expectUntrusted { try await get(untrusted, pins: nil) }
        let elsewhere = try await LoopbackServer.start(
            tls: authority.serverTLS(names: ["a.example"], addresses: []))
        await expectUntrusted { try await get(elsewhere, pins: nil) }
        await expectUntrusted {
            try await get(elsewhere, pins: nil, host: "localhost")
        }
    }

    @Test func `the system's roots do not trust a test's root`() async throws {
        let server = try await LoopbackServer.start(tls: authority.serverTLS())
        let strict = try NIOTransport()
        let pins = try Set([authority.root.pin])
        let url = server.url(scheme: "https")
        await expectUntrusted {
            try await strict.send(TransportRequest(url: url))
        }
        await expectUntrusted {
            try await strict.send(TransportRequest(url: url, pins: pins))
        }
        let extended = try NIOTransport(trust: .system(adding: authority.rootPEM))
        #expect(try await extended.send(TransportRequest(url: url)).status == 200)
        #expect(try await extended.send(TransportRequest(url: url, pins: pins)).status == 200)
    }

    private func expectUntrusted<Answer>(
        _ body: () async throws -> Answer, location: SourceLocation = #_sourceLocation
    ) async {
        let error = await failure(body)
        #expect(error?.isUntrusted == true, "\(String(describing: error))", sourceLocation: location)
    }
}
