import Foundation
@_spi(Inlay) import InlayCore
import InlayHubTesting
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayTrust
@_spi(Inlay) import InlayWire
import Testing
@_spi(Inlay) @testable import InlayHub

@Suite struct PolicyTests {
    private func disabling(_ version: Int64, policy: Int64, reason: String? = "Under review") -> TestSource {
        var source = TestSource.harbor(version, policy: policy)
        source.policy.isDisabled = true
        source.policy.disabledReason = reason
        return source
    }

    @Test func `a signed disabling policy removes the hub at once, with the publisher's reason`() async throws
    {
        let fixture = try await HubFixture.ready()
        let shown = try fixture.hub.present()
        try fixture.publish(disabling(2, policy: 2))
        await #expect(throws: HubError.disabled(reason: "Under review")) { try await fixture.hub.update() }
        #expect(fixture.hub.state.isDisabled && fixture.hub.state.disabledReason == "Under review")
        #expect(!fixture.hub.state.isDisplaying && !shown.state.isDisplayed && shown.content == nil)
        #expect(shown.state.status == .failed(.disabled(reason: "Under review")))
        let refused = HubError.disabled(reason: "Under review")
        #expect(throws: refused) { try fixture.hub.present() }
        #expect(throws: refused) { try fixture.hub.present(tags: ["sea"]) }
        #expect(throws: refused) { try fixture.hub.present(uri: "hub:hub/sea") }
        #expect(throws: refused) { try fixture.hub.present(as: .nested) }
        #expect(throws: refused) { try fixture.hub.present(again: shown) }
        #expect(throws: refused) { try fixture.hub.content }
        try await fixture.events.until { if case .disabledChanged(true) = $0 { true } else { false } }
    }

    @Test(.timeLimit(.minutes(5)))
    func `a disabled session sends no more content requests, also when the policy is lifted`() async throws {
        let fixture = try await HubFixture.ready()
        try fixture.publish(disabling(2, policy: 2))
        await #expect(throws: HubError.self) { try await fixture.hub.update() }
        try fixture.publish(.harbor(3, policy: 3))
        let before = fixture.contentRequests.count
        await #expect(throws: HubError.self) { try await fixture.hub.update() }
        // A second follower beside the session's. It polls at the same time and returns when it has handled the poll.
        async let following: Void = fixture.hub.engine.source.follow()
        let poll = fixture.clock.now() + .seconds(900)
        try await eventually { fixture.clock.sleepers.count { $0 == poll } == 2 }
        fixture.clock.advance(by: .seconds(900))
        try await following
        #expect(fixture.contentRequests.count == before && fixture.hub.state.isDisabled)
        #expect(throws: HubError.disabled(reason: "Under review")) { try fixture.hub.present() }
    }

    @Test func `a newer policy that enables the hub applies in the next session`() async throws {
        let fixture = try await HubFixture.ready()
        try fixture.publish(disabling(2, policy: 2))
        await #expect(throws: HubError.self) { try await fixture.hub.update() }
        try fixture.publisher.publish(.harbor(3, policy: 3))
        let again = try await fixture.restarted()
        fixture.publisher.serve(on: again.server)
        try again.start()
        try await again.untilVersion(3)
        #expect(!again.hub.state.isDisabled)
        #expect(try again.hub.present().page == HubReference(.hub, "sea"))
    }

    @Test func `offline, the last signed policy holds in the next session`() async throws {
        let fixture = try await HubFixture.ready()
        try fixture.publish(disabling(2, policy: 2))
        await #expect(throws: HubError.self) { try await fixture.hub.update() }
        let offline = try await fixture.restarted()
        try offline.start()
        #expect(offline.hub.state.isDisabled)
        #expect(throws: HubError.disabled(reason: "Under review")) { try offline.hub.present() }
        // The server's newest policy still disables the hub.
        let online = try await offline.restarted()
        fixture.publisher.serve(on: online.server)
        try online.start()
        await #expect(throws: HubError.self) { try await online.hub.update() }
        #expect(online.hub.state.isDisabled)
    }

    @Test func `of policies that come together the newest one is stored`() throws {
        for _ in 0..<20 {
            let folder = try TemporaryFolder()
            let database = HubDatabase(folder.url.appendingPathComponent("hub.sqlite"))
            let policies = try HubPolicies(database, source: "main")
            let (begun, mayWrite, ended) = (
                DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
            )
            // The database is busy until all policies have come.
            Thread.detachNewThread {
                try? database.write { _ in
                    begun.signal()
                    mayWrite.wait()
                }
                ended.signal()
            }
            begun.wait()
            for version: Int64 in (1...8).reversed() {
                let data = try JSONEncoder().encode(HubPolicy(version: version))
                Thread.detachNewThread {
                    begun.signal()
                    // A policy that comes after a newer one is refused.
                    try? policies.accept(data)
                    ended.signal()
                }
                begun.wait()
            }
            mayWrite.signal()
            for _ in 0...8 { ended.wait() }
            #expect(policies.current?.version == 8)
            #expect(try HubPolicies(database, source: "main").current?.version == 8)
        }
    }

    @Test func `an older policy is refused as a rollback, also when it is validly signed`() async throws {
        var strict = TestSource.harbor(1, policy: 5)
        strict.policy.recalledArticles = ["herring"]
        let fixture = try await HubFixture.ready(strict)
        try fixture.publish(.harbor(2, policy: 4))
        await #expect {
            try await fixture.hub.update()
        } throws: { error in
            guard let refusal = (error as? HubError)?.trustError else { return false }
            return refusal.threat == .rollback && refusal.file == HubPolicy.target
        }
        #expect(fixture.hub.state.version == 1)
        #expect(throws: HubError.recalled("herring")) { try fixture.hub.present(uri: "hub:article/herring") }
    }

    @Test func `a policy disables only the app of its source`() async throws {
        let server = ScriptedTransport()
        let other = try await HubFixture.make(server: server, publisher: try TestPublisher(source: "forest"))
        let fixture = try await HubFixture.make(server: server)
        try fixture.publish(disabling(1, policy: 1))
        try other.publish(TestSource(source: "forest", hubs: [HubPage(id: "wood", title: "Wood")]))
        try fixture.start()
        try other.start()
        try await fixture.until { $0.isDisabled }
        try await other.untilVersion(1)
        #expect(!other.hub.state.isDisabled)
        #expect(throws: HubError.self) { try fixture.hub.present() }
        _ = try other.hub.present()
    }

    @Test func `a recalled article is gone from lists, addresses, files and the screen`() async throws {
        let fixture = try await HubFixture.ready()
        let shown = try fixture.hub.present()
        try shown.open(HubReference(.channel, "fish"))
        try shown.open(HubReference(.article, "herring"))
        var source = TestSource.harbor(2, policy: 2)
        source.policy.recalledArticles = ["herring"]
        try fixture.publish(source)
        try await fixture.hub.update()
        #expect(shown.page == HubReference(.channel, "fish"))
        #expect(throws: HubError.recalled("herring")) { try shown.open(HubReference(.article, "herring")) }
        for name in ["index.html", "\u{301}.html"] {
            #expect(throws: HubError.recalled("herring")) { try shown.file("articles/herring/" + name) }
        }
        #expect(shown.articles(of: try #require(shown.content?.channel("fish"))).isEmpty)
        #expect(shown.follow("hub:article/herring") == .refuse)
    }

    @Test func `a recall holds even when the rest of the update fails`() async throws {
        let fixture = try await HubFixture.ready()
        var source = TestSource.harbor(2, policy: 2)
        source.policy.recalledArticles = ["herring"]
        try fixture.publish(source)
        fixture.server.always(fixture.publisher.path(of: HubIndex.target), .failure(.cut("by the test")))
        await #expect(throws: HubError.self) { try await fixture.hub.update() }
        #expect(fixture.hub.state.version == 1)
        #expect(throws: HubError.recalled("herring")) { try fixture.hub.present(uri: "hub:article/herring") }
        let offline = try await fixture.restarted()
        try offline.start()
        #expect(throws: HubError.recalled("herring")) { try offline.hub.present(uri: "hub:article/herring") }
    }

    @Test func `a policy that cannot be read is refused, and content without a policy is fine`() async throws
    {
        let fixture = try await HubFixture.ready()
        var files = try TestSource.harbor(2).targets()
        files[HubPolicy.target] = Data(#"{"version":2,"recalledArticles":"all"}"#.utf8)
        try fixture.publisher.publish(files: files)
        fixture.publisher.serve(on: fixture.server)
        await #expect(throws: HubError.self) { try await fixture.hub.update() }
        #expect(fixture.hub.state.version == 1)
        let free = try await HubFixture.make()
        files = try TestSource.harbor(1).targets()
        files[HubPolicy.target] = nil
        try free.publisher.publish(files: files)
        free.publisher.serve(on: free.server)
        try free.start()
        try await free.untilVersion(1)
    }
}
