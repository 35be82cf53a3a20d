public import InlaySurface
import Foundation
import InlayWire

extension AdSurface {
    /// A file of the ad that is shown. Nothing else is handed out, whoever asks.
    public func resource(_ path: String) async throws -> SurfaceContent {
        if path == AdPath.mraid {
            return SurfaceContent(mediaType: "text/javascript; charset=utf-8", data: Data())
        }
        if let landing, path == landing.page.path {
            let page = AdWebPage.document(landing.page.address, sandbox: FrameRules.landingSandbox)
            return Self.page(page, .landing)
        }
        guard let show = placement.current else { throw SurfaceContentMissing() }
        switch show.creative {
        case .html(let markup, _) where path == AdPath.creative(show.id):
            return Self.page(Data(markup.utf8), .creative)
        case .video where path == AdPath.media(show.id):
            guard let film = show.film else { throw SurfaceContentMissing() }
            return SurfaceContent(mediaType: film.mediaType, data: film.data)
        case .video(let video) where path == AdPath.card(show.id):
            guard over == show.id, let page = video.endCard?.document else { throw SurfaceContentMissing() }
            return Self.page(page, .creative)
        default: throw SurfaceContentMissing()
        }
    }

    private static func page(_ data: Data, _ rules: FrameRules) -> SurfaceContent {
        SurfaceContent(mediaType: "text/html; charset=utf-8", data: data, rules: rules)
    }
}

extension AdVideo.Companion {
    /// What stands in its frame; `nil` for a picture, which needs none.
    fileprivate var document: Data? {
        switch content {
        case .image: nil
        case .html(let markup): Data(markup.utf8)
        case .frame(let address): AdWebPage.document(address, sandbox: FrameRules.sandbox)
        }
    }
}

/// Where the files of an ad are among those of its surface.
enum AdPath {
    /// Creatives made for other SDKs load this; the bridge is there already.
    static let mraid = "creative/mraid.js"

    static func creative(_ show: Int) -> String { "creative/\(show).html" }
    static func media(_ show: Int) -> String { "media/\(show)" }
    static func card(_ show: Int) -> String { "card/\(show).html" }
    static func landing(_ number: Int) -> String { "landing/\(number).html" }
    /// What an ad's element on the page is called.
    static func name(_ show: Int) -> String { "ad-\(show)" }
}
