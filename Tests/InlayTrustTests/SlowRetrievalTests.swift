import Foundation
@_spi(Inlay) import InlayCore
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayTrust
@_spi(Inlay) import InlayWire
import Testing

/// Responses that arrive too slowly, on a manual clock.
@Suite(.timeLimit(.minutes(5))) struct SlowRetrievalTests {
    @Test func `a response without bytes is cut off after one window`() async throws {
        let world = try World()
        world.server.answer("timestamp.json", .stalled(after: Data()))
        let client = try world.client()
        async let threat = world.threat { try await client.refresh() }
        try await world.clock.untilSleeping(2)
        world.clock.advance(by: .seconds(15))
        #expect(await threat == .slowRetrieval)
        #expect(world.clock.now() == .start + .seconds(15))
    }

    @Test func `a response of one byte per second is cut off after one window`() async throws {
        let world = try World()
        world.server.answer("timestamp.json", .dripping(1))
        let client = try world.client()
        async let threat = world.threat { try await client.refresh() }
        for _ in 0..<15 {
            try await world.clock.untilSleeping(2)
            world.clock.advance(by: .seconds(1))
        }
        #expect(await threat == .slowRetrieval)
        #expect(world.clock.now() == .start + .seconds(15))
    }

    @Test func `a fast beginning does not extend the time of a stalled response`() async throws {
        let world = try World()
        world.server.answer("timestamp.json", .stalled(after: Data(count: 10_000)))
        let client = try world.client()
        async let threat = world.threat { try await client.refresh() }
        try await world.clock.untilSleeping(2)
        world.clock.advance(by: .seconds(15))
        try await world.clock.untilSleeping(for: .seconds(15))
        world.clock.advance(by: .seconds(15))
        #expect(await threat == .slowRetrieval)
    }

    @Test func `a response that is fast enough is cut off at the deadline`() async throws {
        var world = try World()
        world.limits.minimumBytesPerSecond = 1
        world.limits.slowWindow = .seconds(5)
        world.limits.metadataDeadline = .seconds(12)
        let worldCopy = world
        worldCopy.server.answer("timestamp.json", .dripping(3))
        let client = try worldCopy.client()
        async let threat = worldCopy.threat { try await client.refresh() }
        for _ in 0..<12 {
            try await world.clock.untilSleeping(2)
            world.clock.advance(by: .seconds(1))
        }
        #expect(await threat == .slowRetrieval)
        #expect(world.clock.now() == .start + .seconds(12))
    }

    @Test func `a slow file is cut off, and no part of it stays`() async throws {
        var world = try World()
        try world.publish(["a": "some text"])
        let worldCopy = world
        let client = try world.client()
        let target = try await client.target("a")
        world.server.answerTarget(target.publishedPath(consistent: true), .stalled(after: Data("some".utf8)))
        let folder = try TemporaryFolder()
        async let threat = worldCopy.threat {
            try await client.download(target, to: folder.url.appendingPathComponent("a"))
        }
        try await world.clock.untilSleeping(2)
        world.clock.advance(by: .seconds(15))
        #expect(await threat == .slowRetrieval)
        #expect(folder.names == [])
    }

    @Test func `a caller that stops waiting ends the download`() async throws {
        let world = try World()
        world.server.answer("timestamp.json", .stalled(after: Data()))
        let client = try world.client()
        // Ended by the cancel below.
        let task = Task { await world.threat { try await client.refresh() } }
        try await world.clock.untilSleeping(2)
        task.cancel()
        #expect(await task.value == .cancelled)
        #expect(world.clock.sleepers.isEmpty)
    }
}
