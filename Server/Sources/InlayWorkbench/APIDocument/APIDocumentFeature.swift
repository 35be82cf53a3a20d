package import Foundation
import Hummingbird
package import InlayServerCore
package import Logging

/// The documentation of the HTTP API: an OpenAPI document, and a web page that is generated from it.
///
/// `Scripts/openapi` makes the page's content, so that the server needs no YAML parser; `e2e/test_openapi.py`
/// fails when the page does not match the OpenAPI document.
package struct APIDocumentFeature: ServerFeature {
    private struct Page {
        let content: String
    }

    private let folder: URL
    private let logger: Logger

    /// Creates the feature from a folder with `openapi.yaml` and `openapi.html`.
    package init(folder: URL, logger: Logger) {
        self.folder = folder
        self.logger = logger
    }

    package func addRoutes(to routes: ServerRoutes) {
        let document: Data, page: Data
        do {
            document = try Data(contentsOf: folder.appendingPathComponent("openapi.yaml"))
            let content = try String(
                contentsOf: folder.appendingPathComponent("openapi.html"), encoding: .utf8)
            let library = try PageLibrary.load([WorkbenchFeature.folder])
            page = Data(try library.render("api", Page(content: content)).utf8)
        } catch {
            logger.critical("The description of the API is missing", metadata: ["error": "\(error)"])
            return
        }
        routes.root.get("openapi.yaml") { request, _ in
            WorkbenchResponse.asset(document, "application/yaml", for: request)
        }
        routes.root.get("docs") { request, _ in WorkbenchResponse.openPage(page, for: request) }
    }
}
