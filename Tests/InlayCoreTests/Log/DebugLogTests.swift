import Foundation
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
import Testing

@_spi(Inlay) @testable import InlayCore

@Suite struct DebugLogTests {
    let lines = LogLines()
    let fixture: SessionFixture

    init() throws {
        fixture = try SessionFixture()
        fixture.server.always("/v1/secret-free", .status(200))
    }

    /// Returns the lines that a session logs at a level while it calls the API and gets an unknown message.
    func log(level: Int?) async throws -> [String] {
        fixture.server.alwaysSocket(.accept)
        let session = try await fixture.session { [lines] in $0.logger = lines.logger }
        if let level { session.setDebugLevel(level) }
        _ = try await session.api.post("/v1/secret-free", body: Data(#"{"password":"body-secret"}"#.utf8))
        let signals = StreamRecorder(await session.live.subscribe(topic: "cards/main", pollEvery: nil))
        let socket = try await fixture.server.untilSocket()
        socket.push(text: #"{"type":"future","secret":"message-secret"}"#)
        socket.push(.changed(topic: "cards/main", version: 1))
        try await signals.until { $0 == .changed(version: 1) }
        return lines.all
    }

    @Test(arguments: [nil, 0, -3]) func `the log is empty unless the app sets a level`(level: Int?)
        async throws
    {
        #expect(try await log(level: level).isEmpty)
    }

    @Test func `level 1 logs operations without their details`() async throws {
        let lines = try await log(level: 1)
        #expect(lines.contains("info: POST /v1/secret-free"))
        #expect(lines.allSatisfy { $0.hasPrefix("info: ") })
    }

    @Test func `level 2 adds the details`() async throws {
        let lines = try await log(level: 2)
        #expect(lines.contains("info: POST /v1/secret-free"))
        #expect(lines.contains("debug: POST /v1/secret-free: 200, 0 bytes"))
        #expect(!lines.contains { $0.hasPrefix("trace: ") })
    }

    @Test(arguments: [3, 99]) func `level 3 logs everything, and never a secret`(level: Int) async throws {
        let lines = try await log(level: level)
        #expect(Set(lines.map { $0.prefix { $0 != ":" } }) == ["info", "debug", "trace"])
        let all = lines.joined(separator: "\n")
        let token = try #require(fixture.server.requests.first?.headers["Authorization"]?.dropFirst(7))
        for secret in [String(token), "key-1", "body-secret", "message-secret", "user-1"] {
            #expect(!all.contains(secret))
        }
    }

    @Test func `the level can be lowered again`() async throws {
        let session = try await fixture.session { [lines] in $0.logger = lines.logger }
        session.setDebugLevel(2)
        _ = try await session.api.get("/v1/secret-free")
        let count = lines.all.count
        session.setDebugLevel(0)
        _ = try await session.api.get("/v1/secret-free")
        #expect(count > 0)
        #expect(lines.all.count == count)
    }
}
