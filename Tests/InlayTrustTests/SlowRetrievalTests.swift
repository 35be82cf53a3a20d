import Foundation
@_spi(Inlay) import InlayCore
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayTrust
@_spi(Inlay) import InlayWire
import Testing

/// Responses that arrive too slowly, on a manual clock.
@Suite(.timeLimit(.minutes(5))) struct SlowRetrievalTests {
    @Test func `a response without bytes is cut off after one window`() async throws {
        let fixture = try TrustFixture()
        fixture.server.answer("timestamp.json", .stalled(after: Data()))
        let client = try fixture.client()
        async let threat = fixture.threat { try await client.refresh() }
        try await fixture.clock.untilSleeping(2)
        fixture.clock.advance(by: .seconds(15))
        #expect(await threat == .slowRetrieval)
        #expect(fixture.clock.now() == .start + .seconds(15))
    }

    @Test func `a response of one byte per second is cut off after one window`() async throws {
        let fixture = try TrustFixture()
        fixture.server.answer("timestamp.json", .dripping(1))
        let client = try fixture.client()
        async let threat = fixture.threat { try await client.refresh() }
        for _ in 0..<15 {
            try await fixture.clock.untilSleeping(2)
            fixture.clock.advance(by: .seconds(1))
        }
        #expect(await threat == .slowRetrieval)
        #expect(fixture.clock.now() == .start + .seconds(15))
    }

    @Test func `a fast beginning does not extend the time of a stalled response`() async throws {
        let fixture = try TrustFixture()
        fixture.server.answer("timestamp.json", .stalled(after: Data(count: 10_000)))
        let client = try fixture.client()
        async let threat = fixture.threat { try await client.refresh() }
        try await fixture.clock.untilSleeping(2)
        fixture.clock.advance(by: .seconds(15))
        try await fixture.clock.untilSleeping(for: .seconds(15))
        fixture.clock.advance(by: .seconds(15))
        #expect(await threat == .slowRetrieval)
    }

    @Test func `a response that is fast enough is cut off at the deadline`() async throws {
        var fixture = try TrustFixture()
        fixture.limits.minimumBytesPerSecond = 1
        fixture.limits.slowWindow = .seconds(5)
        fixture.limits.metadataDeadline = .seconds(12)
        let fixtureCopy = fixture
        fixtureCopy.server.answer("timestamp.json", .dripping(3))
        let client = try fixtureCopy.client()
        async let threat = fixtureCopy.threat { try await client.refresh() }
        for _ in 0..<12 {
            try await fixture.clock.untilSleeping(2)
            fixture.clock.advance(by: .seconds(1))
        }
        #expect(await threat == .slowRetrieval)
        #expect(fixture.clock.now() == .start + .seconds(12))
    }

    @Test func `a slow file is cut off, and no part of it stays`() async throws {
        var fixture = try TrustFixture()
        try fixture.publish(["a": "some text"])
        let fixtureCopy = fixture
        let client = try fixture.client()
        let target = try await client.target("a")
        fixture.server.answerTarget(
            target.publishedPath(consistent: true), .stalled(after: Data("some".utf8)))
        let folder = try TemporaryFolder()
        async let threat = fixtureCopy.threat {
            try await client.download(target, to: folder.url.appendingPathComponent("a"))
        }
        try await fixture.clock.untilSleeping(2)
        fixture.clock.advance(by: .seconds(15))
        #expect(await threat == .slowRetrieval)
        #expect(folder.names == [])
    }

    @Test func `a caller that stops waiting ends the download`() async throws {
        let fixture = try TrustFixture()
        fixture.server.answer("timestamp.json", .stalled(after: Data()))
        let client = try fixture.client()
        // Ended by the cancel below.
        let task = Task { await fixture.threat { try await client.refresh() } }
        try await fixture.clock.untilSleeping(2)
        task.cancel()
        #expect(await task.value == .cancelled)
        #expect(fixture.clock.sleepers.isEmpty)
    }
}
