import Foundation
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
import Testing

@_spi(Inlay) @testable import InlayCore

@Suite struct URLSessionTransportTests {
    let transport = URLSessionTransport()

    @Test func `method, header fields and body arrive, status and body come back`() async throws {
        let seen = Locked<LoopbackServer.Request?>(nil)
        let server = try LoopbackServer { request in
            seen.withLock { $0 = request }
            return .answer(status: 418, headers: ["X-Answer": "yes"], body: Data("teapot".utf8))
        }
        let response = try await transport.send(
            TransportRequest(
                method: "POST", url: server.url.appendingPathComponent("v1/x"),
                headers: [InlayHeader.environment: "env", "Authorization": "Bearer t"],
                body: Data("hello".utf8)))
        #expect(response.status == 418)
        #expect(response.headers["x-answer"] == "yes")
        #expect(response.body == Data("teapot".utf8))
        let request = try #require(seen.withLock { $0 })
        #expect(request.head.hasPrefix("POST /v1/x "))
        #expect(request.head.contains("Inlay-Environment: env"))
        #expect(request.head.contains("Authorization: Bearer t"))
        #expect(request.body == Data("hello".utf8))
    }

    @Test func `a server that says nothing times out`() async throws {
        let server = try LoopbackServer { _ in .silence }
        await #expect(throws: TransportError.timedOut) {
            try await transport.send(TransportRequest(url: server.url, timeout: .milliseconds(200)))
        }
    }

    @Test func `a cut connection is an error`() async throws {
        let server = try LoopbackServer { _ in .cut }
        await #expect(throws: TransportError.self) {
            try await transport.send(TransportRequest(url: server.url))
        }
    }

    @Test func `a body that ends too early is an error and no answer`() async throws {
        let server = try LoopbackServer { _ in
            .raw(Data("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"cards\":[".utf8))
        }
        await #expect(throws: TransportError.self) {
            try await transport.send(TransportRequest(url: server.url))
        }
    }

    @Test func `a port where nobody listens is unreachable`() async throws {
        // The system gives no server of another test a port this low.
        await #expect {
            try await transport.send(TransportRequest(url: address("http://127.0.0.1:1/")))
        } throws: { error in
            guard case .unreachable = error as? TransportError else { return false }
            return true
        }
    }

    @Test func `an announced body that is too large is not read`() async throws {
        let server = try LoopbackServer { _ in .answer(status: 200, body: Data(count: 100_000)) }
        await #expect(throws: TransportError.tooLarge) {
            try await transport.send(TransportRequest(url: server.url, maximumResponseBytes: 1000))
        }
    }

    @Test func `an endless body is cut off at the limit`() async throws {
        let server = try LoopbackServer { _ in
            .raw(Data("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n".utf8) + Data(count: 3_000_000))
        }
        await #expect(throws: TransportError.tooLarge) {
            try await transport.send(TransportRequest(url: server.url, maximumResponseBytes: 100_000))
        }
    }

    @Test func `a cancelled call ends at once`() async throws {
        let reached = ConditionSignal()
        let isReached = Locked(false)
        let server = try LoopbackServer { _ in
            isReached.withLock { $0 = true }
            reached.changed()
            return .silence
        }
        let call = Task { try await transport.send(TransportRequest(url: server.url)) }
        try await reached.until { isReached.withLock { $0 } }
        call.cancel()
        await #expect(throws: TransportError.cancelled) { try await call.value }
    }

    @Test(.timeLimit(.minutes(5)))
    func `a call of a task that is cancelled already ends too`() async throws {
        let server = try LoopbackServer { _ in .silence }
        for _ in 0..<100 {
            let call = Task {
                while !Task.isCancelled { await Task.yield() }
                return try await transport.send(TransportRequest(url: server.url))
            }
            call.cancel()
            await #expect(throws: TransportError.cancelled) { try await call.value }
        }
    }

    @Test func `a redirect to another origin is not followed`() async throws {
        let visits = Locked(0)
        let other = try LoopbackServer { _ in
            visits.withLock { $0 += 1 }
            return .answer(status: 200)
        }
        let location = other.url.absoluteString
        let server = try LoopbackServer { _ in .answer(status: 302, headers: ["Location": location]) }
        let response = try await transport.send(
            TransportRequest(url: server.url, headers: ["Authorization": "Bearer t"]))
        #expect(response.status == 302)
        #expect(visits.withLock { $0 } == 0)
    }

    @Test func `cookies are not kept`() async throws {
        let heads = Locked<[String]>([])
        let server = try LoopbackServer { request in
            heads.withLock { $0.append(request.head) }
            return .answer(status: 200, headers: ["Set-Cookie": "id=1"])
        }
        for _ in 0..<2 { _ = try await transport.send(TransportRequest(url: server.url)) }
        #expect(heads.withLock { $0 }.count == 2)
        #expect(heads.withLock { $0 }.allSatisfy { !$0.lowercased().contains("cookie") })
    }

    #if !canImport(Darwin)
        @Test func `pins and sockets are refused on Linux, and nothing is sent`() async throws {
            let visits = Locked(0)
            let server = try LoopbackServer { _ in
                visits.withLock { $0 += 1 }
                return .answer(status: 200)
            }
            let pins: Set = [CertificatePin(digest: Data(count: 32))]
            await #expect(throws: TransportError.unsupported("pins; use NIOTransport on Linux")) {
                try await transport.send(TransportRequest(url: server.url, pins: pins))
            }
            await #expect(throws: TransportError.unsupported("WebSockets; use NIOTransport on Linux")) {
                _ = try await transport.openSocket(TransportRequest(url: server.url))
            }
            #expect(visits.withLock { $0 } == 0)
        }
    #endif
}
