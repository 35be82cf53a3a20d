import Foundation
@_spi(Inlay) import InlayAds
@_spi(Inlay) import InlayCore
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
import Testing

/// An ad from the app's load to the exchange's ledger, with the real SDK and the real server.
@Suite struct AdJourneyTests {
    @Test(.timeLimit(.minutes(2)))
    func `an ad that is loaded, seen and tapped is one line for each event, and the report is the ledger`()
        async throws
    {
        try await RunningServer.with { server in
            let fixture = try await AdExchangeFixture.make(on: server)
            let app = try await RunningApp.launch(at: server, user: "maya", folder: try TemporaryFolder())
            let browser = NotedBrowser()
            let place = try fixture.place(in: app, browser)
            try await place.load()
            let loaded = ContinuousClock.now
            try place.show()
            let show = try #require(place.current)
            for _ in 0..<3 { await show.rendered() }
            // Nobody reacts sooner, and the exchange, which counts from its answer, knows it.
            try await eventually { ContinuousClock.now - loaded > .milliseconds(250) }
            for _ in 0..<2 {
                show.touched()
                #expect(await show.tapped("https://ferries.example/tickets") == .opened)
            }
            #expect(await show.close())
            #expect(browser.opened.count == 2)
            try await eventually { try await fixture.ledger().count >= 3 }
            #expect(try await fixture.ledger() == ["view 2500000", "click 0", "close 0"])
            #expect(try await fixture.refused().isEmpty)
            try await eventually { try await fixture.report().requests == 1 }
            let report = try await fixture.report()
            #expect((report.fills, report.impressions, report.clicks) == (1, 1, 1))
            #expect(report.revenueNanos == 2_500_000)
        }
    }

    @Test(.timeLimit(.minutes(2)))
    func `an ad that was loaded and never seen costs nothing, one that was seen costs its price`()
        async throws
    {
        try await RunningServer.with { server in
            let fixture = try await AdExchangeFixture.make(on: server)
            let app = try await RunningApp.launch(at: server, user: "maya", folder: try TemporaryFolder())
            let place = try fixture.place(in: app)
            try await place.load()
            place.destroy()
            try await place.load()
            try place.show()
            await place.current?.failed(.notDrawn("nothing came"))
            try await place.load()
            try place.show()
            await place.current?.rendered()
            // Trackers keep their order: what the first two had to say was said before this.
            try await eventually { try await fixture.ledger().count >= 2 }
            #expect(try await fixture.ledger() == ["error 0", "view 2500000"])
            try await eventually { try await fixture.report().requests == 3 }
            let report = try await fixture.report()
            #expect((report.fills, report.impressions, report.revenueNanos) == (3, 1, 2_500_000))
        }
    }

    @Test(.timeLimit(.minutes(2)), arguments: TrackersLost.LostMessage.allCases)
    func `a view whose app is killed before it is acknowledged is one line after the next start`(
        _ lost: TrackersLost.LostMessage
    ) async throws {
        try await RunningServer.with { server in
            let fixture = try await AdExchangeFixture.make(on: server)
            let folder = try TemporaryFolder()
            try await showAndDie(fixture, server, folder, lost)
            #expect(try await fixture.ledger() == (lost == .there ? [] : ["view 2500000"]))
            let again = try await RunningApp.launch(at: server, user: "maya", folder: folder)
            let place = try fixture.place(in: again)
            try await eventually { try await fixture.ledger() == ["view 2500000"] }
            if lost == .back { try await eventually { try await fixture.refused() == ["copy"] } }
            // The next ad of the same place is another impression, behind the one that was waiting.
            try await place.load()
            try place.show()
            await place.current?.rendered()
            try await eventually { try await fixture.ledger().count >= 2 }
            #expect(try await fixture.ledger() == ["view 2500000", "view 2500000"])
            try await eventually { try await fixture.report().requests == 2 }
            let report = try await fixture.report()
            #expect((report.impressions, report.revenueNanos) == (2, 5_000_000))
        }
    }

    /// An app that shows an ad, tries to say so, and is gone before it knows that it was heard.
    private func showAndDie(
        _ fixture: AdExchangeFixture, _ server: RunningServer, _ folder: TemporaryFolder,
        _ lost: TrackersLost.LostMessage
    ) async throws {
        let transport = try TrackersLost(lost)
        let app = try await RunningApp.launch(
            at: server, user: "maya", folder: folder, transport: transport)
        let place = try fixture.place(in: app)
        try await place.load()
        try place.show()
        await place.current?.rendered()
        try await eventually { await transport.losses.count > 0 }
    }
}
