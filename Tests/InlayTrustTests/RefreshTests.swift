import Foundation
import InlayTesting
import InlayTrust
import Testing

@Suite struct RefreshTests {
    @Test func `a first refresh asks for root, timestamp, snapshot and targets in this order`() async throws {
        let world = try World()
        let trusted = try await world.client().refresh()
        #expect(
            world.server.requests == ["2.root.json", "timestamp.json", "1.snapshot.json", "1.targets.json"])
        #expect(trusted.targets.content.version == 1)
        #expect(trusted.expired(at: .start).isEmpty)
    }

    @Test func `a published file is found, downloaded and verified`() async throws {
        var world = try World(threshold: 2)
        try world.publish(["articles/a/index.html": "Hello"])
        let client = try world.client()
        let target = try await client.target("articles/a/index.html")
        #expect(try await client.data(of: target) == Data("Hello".utf8))
    }
}
