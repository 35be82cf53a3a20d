import Foundation
import InlayBrowser
import InlayWebHost

/// The app's screen as a page: its container, the hub where the facade put it, and buttons if the hub is nested.
struct TestScreen: Sendable {
    let container: CGRect
    /// The frame of the hub's view in the container; `nil` for a hub over the whole screen.
    let hub: CGRect?
    /// Called with the name of a button that was pressed.
    let press: @Sendable (String) -> Void

    func file(_ path: String) -> WebContent? {
        switch path {
        case "": WebContent(mediaType: "text/html; charset=utf-8", data: Data(page.utf8))
        case "app.css": WebContent(mediaType: "text/css; charset=utf-8", data: Data(style.utf8))
        case "app.js":
            WebContent(mediaType: "text/javascript; charset=utf-8", data: Data(Self.script.utf8))
        case _ where path.hasPrefix("press/"): pressed(String(path.dropFirst("press/".count)))
        default: nil
        }
    }

    private func pressed(_ button: String) -> WebContent {
        press(button)
        return WebContent(mediaType: "text/plain; charset=utf-8", data: Data("pressed".utf8))
    }

    private static let script = """
        for (const button of document.querySelectorAll("button"))
          button.addEventListener("click", () => fetch(`press/${button.id}`));
        """

    private static let buttons = """
        <nav><button id=back>Back</button><button id=forward>Forward</button><button id=close>Close</button></nav>
        """

    private var page: String {
        let frame = #"<iframe src="hub/" title="Hub"></iframe>"#
        let parts =
            hub == nil
            ? "<div id=container></div>\(frame)" : "\(Self.buttons)<div id=container>\(frame)</div>"
        return """
            <!DOCTYPE html><html lang="en"><head><title>App</title><link rel="stylesheet" href="app.css"><script defer src="app.js"></script></head>
            <body><h1>The app</h1>\(parts)</body></html>
            """
    }

    private var style: String {
        let place =
            hub.map { "position: absolute; \(Self.box($0))" }
            ?? "position: fixed; inset: 0; width: 100%; height: 100%"
        return """
            body { margin: 0 } nav { position: absolute; top: 480px } iframe { border: 0; \(place) }
            #container { position: absolute; overflow: hidden; \(Self.box(container)) }
            """
    }

    private static func box(_ frame: CGRect) -> String {
        "left: \(frame.minX)px; top: \(frame.minY)px; width: \(frame.width)px; height: \(frame.height)px"
    }
}
