import Foundation
import InlayServerCore
@_spi(Inlay) import InlayCardsView
@_spi(Inlay) import InlaySurface
@_spi(Inlay) import InlayWire
import InlayWorkbench

extension WorkbenchResult {
    /// Returns a page with a card, rendered by the code that renders it in apps. `fields` may name the color scheme
    /// (`preview.scheme`) and a subview (`preview.part`).
    static func preview(
        _ draft: CardTemplateDraft, _ appearance: CardAppearance?, _ fields: FormFields
    ) throws -> Self {
        var options = CardPreview.Options()
        options.environment.colorScheme = fields["preview.scheme"] == "dark" ? .dark : .light
        let part = fields["preview.part"] ?? ""
        options.subview = draft.definition.subviews.contains { $0.id == part } ? part : nil
        let nonce = Secret.random(bytes: 16)
        let html = try CardPreview.document(
            CardCompiler.layout(of: draft), appearance: appearance, options: options, nonce: nonce)
        return .data(
            Data(html.utf8), mediaType: "text/html; charset=utf-8",
            policy: CardPreview.contentSecurityPolicy(nonce: nonce))
    }
}
