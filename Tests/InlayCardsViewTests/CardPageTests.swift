import Foundation
import InlaySurfaceTesting
@_spi(Inlay) import InlayWire
import Testing

@_spi(Inlay) @testable import InlayCardsView
@_spi(Inlay) @testable import InlaySurface

@Suite struct CardPageTests {
    @Test func `every region is one element`() throws {
        for outline in try HostileTextTests.outlines("plain") { #expect(!outline.tags.isEmpty) }
        var state = Samples.ready([CardListItem(id: "a", layout: HostileTextTests.layout("x"))])
        state.overlay = .subviews(card: "a", ids: ["more"])
        let frame = try CardListPresenter.present(state).frame(SurfaceAssets.cards.renderer())
        for region in frame.regions { #expect(Self.isOneElement(region.html), "\(region.key)") }
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

    @Test func `every colour and length a theme may set is used by the style sheet`() throws {
        let css = try SurfaceAssets.cards.styles.map {
            String(decoding: try #require(SurfaceAssets.cards.data(named: $0)), as: UTF8.self)
        }.joined()
        for name in SurfaceTheme.colors.union(SurfaceTheme.lengths.keys) {
            #expect(css.contains("var(--\(name)"), "\(name)")
        }
    }

    private static func isOneElement(_ html: String) -> Bool {
        let void: Set = ["input", "img", "br", "hr", "path", "circle"]
        var depth = 0
        var elements = 0
        for tag in HTMLOutline(html).tags where !void.contains(tag.name) {
            depth += tag.name.hasPrefix("/") ? -1 : 1
            if depth == 0 { elements += 1 }
        }
        return depth == 0 && elements == 1
    }
}
