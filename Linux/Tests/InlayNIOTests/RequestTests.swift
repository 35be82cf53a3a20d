import Foundation
@_spi(Inlay) import InlayCore
import InlayNIO
import InlayTesting
import Testing

/// Tests of requests to a real server. Pooled connections, and the single ones of requests with pins, must behave the
/// same.
@Suite(.timeLimit(.minutes(5))) struct RequestTests {
    enum ConnectionKind: CaseIterable, Sendable { case pooled, pinned }

    let authority: TestAuthority
    let transport: NIOTransport

    init() throws {
        authority = try TestAuthority()
        transport = try NIOTransport(trust: .only(authority.rootPEM))
    }

    private func start(_ behaviour: LoopbackServer.Behaviour) async throws -> LoopbackServer {
        try await LoopbackServer.start(tls: authority.serverTLS(), behaviour)
    }

    private func request(_ server: LoopbackServer, _ way: ConnectionKind, path: String = "/") throws
        -> TransportRequest
    {
        TransportRequest(
            url: server.url(path, scheme: "https"), timeout: .seconds(20),
            pins: way == .pinned ? [try authority.root.pin] : nil)
    }

    @Test(arguments: ConnectionKind.allCases)
    func `method, path, query, headers and body arrive as they were given`(way: ConnectionKind) async throws {
        let server = try await start(.echo)
        var request = try request(server, way, path: "/a%20b/c?x=1&y=%26")
        request.method = "PUT"
        request.body = Data("body".utf8)
        request.headers = ["X-Own": "1", "Content-Length": "9999", "Host": "elsewhere"]
        let answer = try await transport.send(request)
        #expect(String(decoding: answer.body, as: UTF8.self) == "PUT /a%20b/c?x=1&y=%26 body")
        #expect(answer.headers["x-twice"] == "a")
        let head = server.heads.withLockedValue { $0 }.first
        #expect(head?.headers["x-own"] == ["1"])
        #expect(head?.headers["content-length"] == ["4"])
        #expect(head?.headers["host"] == ["127.0.0.1:\(server.port)"])
    }

    @Test(arguments: ConnectionKind.allCases)
    func `an error status is an answer, not an error`(way: ConnectionKind) async throws {
        let server = try await start(.answer(status: 503, headers: ["Retry-After": "7"], body: "busy"))
        let answer = try await transport.send(request(server, way))
        #expect(answer.status == 503)
        #expect(answer.headers["retry-after"] == "7")
        #expect(answer.body == Data("busy".utf8))
    }

    @Test(arguments: ConnectionKind.allCases)
    func `a redirect is handed to the caller and not followed`(way: ConnectionKind) async throws {
        let other = try await start(.echo)
        let server = try await start(
            .answer(status: 302, headers: ["Location": other.url(scheme: "https").absoluteString]))
        let answer = try await transport.send(request(server, way))
        #expect(answer.status == 302)
        #expect(other.connections.withLockedValue { $0 } == 0)
    }

    @Test(arguments: ConnectionKind.allCases)
    func `an answer cut in its middle is no answer`(way: ConnectionKind) async throws {
        let server = try await start(.cutMidBody)
        let request = try request(server, way)
        let error = await failure { try await transport.send(request) }
        #expect(error?.isCut == true, "\(String(describing: error))")
    }

    @Test(arguments: ConnectionKind.allCases)
    func `a server that never answers costs the time-out and no more`(way: ConnectionKind) async throws {
        let server = try await start(.silence)
        var request = try request(server, way)
        request.timeout = .milliseconds(200)
        #expect(await failure { try await transport.send(request) } == .timedOut)
    }

    @Test(arguments: ConnectionKind.allCases)
    func `a body that stalls costs the time-out and no more`(way: ConnectionKind) async throws {
        let server = try await start(.stallMidBody)
        var request = try request(server, way)
        request.timeout = .milliseconds(300)
        #expect(await failure { try await transport.send(request) } == .timedOut)
    }

    @Test(arguments: ConnectionKind.allCases)
    func `a body over the limit is refused, announced or not`(way: ConnectionKind) async throws {
        let announced = try await start(.answer(status: 200, body: String(repeating: "x", count: 2000)))
        let flood = try await start(.flood(bytes: 2000))
        for server in [announced, flood] {
            var request = try request(server, way)
            request.maximumResponseBytes = 1999
            #expect(
                await failure { try await transport.send(request) } == .tooLarge)
            request.maximumResponseBytes = 2000
            #expect(try await transport.send(request).body.count == 2000)
        }
    }

    @Test(arguments: ConnectionKind.allCases)
    func `a cancelled caller gets the error at once`(way: ConnectionKind) async throws {
        let server = try await start(.silence)
        var request = try request(server, way)
        // Longer than the suite's limit, so that only the cancellation can end the request in time.
        request.timeout = .seconds(600)
        // The task ends by its cancellation below.
        let caller = Task { [request] in try await transport.send(request) }
        defer { caller.cancel() }
        try await eventually { server.heads.withLockedValue { $0.count } == 1 }
        caller.cancel()
        await #expect(throws: TransportError.cancelled) { try await caller.value }
    }

    @Test(arguments: ConnectionKind.allCases)
    func `fifty requests at once each get their own answer`(way: ConnectionKind) async throws {
        let server = try await start(.echo)
        let requests = try (0..<50).map { try request(server, way, path: "/\($0)") }
        let paths = try await withThrowingTaskGroup(of: (Int, String).self) { group in
            for (index, request) in requests.enumerated() {
                group.addTask {
                    (index, String(decoding: try await transport.send(request).body, as: UTF8.self))
                }
            }
            return try await group.reduce(into: [Int: String]()) { $0[$1.0] = $1.1 }
        }
        #expect(paths == Dictionary(uniqueKeysWithValues: (0..<50).map { ($0, "GET /\($0) ") }))
    }

    @Test func `requests without pins share a connection, requests with pins never do`() async throws {
        let server = try await start(.echo)
        for _ in 0..<5 { _ = try await transport.send(request(server, .pooled)) }
        #expect(server.connections.withLockedValue { $0 } == 1)
        for _ in 0..<2 { _ = try await transport.send(request(server, .pinned)) }
        #expect(server.connections.withLockedValue { $0 } == 3)
    }

    @Test(arguments: ConnectionKind.allCases)
    func `nobody listening, and a name that does not exist, are unreachable`(way: ConnectionKind) async throws
    {
        let server = try await start(.echo)
        let gone = try request(server, way)
        await server.stop()
        var nameless = gone
        nameless.url = try #require(URL(string: "https://no-such-host.invalid/"))
        for request in [gone, nameless] {
            let error = await failure { try await transport.send(request) }
            #expect(error?.isUnreachable == true, "\(request.url): \(String(describing: error))")
        }
    }

    @Test(arguments: [
        "ftp://127.0.0.1/", "https://user:secret@127.0.0.1/", "https:///path", "file:///etc/passwd",
    ])
    func `an address that is not plainly http is refused`(address: String) async throws {
        let url = try #require(URL(string: address))
        let error = await failure {
            try await transport.send(TransportRequest(url: url))
        }
        #expect(error?.isUnsupported == true, "\(String(describing: error))")
        #expect(!String(describing: error).contains("secret"))
    }

    @Test(arguments: [
        ["X-Own": "1\r\nX-Evil: 2"], ["X-Own: 1\r\nX-Evil": "2"], ["X-Own": "a\u{0}b"], ["": "x"],
    ])
    func `a line break in a header cannot smuggle another header`(headers: [String: String]) async throws {
        let server = try await start(.echo)
        for way in ConnectionKind.allCases {
            var request = try request(server, way)
            request.headers = headers
            #expect(await failure { try await transport.send(request) }?.isUnsupported == true)
            #expect(await failure { try await transport.openSocket(request) }?.isUnsupported == true)
        }
        #expect(server.connections.withLockedValue { $0 } == 0)
    }

    @Test(arguments: ConnectionKind.allCases)
    func `a method cannot smuggle another request`(way: ConnectionKind) async throws {
        let server = try await start(.echo)
        var request = try request(server, way)
        request.method = "GET /other HTTP/1.1\r\nHost: x\r\n\r\nGET"
        #expect(await failure { try await transport.send(request) }?.isUnsupported == true)
        #expect(server.connections.withLockedValue { $0 } == 0)
    }
}
