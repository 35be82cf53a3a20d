import Foundation
@_spi(Inlay) import InlayCore
import InlayHubTesting
@_spi(Inlay) import InlaySurface
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
import Testing

@_spi(Inlay) @testable import InlayHub

/// The surface of a hub with downloaded content.
@Suite(.timeLimit(.minutes(5))) struct HubDownloadedTests {
    /// Returns the HTML of the first patch that contains all of these words.
    private func renderedHTML(_ shown: HubPresentation, _ words: String...) async throws -> String {
        let surface = try HubSurface(shown)
        let (events, event) = AsyncStream.makeStream(of: SurfaceMessage.self)
        let (sent, send) = AsyncStream.makeStream(of: SurfaceMessage.self)
        let link = SurfaceLink(events: events, content: "/c/hub/") { send.yield($0) }
        async let running: Void = surface.run(link)
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        var html = ""
        for await message in sent where message.kind == SurfaceMessage.Kind.patch {
            html = String(decoding: try encoder.encode(message.payload), as: UTF8.self)
            if words.allSatisfy(html.contains) { break }
        }
        event.finish()
        await running
        return html
    }

    @Test func `a downloaded version shows its hub, channels and articles without any network`() async throws
    {
        let fixture = try await HubFixture.ready()
        let nowhere = ScriptedTransport()
        nowhere.always(fixture.publisher.metadataPath("timestamp.json"), .failure(.unreachable("no network")))
        let again = try await fixture.restarted(server: nowhere)
        try again.start()
        for (uri, words) in [
            ("hub:hub/sea", ["The Sea", "Ferries", "About herring"]),
            ("hub:channel/ferries", ["Ferries", "About night-ferry"]),
        ] {
            let shown = try again.hub.present(uri: uri)
            let html = try await renderedHTML(shown, words[0], words[1])
            for word in words { #expect(html.contains(word), "\(uri): \(word)") }
            try shown.dismiss()
        }
        let shown = try again.hub.present(uri: "hub:article/herring")
        #expect(try await renderedHTML(shown, "<iframe").contains("/c/hub/articles/herring/index.html"))
        let page = try await HubSurface(shown).resource("articles/herring/index.html")
        #expect(page.mediaType.hasPrefix("text/html"))
        #expect(String(decoding: page.data, as: UTF8.self).hasSuffix("<title>herring</title>v1"))
        // All targets were stored, so that none is requested.
        #expect(!nowhere.requests.contains { $0.url.path.contains("/targets/") })
    }

    @Test func `the app's own status view replaces the built-in one`() async throws {
        struct Own: HubStatusViews {
            func checking(message: String?) -> HubStatus.View? { nil }
            func downloading(message: String?, completed: Double) -> HubStatus.View? { nil }
            func failed(message: String?) -> HubStatus.View? { HubStatus.View(title: "Out fishing") }
        }
        var pages: [String] = []
        for views in [nil, Own()] as [Own?] {
            let fixture = try await HubFixture.make()
            try fixture.start { $0.settings.statusViews = views }
            let shown = try fixture.hub.present()
            await #expect(throws: HubError.self) { try await shown.shown() }
            let html = try await renderedHTML(shown, views == nil ? "data-status" : "Out fishing")
            pages.append(html)
            try shown.dismiss()
        }
        let builtIn = HubError.noContent.readerMessage
        #expect(pages[0].contains(builtIn) && !pages[1].contains(builtIn))
    }
}
