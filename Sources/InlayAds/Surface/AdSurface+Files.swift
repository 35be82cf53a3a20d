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
            return SurfaceContent(
                mediaType: "text/html; charset=utf-8", data: AdLandingPage.document(landing.page.address),
                rules: .landing)
        }
        guard let show = placement.current else { throw SurfaceContentMissing() }
        switch show.creative {
        case .html(let markup, _):
            guard path == AdPath.creative(show.id) else { throw SurfaceContentMissing() }
            return SurfaceContent(
                mediaType: "text/html; charset=utf-8", data: Data(markup.utf8), rules: .creative)
        case .video(let video):
            guard path == AdPath.media(show.id) else { throw SurfaceContentMissing() }
            return try await files.video(video, of: show.id)
        }
    }
}

/// Where the files of an ad are among those of its surface.
enum AdPath {
    /// Creatives made for other SDKs load this; the bridge is there already.
    static let mraid = "creative/mraid.js"

    static func creative(_ show: Int) -> String { "creative/\(show).html" }
    static func media(_ show: Int) -> String { "media/\(show)" }
    static func landing(_ number: Int) -> String { "landing/\(number).html" }
    /// What an ad's element on the page is called.
    static func name(_ show: Int) -> String { "ad-\(show)" }
}
