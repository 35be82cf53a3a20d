import InlayAtomic
@_spi(Inlay) import InlayCards
@_spi(Inlay) import InlaySurface
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire

/// A container on screen without a screen: draws into a list of patches, and does what a user does.
@MainActor final class ShownContainer {
    let container: AACStreamContainerViewController
    let patches: Collected<SurfaceMessage>
    private let page: AsyncStream<SurfaceMessage>.Continuation
    private let shown: Task<Void, Never>

    init(
        _ fixture: AtomicFixture, _ configuration: AACConfiguration = AACConfiguration(),
        light: CardTheme = CardTheme(),
        dark: CardTheme? = nil
    ) async throws {
        fixture.server.always(
            InlayPath.cardAppearance(container: "1"),
            try .json(CardAppearance(version: 1, light: light, dark: dark)))
        container = AACStreamContainerViewController(identifier: "1", configuration: configuration)
        let surface = try await container.surface()
        let (incoming, page) = AsyncStream.makeStream(of: SurfaceMessage.self)
        let (drawn, draw) = AsyncStream.makeStream(of: SurfaceMessage.self)
        self.page = page
        patches = Collected(drawn)
        // Ends when the page's events end: `close`.
        shown = Task { await surface.run(SurfaceLink(events: incoming) { draw.yield($0) }) }
    }

    /// Waits until something with these words was drawn.
    func untilDrawn(_ words: String) async throws {
        try await patches.until { "\($0.payload)".contains(words) }
    }

    func user(_ name: String, _ values: [String: JSONValue] = [:]) {
        let payload = values.merging(["name": .string(name)]) { old, _ in old }
        page.yield(SurfaceMessage(surface: "cards/1", kind: "event", id: "1", payload: .object(payload)))
    }

    func close() async {
        page.finish()
        await shown.value
    }
}
