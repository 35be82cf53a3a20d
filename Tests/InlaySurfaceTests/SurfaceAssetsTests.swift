import Foundation
import InlaySurfaceTesting
@_spi(Inlay) import InlayWire
import Testing

@_spi(Inlay) @testable import InlaySurface

@Suite struct SurfaceAssetsTests {
    @Test func `the assets are served by name and nothing else is`() throws {
        for name in SurfaceAssets.engine.names {
            #expect(try !#require(SurfaceAssets.engine.data(named: name)).isEmpty)
        }
        for name in ["page.html", "../tokens.css", "/etc/passwd", "templates/page.mustache", ""] {
            #expect(SurfaceAssets.engine.data(named: name) == nil)
        }
    }

    @Test func `the page has no inline style or script, which its policy forbids`() throws {
        let page = HTMLOutline(
            String(decoding: try SurfaceAssets.engine.page(surface: "cards/<home>\""), as: UTF8.self))
        #expect(page.tags("style").isEmpty)
        #expect(page.tags("script").allSatisfy { $0["src"] == "surface.js" })
        #expect(page.first("div", where: "data-surface", is: "cards/<home>\"") != nil)
        #expect(SurfaceAssets.contentSecurityPolicy.contains("script-src 'self';"))
        #expect(!SurfaceAssets.contentSecurityPolicy.contains("unsafe"))
    }

    @Test func `a theme sets valid properties within their limits only`() {
        let theme = CardTheme(
            colors: [
                "accent": "#0af", "paper": "#12345678", "ink": "blue", "shade": "#FFFFFF", "line": "#ggg",
            ],
            lengths: ["radius-card": 900, "card-gap": -4, "gutter": 3, "border-card": .nan],
            typography: ["headline": CardTypography(family: "Noto Serif", size: 30, weight: 9_000)])
        let style = SurfaceTheme.properties(theme)
        #expect(style["--accent"] == "#0af" && style["--paper"] == "#12345678")
        #expect(style["--ink"] == nil && style["--shade"] == nil && style["--line"] == nil)
        #expect(style["--radius-card"] == "48px" && style["--card-gap"] == "0px" && style["--gutter"] == nil)
        #expect(style["--border-card"] == nil)
        #expect(style["--type-headline-weight"] == "900")
        #expect(style["--type-headline-family"] == "\"Noto Serif\", system-ui, sans-serif")
        #expect(SurfaceTheme.quotedFamily("a\"; b") == nil)
    }

    @Test func `deeply nested formatted text is cut`() {
        var inline = RichText.Inline.text("deep")
        for _ in 0..<2_000 { inline = .strong([inline]) }
        let markup = RichTextHTML.render(RichText([.paragraph([inline])])).markup
        #expect(markup.utf8.count < 2_000)
    }
}
