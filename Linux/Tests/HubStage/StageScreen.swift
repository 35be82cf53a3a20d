import Foundation
import InlayBrowser

/// The app's screen as a page: its container, and the hub where the facade put it.
struct StageScreen: Sendable {
    let container: CGRect
    /// The frame of the hub's view in the container; `nil` for a hub over the whole screen.
    let hub: CGRect?

    func file(_ path: String) -> BrowserContent? {
        switch path {
        case "": BrowserContent(mediaType: "text/html; charset=utf-8", data: Data(page.utf8))
        case "app.css": BrowserContent(mediaType: "text/css; charset=utf-8", data: Data(style.utf8))
        default: nil
        }
    }

    private var page: String {
        let frame = #"<iframe src="hub/" title="Hub"></iframe>"#
        let parts = hub == nil ? "<div id=container></div>\(frame)" : "<div id=container>\(frame)</div>"
        return """
            <!DOCTYPE html><html lang="en"><head><title>App</title><link rel="stylesheet" href="app.css"></head>
            <body><h1>The app</h1>\(parts)</body></html>
            """
    }

    private var style: String {
        let place =
            hub.map { "position: absolute; \(Self.box($0))" }
            ?? "position: fixed; inset: 0; width: 100%; height: 100%"
        return """
            body { margin: 0 } iframe { border: 0; \(place) }
            #container { position: absolute; overflow: hidden; \(Self.box(container)) }
            """
    }

    private static func box(_ frame: CGRect) -> String {
        "left: \(frame.minX)px; top: \(frame.minY)px; width: \(frame.width)px; height: \(frame.height)px"
    }
}
