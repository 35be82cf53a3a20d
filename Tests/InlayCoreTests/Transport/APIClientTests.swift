import Foundation
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
import Testing

@_spi(Inlay) @testable import InlayCore

@Suite struct APIClientTests {
    let fixture: SessionFixture
    let path = "/v1/test"

    init() throws {
        fixture = try SessionFixture()
        fixture.server.always("/v1/test", .status(200))
    }

    @Test func `every request carries environment, key, SDK and client version to the base URL's host`()
        async throws
    {
        let session = try await fixture.session { $0.clientVersion = "Version 14.2 (14C18)" }
        _ = try await session.api.post(path, body: Data("{}".utf8))
        let request = try #require(fixture.server.requests.first)
        #expect(request.url.absoluteString == "https://inlay.example/v1/test")
        #expect(request.headers[InlayHeader.environment] == "env-1")
        #expect(request.headers[InlayHeader.apiKey] == "key-1")
        #expect(request.headers[InlayHeader.sdk]?.hasPrefix("inlay-swift/") == true)
        #expect(request.headers[InlayHeader.clientVersion] == "Version 14.2 (14C18)")
        #expect(request.headers["Content-Type"] == "application/json")
    }

    @Test(arguments: [
        ("https://h.example", "https://h.example/v1/a%2Fb"),
        ("https://h.example/", "https://h.example/v1/a%2Fb"),
        ("https://h.example:8443/inlay/", "https://h.example:8443/inlay/v1/a%2Fb"),
        ("http://h.example/p%20q?x=1#f", "http://h.example/p%20q/v1/a%2Fb?x=1"),
    ])
    func `a path goes below the base URL's own path`(base: String, whole: String) {
        #expect(APICall("GET", "/v1/a%2Fb").url(below: address(base))?.absoluteString == whole)
    }

    @Test func `an error of the API becomes an event with path, status and code`() async throws {
        let problem = Problem(.serverError, status: 500, title: "broken")
        fixture.server.always(path, try .problem(problem))
        let session = try await fixture.session()
        let events = StreamRecorder(session.events.observe())
        await #expect(throws: APIError(.refused(problem))) { try await session.api.get(path) }
        try await events.until { $0.name == .requestFailed }
        let event = try #require(events.elements.last)
        #expect(event.properties == ["path": "/v1/test", "status": 500, "code": "server-error"])
    }

    @Test(arguments: [TransportError.unreachable("offline"), .timedOut, .cut("half")])
    func `a network failure or time-out becomes no event`(failure: TransportError) async throws {
        fixture.server.next(path, .failure(failure), .status(500))
        let session = try await fixture.session()
        let events = StreamRecorder(session.events.observe())
        await #expect(throws: APIError(.network(failure))) { try await session.api.get(path) }
        // The next failure causes an event, so all earlier events have arrived.
        await #expect(throws: APIError.self) { try await session.api.get(path) }
        try await events.until { $0.name == .requestFailed }
        #expect(events.elements.map(\.name) == [.sdkInitialized, .requestFailed])
    }

    @Test func `an error without a problem document is distinguished from our server's`() async throws {
        fixture.server.always(path, .response(TransportResponse(status: 404, body: Data("<html>".utf8))))
        let session = try await fixture.session()
        await #expect { try await session.api.get(path) } throws: { error in
            guard case .refused(let problem) = (error as? APIError)?.kind else { return false }
            return problem.code == .foreignAnswer && problem.status == 404
        }
    }

    @Test func `304 is a response and not an error`() async throws {
        fixture.server.always(path, .status(304))
        let session = try await fixture.session()
        #expect(try await session.api.get(path).isNotModified)
    }

    @Test func `a body that cannot be decoded is an invalid response`() async throws {
        fixture.server.always(
            path, .response(TransportResponse(status: 200, body: Data(#"{"counts":"#.utf8))))
        let session = try await fixture.session()
        let response = try await session.api.get(path)
        #expect { try response.decoded(CardCounts.self) } throws: { error in
            guard case .invalidAnswer = (error as? APIError)?.kind else { return false }
            return true
        }
    }

    @Test func `the error has the Retry-After of the response`() async throws {
        fixture.server.always(path, .status(429, headers: ["Retry-After": "17"]))
        let session = try await fixture.session()
        await #expect { try await session.api.get(path) } throws: { error in
            (error as? APIError)?.retryAfter == .seconds(17)
        }
    }

    @Test func `the server's clock is learned, kept, and known to the next session`() async throws {
        let ahead = fixture.clock.now() + .seconds(3600)
        fixture.server.always(path, .status(200, headers: [InlayHeader.serverTime: "\(ahead.microseconds)"]))
        let session = try await fixture.session()
        _ = try await session.api.get(path)
        #expect(session.serverClock.now() == ahead)
        try await eventually { await session.device.clockOffset() == .seconds(3600) }
        let next = try await fixture.session()
        #expect(next.serverClock.now() == ahead)
    }

    @Test(arguments: ["", "soon", "99999999999999999999999"])
    func `an invalid server time is ignored`(text: String) async throws {
        fixture.server.always(path, .status(200, headers: [InlayHeader.serverTime: text]))
        let session = try await fixture.session()
        _ = try await session.api.get(path)
        #expect(session.serverClock.now() == fixture.clock.now())
    }
}
