import Foundation
@_spi(Inlay) import InlayAds
@_spi(Inlay) import InlayCore
import InlayServerCore
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
import NIOConcurrencyHelpers
import Testing

/// An ad from the app's load to the exchange's ledger, with the real SDK and the real server.
@Suite struct AdJourneyTests {
    @Test(.timeLimit(.minutes(5)))
    func `an ad that is loaded, seen and tapped is one line for each event, and the report is the ledger`()
        async throws
    {
        let offset = NIOLockedValueBox(Duration.zero)
        try await RunningServer.with(now: { Timestamp.now() + offset.withLockedValue { $0 } }) { server in
            let fixture = try await AdExchangeFixture.make(on: server)
            let app = try await RunningApp.launch(at: server, user: "maya", folder: try TemporaryFolder())
            let links = RecordingLinkOpener()
            let placement = try fixture.placement(in: app, links)
            try await placement.load()
            try placement.show()
            let show = try #require(placement.current)
            for _ in 0..<3 { await show.rendered() }
            // The exchange refuses a click that comes sooner after its answer than a person can react.
            offset.withLockedValue { $0 = .seconds(1) }
            for _ in 0..<2 {
                show.touched()
                #expect(await show.tapped("https://ferries.example/tickets") == .opened)
            }
            #expect(await show.close())
            #expect(links.opened.count == 2)
            try await eventually { try await fixture.ledger().count >= 3 }
            #expect(try await fixture.ledger() == ["view 2500000", "click 0", "close 0"])
            #expect(try await fixture.refused().isEmpty)
            try await eventually { try await fixture.report().requests == 1 }
            let report = try await fixture.report()
            #expect((report.fills, report.impressions, report.clicks) == (1, 1, 1))
            #expect(report.revenueNanos == 2_500_000)
        }
    }

    @Test(.timeLimit(.minutes(5)))
    func `an ad that was loaded and never seen costs nothing, one that was seen costs its price`()
        async throws
    {
        try await RunningServer.with { server in
            let fixture = try await AdExchangeFixture.make(on: server)
            let app = try await RunningApp.launch(at: server, user: "maya", folder: try TemporaryFolder())
            let placement = try fixture.placement(in: app)
            try await placement.load()
            placement.destroy()
            try await placement.load()
            try placement.show()
            await placement.current?.failed(.notDrawn("nothing came"))
            try await placement.load()
            try placement.show()
            await placement.current?.rendered()
            // Trackers keep their order, so those of the first two ads have arrived before this one.
            try await eventually { try await fixture.ledger().count >= 2 }
            #expect(try await fixture.ledger() == ["error 0", "view 2500000"])
            try await eventually { try await fixture.report().requests == 3 }
            let report = try await fixture.report()
            #expect((report.fills, report.impressions, report.revenueNanos) == (3, 1, 2_500_000))
        }
    }

    @Test(.timeLimit(.minutes(5)), arguments: TrackerLossTransport.LostMessage.allCases)
    func `a view whose app is killed before it is acknowledged is one line after the next start`(
        _ lost: TrackerLossTransport.LostMessage
    ) async throws {
        try await RunningServer.with { server in
            let fixture = try await AdExchangeFixture.make(on: server)
            let folder = try TemporaryFolder()
            try await showAndDie(fixture, server, folder, lost)
            #expect(try await fixture.ledger() == (lost == .request ? [] : ["view 2500000"]))
            let again = try await RunningApp.launch(at: server, user: "maya", folder: folder)
            let placement = try fixture.placement(in: again)
            try await eventually { try await fixture.ledger() == ["view 2500000"] }
            if lost == .answer { try await eventually { try await fixture.refused() == ["copy"] } }
            // The placement's next ad is another impression, whose tracker is sent after the waiting one.
            try await placement.load()
            try placement.show()
            await placement.current?.rendered()
            try await eventually { try await fixture.ledger().count >= 2 }
            #expect(try await fixture.ledger() == ["view 2500000", "view 2500000"])
            try await eventually { try await fixture.report().requests == 2 }
            let report = try await fixture.report()
            #expect((report.impressions, report.revenueNanos) == (2, 5_000_000))
        }
    }

    /// Runs an app that shows an ad and ends after it sent the view's tracker, before it has the answer.
    private func showAndDie(
        _ fixture: AdExchangeFixture, _ server: RunningServer, _ folder: TemporaryFolder,
        _ lost: TrackerLossTransport.LostMessage
    ) async throws {
        let transport = try TrackerLossTransport(lost)
        let app = try await RunningApp.launch(
            at: server, user: "maya", folder: folder, transport: transport)
        let placement = try fixture.placement(in: app)
        try await placement.load()
        try placement.show()
        await placement.current?.rendered()
        try await eventually { await transport.losses.count > 0 }
    }
}
