@_spi(Inlay) import InlayCardsView
@_spi(Inlay) import InlaySurface
import InlaySurfaceTesting
@_spi(Inlay) import InlayWire

/// Cards and states that tests share.
enum Samples {
    static let now = Timestamp(seconds: 1_800_000_000)  // 15 January 2027, 08:00 UTC

    static func text(_ text: String) -> CardText { CardText(text: text, rich: RichText(plain: text)) }

    static func item(_ id: String = "c1", priority: Int = 5, activeAt: Int64 = 0, _ nodes: [CardNode] = [])
        -> CardListItem
    {
        CardListItem(
            id: id, priority: priority, activeAt: Timestamp(microseconds: activeAt),
            layout: CardLayout(nodes: nodes.isEmpty ? [.headline(id)] : nodes))
    }

    static func ready(_ cards: [CardListItem]) -> CardListState {
        CardListState(phase: .ready, hadCards: true, cards: cards, appearance: appearance)
    }

    static let appearance = CardAppearance(
        version: 1, light: CardTheme(colors: ["accent": "#111111"]),
        dark: CardTheme(colors: ["accent": "#EEEEEE"]))

    /// Returns the regions of a state as outlines, by key.
    static func outlines(
        _ state: CardListState, _ configuration: CardListConfiguration = CardListConfiguration(),
        environment: SurfaceEnvironment = SurfaceEnvironment()
    ) throws -> [String: HTMLOutline] {
        let view = CardListPresenter.present(state, configuration, environment: environment, now: now)
        let frame = try view.frame(SurfaceAssets.cards.renderer())
        return Dictionary(uniqueKeysWithValues: frame.regions.map { ($0.key, HTMLOutline($0.html)) })
    }

    /// Returns the whole frame as one outline.
    static func outline(
        _ state: CardListState, _ configuration: CardListConfiguration = CardListConfiguration()
    ) throws -> HTMLOutline {
        let view = CardListPresenter.present(state, configuration, now: now)
        let frame = try view.frame(SurfaceAssets.cards.renderer())
        return HTMLOutline(frame.regions.map(\.html).joined(separator: "\n"))
    }
}
