import Foundation
@_spi(Inlay) import InlayCore
import InlayHubTesting
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayTrust
@_spi(Inlay) import InlayWire
import Testing
@_spi(Inlay) @testable import InlayHub

@Suite struct StateTests {
    /// The names of the events so far.
    private func names(_ fixture: HubFixture) -> [String] {
        fixture.events.elements.map { event in
            switch event {
            case .readyChanged(let value): "ready \(value)"
            case .downloadingChanged(let value): "downloading \(value)"
            case .displayingChanged(let value): "displaying \(value)"
            case .disabledChanged(let value): "disabled \(value)"
            case .progress(let value): "progress \(Int(value))"
            case .contentChanged(let item): "\(item.kind.rawValue) \(item.reference.id)"
            case .activated(let version): "version \(version)"
            case .freshnessChanged: "freshness"
            case .updateFailed: "failed"
            case .closeRequested: "close"
            case .appLink(let address): "app \(address)"
            case .openExternal(let address): "open \(address)"
            }
        }
    }

    @Test func `downloading is true while metadata is fetched, and false when nothing is new`() async throws {
        let fixture = try await HubFixture.ready()
        let path = fixture.publisher.metadataPath("timestamp.json")
        fixture.server.hold(path)
        async let update: HubContent = fixture.hub.update()
        try await fixture.server.untilHeld(path)
        #expect(fixture.hub.state.isDownloading && fixture.hub.state.isReady)
        fixture.server.release(path)
        _ = try await update
        #expect(!fixture.hub.state.isDownloading)
    }

    @Test func `downloading is true while content is fetched, and false after it came or failed`()
        async throws
    {
        let fixture = try await HubFixture.ready()
        try fixture.publish(.harbor(2))
        let path = fixture.publisher.path(of: "articles/herring/index.html")
        fixture.server.hold(path)
        let update = fixture.session.work.start { try? await fixture.hub.update() }
        try await fixture.server.untilHeld(path)
        #expect(fixture.hub.state.isDownloading)
        fixture.server.release(path)
        _ = await update.value
        #expect(!fixture.hub.state.isDownloading && fixture.hub.state.version == 2)
        fixture.server.always(
            fixture.publisher.metadataPath("timestamp.json"), .failure(.unreachable("offline")))
        await #expect(throws: HubError.self) { try await fixture.hub.update() }
        #expect(!fixture.hub.state.isDownloading)
    }

    @Test func `ready, downloading and displaying can be true together, and the shown version stays`()
        async throws
    {
        let fixture = try await HubFixture.ready()
        let shown = try fixture.hub.present()
        try fixture.publish(.harbor(2))
        let path = fixture.publisher.path(of: "articles/herring/index.html")
        fixture.server.hold(path)
        let update = fixture.session.work.start { try? await fixture.hub.update() }
        try await fixture.server.untilHeld(path)
        let state = fixture.hub.state
        #expect(state.isReady && state.isDownloading && state.isDisplaying)
        #expect(shown.state.status == .content(HubReference(.hub, "sea")))
        fixture.server.release(path)
        _ = await update.value
        #expect(shown.content?.version == 1)
    }

    @Test func `each change of a state is reported once, with the new value already set`() async throws {
        let fixture = try await HubFixture.ready()
        try await fixture.events.until { if case .downloadingChanged(false) = $0 { true } else { false } }
        #expect(
            names(fixture).filter { $0.hasPrefix("downloading") } == [
                "downloading true", "downloading false",
            ])
        #expect(names(fixture).filter { $0.hasPrefix("ready") } == ["ready true"])
        let shown = try fixture.hub.present()
        #expect(fixture.hub.state.isDisplaying)
        try shown.dismiss()
        #expect(!fixture.hub.state.isDisplaying)
        try fixture.publish(.harbor(2))
        try await fixture.hub.update()
        try await fixture.events.until { if case .activated(2) = $0 { true } else { false } }
        try await fixture.events.until { _ in names(fixture).filter { $0.hasPrefix("downloading") }.count == 4
        }
        #expect(names(fixture).filter { $0.hasPrefix("ready") } == ["ready true"])
        #expect(
            names(fixture).filter { $0.hasPrefix("displaying") } == ["displaying true", "displaying false"])
    }

    @Test func `progress rises by whole percents from 0 to 100, by the signed lengths`() async throws {
        var source = TestSource.harbor(1)
        source.index.files = ["assets/film.mp4"]
        source.files["assets/film.mp4"] = Data(repeating: 7, count: 10 << 20)
        let fixture = try await HubFixture.ready(source)
        try await fixture.events.until { if case .progress(100) = $0 { true } else { false } }
        let percents = fixture.events.elements.compactMap { event -> Double? in
            guard case .progress(let percent) = event else { return nil }
            return percent
        }
        #expect(percents.first == 0 && percents.last == 100 && percents.count > 5)
        #expect(percents == percents.sorted() && Set(percents).count == percents.count)
        #expect(percents.allSatisfy { (0...100).contains($0) })
        #expect(fixture.hub.state.progress == nil)
    }

    @Test func `expired content has the time of its expiry, and renewed metadata makes it fresh`()
        async throws
    {
        let fixture = try await HubFixture.ready()
        let expires = HubFixture.noon + .seconds(7 * 86_400)
        fixture.server.always(
            fixture.publisher.metadataPath("timestamp.json"), .failure(.unreachable("offline")))
        try await fixture.clock.untilSleeping(for: .seconds(7 * 86_400))
        try await fixture.clock.untilSleeping(for: .seconds(900))
        fixture.clock.advance(by: .seconds(7 * 86_400))
        try await fixture.until { $0.freshness == .stale(since: expires) }
        // Wait until the poll has failed: an update that starts during the poll would receive its error.
        try await fixture.events.until { if case .updateFailed = $0 { true } else { false } }
        #expect(fixture.hub.state.isReady)
        #expect(try fixture.hub.content.version == 1)
        try fixture.publisher.renew(now: fixture.clock.now())
        fixture.publisher.serve(on: fixture.server)
        try await fixture.hub.update()
        #expect(fixture.hub.state.freshness == .fresh)
    }

    @Test func `content becomes ready and fresh before the download ends`() async throws {
        let fixture = try await HubFixture.ready()
        try await fixture.events.until { if case .downloadingChanged(false) = $0 { true } else { false } }
        let steps = names(fixture).filter { !$0.hasPrefix("progress") }
        #expect(
            steps.starts(with: [
                "downloading true", "version 1", "ready true", "freshness", "downloading false",
            ]))
    }

    @Test func `expired content is stale at once after a restart, and fresh after renewed metadata`()
        async throws
    {
        let fixture = try await HubFixture.ready()
        let expires = HubFixture.noon + .seconds(7 * 86_400)
        let again = try await fixture.restarted(clock: ManualClock(at: expires))
        try again.publisher.renew(now: expires)
        again.publisher.serve(on: again.server)
        let path = again.publisher.metadataPath("timestamp.json")
        again.server.hold(path)
        try again.start()
        #expect(again.hub.state.isReady && again.hub.state.freshness == .stale(since: expires))
        again.server.release(path)
        try await again.events.until { if case .downloadingChanged(false) = $0 { true } else { false } }
        #expect(names(again).suffix(2) == ["freshness", "downloading false"])
        #expect(again.hub.state.freshness == .fresh)
    }

    @Test func `one timer waits for the expiry, regardless of the number of updates`() async throws {
        let fixture = try await HubFixture.ready()
        for _ in 0..<5 { try await fixture.hub.update() }
        try await fixture.clock.untilSleeping(for: .seconds(7 * 86_400))
        let expires = HubFixture.noon + .seconds(7 * 86_400)
        try await eventually { fixture.clock.sleepers.count { $0 == expires } == 1 }
    }

    @Test func `a clock that was set back does not make old content fresh`() async throws {
        let fixture = try await HubFixture.ready()
        fixture.clock.set(to: HubFixture.noon + .seconds(6 * 86_400))
        try await fixture.hub.update()
        for jump in [Duration.seconds(-10 * 365 * 86_400), .seconds(10 * 365 * 86_400)] {
            let clock = ManualClock(at: HubFixture.noon + jump)
            let again = try await fixture.restarted(clock: clock)
            try again.start()
            // Without a server, the true time is unknown.
            await #expect(throws: HubError.self) { try await again.hub.update() }
            if jump < .zero {
                #expect(again.hub.state.freshness == .fresh)
                #expect(again.engineTime >= HubFixture.noon + .seconds(6 * 86_400))
            } else {
                #expect(again.hub.state.freshness == .stale(since: HubFixture.noon + .seconds(7 * 86_400)))
            }
        }
    }

    @Test func `the trusted time is never before the app's build`() async throws {
        let fixture = try await HubFixture.make()
        try fixture.start { $0.builtAt = HubFixture.noon + .seconds(3600) }
        #expect(fixture.engineTime == HubFixture.noon + .seconds(3600))
    }

    @Test func `a policy can hide content that is stale for too long`() async throws {
        var source = TestSource.harbor(1)
        source.policy.staleness = HubStaleness(action: .block, afterSeconds: 3600)
        let fixture = try await HubFixture.ready(source)
        fixture.server.always(
            fixture.publisher.metadataPath("timestamp.json"), .failure(.unreachable("offline")))
        fixture.clock.set(to: HubFixture.noon + .seconds(7 * 86_400 + 3599))
        #expect(try fixture.hub.content.version == 1)
        fixture.clock.set(to: HubFixture.noon + .seconds(7 * 86_400 + 3600))
        #expect(throws: HubError.stale) { try fixture.hub.content }
        let shown = try fixture.hub.present()
        await #expect(throws: HubError.stale) { try await shown.shown() }
    }
}

extension HubFixture {
    /// The current time as the hub trusts it.
    var engineTime: Timestamp { (try? hub.engine.source.context.time.now()) ?? Timestamp(microseconds: 0) }
}
