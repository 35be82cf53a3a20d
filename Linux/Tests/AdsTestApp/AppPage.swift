import Foundation
import InlayBrowser
import InlayWebHost

/// The app's own page, on which the ad becomes visible only after scrolling.
enum AppPage {
    static func file(_ path: String) -> WebContent? {
        switch path {
        case "": WebContent(mediaType: "text/html; charset=utf-8", data: Data(page.utf8))
        case "app.css": WebContent(mediaType: "text/css; charset=utf-8", data: Data(style.utf8))
        default: nil
        }
    }

    private static let page = """
        <!DOCTYPE html><html lang="en"><head><title>App</title><link rel="stylesheet" href="app.css"></head>
        <body><h1>News of the app</h1><div class="gap"></div><iframe src="ads/" title="Ad place"></iframe></body></html>
        """

    private static let style = ".gap { height: 3000px } iframe { width: 340px; height: 80px; border: 0 }"
}
