import Foundation
@_spi(Inlay) public import InlaySurface
@_spi(Inlay) public import InlayWire

/// A preview of a card, drawn by the code that draws it in the app.
@_spi(Inlay) public enum CardPreview {
    /// The settings of the previewed device, and the part of the card that is shown.
    public struct Options: Hashable, Sendable {
        /// The device: light or dark, text size, language, direction.
        public var environment = SurfaceEnvironment()
        /// The container's configuration; without a header by default, because a preview is about the card.
        public var configuration: CardListConfiguration
        /// The source of the images; by default their own addresses.
        public var media: SurfaceMedia = .direct
        /// The subview to show; `nil` for the card itself.
        public var subview: String?

        /// Options of a light, left-to-right device.
        public init() {
            configuration = CardListConfiguration()
            configuration.enabledUIElements = []
        }
    }

    /// Returns an HTML document of one card that contains its theme. It has no script and loads only images.
    ///
    /// - Parameter nonce: the nonce of the style element, so that a policy can allow only this element; use
    ///   `contentSecurityPolicy(nonce:)` for the response's header.
    /// - Throws: `SurfaceRenderer.Failure` when the module's resources are missing.
    public static func document(
        _ layout: CardLayout, appearance: CardAppearance? = nil, values: CardValues = CardValues(),
        options: Options = Options(), nonce: String
    ) throws -> String {
        let item = CardListItem(id: "preview", layout: layout.resolved(with: values))
        var state = CardListState(phase: .ready, hadCards: true, cards: [item], appearance: appearance)
        state.overlay = options.subview.map { .subviews(card: item.id, ids: [$0]) }
        return try document(state, options: options, nonce: nonce)
    }

    /// Returns an HTML document of a list in any state.
    public static func document(
        _ state: CardListState, options: Options = Options(), now: Timestamp = Timestamp(microseconds: 0),
        nonce: String
    ) throws -> String {
        let view = CardListPresenter.present(
            state, options.configuration, environment: options.environment, media: options.media, now: now)
        let renderer = try SurfaceAssets.cards.renderer()
        return try renderer.render("preview", PreviewPage(view.frame(renderer), nonce: nonce))
    }

    /// Returns the policy of a preview: only the style element with this nonce, and images of `'self'`, https, http and
    /// data URLs.
    public static func contentSecurityPolicy(nonce: String) -> String {
        [
            "default-src 'none'", "style-src 'nonce-\(nonce)'", "img-src 'self' https: http: data:",
            "form-action 'none'", "base-uri 'none'", "frame-ancestors 'self'",
        ].joined(separator: "; ")
    }
}

/// A frame as a complete page.
private struct PreviewPage: Encodable {
    let title: String
    let locale: String
    let direction: String
    let colorScheme: String
    let nonce: String
    let styles: SafeHTML
    let top: [SafeHTML]
    let list: [SafeHTML]
    let bottom: [SafeHTML]
    let overlay: [SafeHTML]
    let toasts: [SafeHTML]

    init(_ frame: SurfaceFrame, nonce: String) {
        func parts(_ slot: SurfaceFrame.Slot) -> [SafeHTML] {
            frame.regions(in: slot).map { SafeHTML(markup: $0.html) }
        }
        title = frame.root.title
        locale = frame.root.locale
        direction = frame.root.layoutDirection.rawValue
        colorScheme = frame.root.colorScheme.rawValue
        self.nonce = nonce
        styles = Self.styles(frame.root.style)
        (top, list, bottom) = (parts(.top), parts(.list), parts(.bottom))
        (overlay, toasts) = (parts(.overlay), parts(.toasts))
    }

    /// Returns the style sheets with the theme's properties. The presenter has checked the values, so that none can end
    /// its declaration or the element.
    private static func styles(_ properties: [String: String]) -> SafeHTML {
        let own = SurfaceAssets.cards.styles.compactMap(SurfaceAssets.cards.data(named:))
            .map { String(decoding: $0, as: UTF8.self) }
        let theme = properties.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value);" }
        return SafeHTML(markup: own.joined(separator: "\n") + "\n:root { \(theme.joined(separator: " ")) }")
    }
}
