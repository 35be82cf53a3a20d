import Foundation
@_spi(Inlay) import InlayAdsView
@_spi(Inlay) import InlayCardsView
@_spi(Inlay) import InlayDevicesView
@_spi(Inlay) import InlayHubView
import InlaySurfaceTesting
import Testing

@_spi(Inlay) @testable import InlaySurface

/// The files of the engine and of every view.
@Suite struct ViewFilesTests {
    static let all: [(name: String, assets: SurfaceAssets)] = [
        ("engine", .engine), ("cards", .cards), ("hub", .hub), ("ads", .ads), ("devices", .devices),
    ]

    @Test(arguments: [
        ("cards", ["tokens.css", "surface.css", "cards.css"], ["cards.js", "surface.js"]),
        ("hub", ["tokens.css", "surface.css", "hub.css"], ["hub.js", "surface.js"]),
        ("ads", ["tokens.css", "surface.css", "ads.css"], ["ads.js", "surface.js"]),
        ("devices", ["tokens.css", "surface.css", "setup.css"], ["setup.js", "surface.js"]),
    ])
    func `a page loads the styles and scripts of its own feature and of the engine, and no others`(
        _ name: String, _ styles: [String], _ scripts: [String]
    ) throws {
        let assets = try #require(Self.all.first { $0.name == name }).assets
        let page = HTMLOutline(String(decoding: try assets.page(surface: name), as: UTF8.self))
        let sheets = page.tags("link").filter { $0["rel"] == "stylesheet" }
        #expect(sheets.map { $0["href"] } == styles)
        #expect(page.tags("script").map { $0["src"] } == scripts)
    }

    @Test
    func `a view lists exactly the script and style files of its folder`()
        throws
    {
        for (name, assets) in Self.all {
            for folder in assets.folders {
                let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
                    .filter { $0.hasSuffix(".js") || $0.hasSuffix(".css") }
                #expect(assets.names.union(assets.frameNames).isSuperset(of: files), "\(name)")
            }
            for file in assets.names.union(assets.frameNames) {
                #expect(assets.data(named: file)?.isEmpty == false, "\(name): \(file)")
            }
        }
    }

    @Test func `no template has inline script, inline style or text that is not escaped`() throws {
        // These receive `SafeHTML` only; everything else is escaped.
        let raw = ["cards/custom-header", "cards/list", "cards/node", "preview"]
        let folders = Set(Self.all.flatMap(\.assets.folders)).map { $0.appendingPathComponent("templates") }
        #expect(folders.count == 5)
        for folder in folders {
            let names = try SurfaceRenderer.templateNames(in: folder)
            #expect(names.count > 3)
            for name in names {
                let source = try String(
                    contentsOf: folder.appendingPathComponent("\(name).mustache"), encoding: .utf8)
                for tag in HTMLOutline(source).tags {
                    let isInline = tag.attributes.contains { $0.name == "style" || $0.name.hasPrefix("on") }
                    #expect(!isInline, "\(name)")
                }
                #expect(!source.contains("{{&"))
                if !raw.contains(name) { #expect(!source.contains("{{{"), "\(name)") }
            }
        }
    }
}
