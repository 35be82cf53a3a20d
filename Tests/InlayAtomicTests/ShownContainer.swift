import InlayAtomic
@_spi(Inlay) import InlayCards
@_spi(Inlay) import InlaySurface
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire

/// A container that is shown without a screen: its patches are recorded, and tests send user events.
@MainActor final class ShownContainer {
    let container: AACStreamContainerViewController
    let patches: StreamRecorder<SurfaceMessage>
    private let page: AsyncStream<SurfaceMessage>.Continuation
    private let shown: Task<Void, Never>

    init(
        _ fixture: AtomicFixture, _ configuration: AACConfiguration = AACConfiguration(),
        light: CardTheme = CardTheme(),
        dark: CardTheme? = nil, filters: [AACCardFilter]? = nil
    ) async throws {
        fixture.server.always(
            InlayPath.cardAppearance(container: "1"),
            try .json(CardAppearance(version: 1, light: light, dark: dark)))
        container = AACStreamContainerViewController(identifier: "1", configuration: configuration)
        if let filters { container.apply(filters) }
        let surface = try await container.surface()
        let (incoming, page) = AsyncStream.makeStream(of: SurfaceMessage.self)
        let (drawn, draw) = AsyncStream.makeStream(of: SurfaceMessage.self)
        self.page = page
        patches = StreamRecorder(drawn)
        // Ends when `close` finishes the page's events.
        shown = Task { await surface.run(SurfaceLink(events: incoming) { draw.yield($0) }) }
    }

    /// Waits until a patch that contains this text was drawn.
    func untilDrawn(_ text: String) async throws {
        try await patches.until { "\($0.payload)".contains(text) }
    }

    /// Waits until exactly these cards are on screen, in this order.
    func untilShown(_ ids: [String]) async throws {
        let surface = try await container.surface()
        try await eventually { await surface.shown.map(\.id) == ids }
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
