@_spi(Inlay) import InlayCards
@_spi(Inlay) import InlayCore
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
import Testing

@Suite struct CardAppearanceTests {
    private func theme(_ version: Int64, _ accent: String) -> CardAppearance {
        CardAppearance(version: version, light: CardTheme(colors: ["accent": accent]))
    }

    @Test func `the first launch loads the theme, the next uses it at once, the one after has the update`()
        async throws
    {
        let fixture = try await CardsFixture.start()
        fixture.server.always(CardsFixture.appearance, try .json(theme(1, "#111111")))
        #expect(try await fixture.cards.appearance("c") == theme(1, "#111111"))
        #expect(try await fixture.cards.appearance("c") == theme(1, "#111111"))
        #expect(fixture.server.requests(CardsFixture.appearance).count == 1)

        let second = try await fixture.restarted()
        second.server.always(CardsFixture.appearance, try .json(theme(2, "#222222")))
        #expect(try await second.cards.appearance("c") == theme(1, "#111111"))
        try await second.server.untilRequests(CardsFixture.appearance)
        #expect(second.server.requests(CardsFixture.appearance).first?.url.query == "after=1")
        #expect(try await second.cards.appearance("c") == theme(1, "#111111"))

        // The update is stored in the background; the next launch's request names the stored version.
        let third = try await restart(second, untilStored: 2)
        #expect(try await third.cards.appearance("c") == theme(2, "#222222"))
    }

    @Test func `a theme that cannot be loaded is an error, and trying again may succeed`() async throws {
        let fixture = try await CardsFixture.start()
        fixture.server.always(CardsFixture.appearance, .status(500))
        await #expect(throws: CardConnectionError.self) { try await fixture.cards.appearance("c") }
        fixture.server.always(CardsFixture.appearance, try .json(theme(1, "#111111")))
        #expect(try await fixture.cards.appearance("c").version == 1)
    }

    @Test func `an older theme never replaces a newer one`() async throws {
        let fixture = try await CardsFixture.start()
        fixture.server.always(CardsFixture.appearance, try .json(theme(5, "#555555")))
        _ = try await fixture.cards.appearance("c")
        let second = try await fixture.restarted()
        second.server.always(CardsFixture.appearance, try .json(theme(4, "#444444")))
        _ = try await second.cards.appearance("c")
        try await second.server.untilRequests(CardsFixture.appearance)
        // The response is handled in the background: if it replaced the newer theme, one of many launches would use it.
        var launch = second
        for _ in 1...20 {
            let next = ScriptedTransport()
            next.always(CardsFixture.appearance, try .json(theme(4, "#444444")))
            launch = try await CardsFixture.start(in: launch.folder, clock: launch.clock, server: next)
            #expect(try await launch.cards.appearance("c").version == 5)
            try await next.untilRequests(CardsFixture.appearance)
        }
    }

    /// Restarts the app, at most 50 times, until an earlier launch has stored the version.
    private func restart(_ launch: CardsFixture, untilStored version: Int64) async throws -> CardsFixture {
        var launch = launch
        for _ in 1...50 {
            let next = ScriptedTransport()
            next.always(CardsFixture.appearance, try .json(theme(2, "#222222")))
            launch = try await CardsFixture.start(in: launch.folder, clock: launch.clock, server: next)
            if try await launch.cards.appearance("c").version == version { return launch }
            try await next.untilRequests(CardsFixture.appearance)
        }
        return launch
    }
}
