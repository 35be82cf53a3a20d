import Foundation
import InlayWire
import Testing

@testable import InlaySurface

@Suite struct SurfaceAssetsTests {
    @Test func `the assets are served by name and nothing else is`() throws {
        for name in SurfaceAssets.names { #expect(try !#require(SurfaceAssets.data(named: name)).isEmpty) }
        for name in ["page.html", "../tokens.css", "/etc/passwd", "templates/page.mustache", ""] {
            #expect(SurfaceAssets.data(named: name) == nil)
        }
    }

    @Test func `the page holds nothing that its own policy would stop`() throws {
        let page = HTMLOutline(
            String(decoding: try SurfaceAssets.page(surface: "cards/<home>\""), as: UTF8.self))
        #expect(page.tags("style").isEmpty)
        #expect(page.tags("script").allSatisfy { ["ads.js", "setup.js", "surface.js"].contains($0["src"]) })
        #expect(page.first("div", where: "data-surface", is: "cards/<home>\"") != nil)
        #expect(SurfaceAssets.contentSecurityPolicy.contains("script-src 'self';"))
        #expect(!SurfaceAssets.contentSecurityPolicy.contains("unsafe"))
    }

    @Test func `no template has inline script, inline style or text that is not escaped`() throws {
        let folder = SurfaceAssets.folder.appendingPathComponent("templates")
        let names = try SurfaceRenderer.templateNames(in: folder)
        #expect(names.count > 20)
        // These receive `SafeHTML` only; everything else is escaped.
        let raw = ["cards/custom-header", "cards/list", "cards/node", "preview"]
        for name in names {
            let source = try String(
                contentsOf: folder.appendingPathComponent("\(name).mustache"), encoding: .utf8)
            let outline = HTMLOutline(source)
            for tag in outline.tags {
                #expect(!tag.attributes.contains { $0.name == "style" || $0.name.hasPrefix("on") }, "\(name)")
            }
            #expect(!source.contains("{{&"))
            if !raw.contains(name) { #expect(!source.contains("{{{"), "\(name)") }
        }
    }

    @Test func `every region is one element`() throws {
        for outline in try HostileTextTests.outlines("plain") { #expect(!outline.tags.isEmpty) }
        var state = Samples.ready([CardListItem(id: "a", layout: HostileTextTests.layout("x"))])
        state.overlay = .subviews(card: "a", ids: ["more"])
        let frame = try CardListPresenter.present(state).frame(SurfaceRenderer.load())
        for region in frame.regions { #expect(Self.depthReturnsToZeroOnce(region.html), "\(region.key)") }
    }

    @Test func `a theme sets what it names within its limits, and nothing else`() {
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

    @Test func `every colour and length a theme may set is used by the style sheet`() throws {
        let css = try ["tokens.css", "surface.css"].map {
            String(decoding: try #require(SurfaceAssets.data(named: $0)), as: UTF8.self)
        }.joined()
        for name in SurfaceTheme.colors.union(SurfaceTheme.lengths.keys) {
            #expect(css.contains("var(--\(name)"), "\(name)")
        }
    }

    @Test func `a preview is a whole page that needs no script`() throws {
        let html = try CardPreview.document(
            CardLayout(nodes: [.headline("Hello {{who}}")]),
            values: CardValues(sent: ["who": .string("Ada")]), nonce: "abc")
        let outline = HTMLOutline(html)
        #expect(outline.text.contains("Hello Ada"))
        #expect(outline.tags("script").isEmpty && outline.tags("link").isEmpty)
        #expect(CardPreview.contentSecurityPolicy(nonce: "abc").contains("style-src 'nonce-abc'"))
    }

    @Test func `hostile nesting of formatted text is cut, not followed`() {
        var inline = RichText.Inline.text("deep")
        for _ in 0..<2_000 { inline = .strong([inline]) }
        let markup = RichTextHTML.render(RichText([.paragraph([inline])])).markup
        #expect(markup.utf8.count < 2_000)
    }

    private static func depthReturnsToZeroOnce(_ html: String) -> Bool {
        let void: Set = ["input", "img", "br", "hr", "path", "circle"]
        var depth = 0
        var ends = 0
        for tag in HTMLOutline(html).tags where !void.contains(tag.name) {
            depth += tag.name.hasPrefix("/") ? -1 : 1
            if depth == 0 { ends += 1 }
        }
        return depth == 0 && ends == 1
    }
}
