@_spi(Inlay) import InlayAdsView
@_spi(Inlay) public import InlaySurface
import Foundation
@_spi(Inlay) import InlayWire

extension AdSurface {
    /// Returns a file of the ad that is shown, and of no other.
    public func resource(_ path: String) async throws -> SurfaceContent {
        if path == AdPath.mraid {
            return SurfaceContent(mediaType: "text/javascript; charset=utf-8", data: Data())
        }
        if let landing, path == landing.page.path {
            let page = AdWebPage.document(landing.page.address, sandbox: AdFrameRules.landingSandbox)
            return Self.page(page, .landing)
        }
        guard let show = placement.current else { throw SurfaceContentMissing() }
        switch show.creative {
        case .html(let markup, _) where path == AdPath.creative(show.id):
            return Self.page(Data(markup.utf8), .creative(allowsFrames: show.allowsFrames))
        case .video where path == AdPath.media(show.id):
            guard let mediaFile = show.mediaFile else { throw SurfaceContentMissing() }
            return SurfaceContent(mediaType: mediaFile.mediaType, data: mediaFile.data)
        case .video where path == AdPath.card(show.id):
            guard endedVideoAdID == show.id, let page = show.endCard?.document else {
                throw SurfaceContentMissing()
            }
            return Self.page(page, .creative(allowsFrames: show.allowsFrames))
        default: throw SurfaceContentMissing()
        }
    }

    private static func page(_ data: Data, _ rules: AdFrameRules) -> SurfaceContent {
        SurfaceContent(mediaType: "text/html; charset=utf-8", data: data, rules: rules)
    }
}

extension AdVideo.Companion {
    /// The document in the frame of the companion; `nil` for a picture, which has no frame.
    fileprivate var document: Data? {
        switch content {
        case .image: nil
        case .html(let markup): Data(markup.utf8)
        case .frame(let address): AdWebPage.document(address, sandbox: FrameRules.sandbox)
        }
    }
}

/// The paths of an ad's files below its surface.
enum AdPath {
    /// The path of an empty script. Creatives load `mraid.js`, but the host has already added the bridge.
    static let mraid = "creative/mraid.js"

    static func creative(_ show: Int) -> String { "creative/\(show).html" }
    static func media(_ show: Int) -> String { "media/\(show)" }
    static func card(_ show: Int) -> String { "card/\(show).html" }
    static func landing(_ number: Int) -> String { "landing/\(number).html" }
    /// The name of an ad's element on the page.
    static func name(_ show: Int) -> String { "ad-\(show)" }
}

/// A document that shows a web page in a frame.
///
/// The app's own page may frame only files of its surface, so that no creative can navigate elsewhere. Web pages, which
/// are landing pages and companions, are therefore in a frame within such a file.
private enum AdWebPage {
    /// Returns the document of the page at an address.
    ///
    /// - Parameter sandbox: the value of the frame's `sandbox` attribute.
    static func document(_ address: String, sandbox: String) -> Data {
        let style =
            "html, body, iframe { margin: 0; border: 0; width: 100%; height: 100%; display: block; background: #fff }"
        return Data(
            """
            <!DOCTYPE html><meta charset="utf-8"><title></title><style>\(style)</style>\
            <iframe src="\(escaped(address))" sandbox="\(sandbox)" allow="" referrerpolicy="no-referrer"></iframe>
            """.utf8)
    }

    private static func escaped(_ address: String) -> String {
        address.unicodeScalars.reduce(into: "") { text, scalar in
            switch scalar {
            case "&": text += "&amp;"
            case "\"": text += "&quot;"
            case "<": text += "&lt;"
            case ">": text += "&gt;"
            default: text.unicodeScalars.append(scalar)
            }
        }
    }
}
