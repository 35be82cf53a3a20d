import Foundation
import Testing

@testable import InlayServerCore
@testable import InlayServer
@testable import InlayServerTesting

/// The match of `openapi.yaml` with the routes of a running server. `e2e/test_openapi.py` tests that the document
/// is valid and describes the responses.
@Suite(.timeLimit(.minutes(5))) struct APIDocumentTests {
    private static let path = "Server/Sources/InlayServer/Resources/api/openapi.yaml"
    /// Routes that are documented elsewhere: a page for people, and a protocol that another product documented.
    private static let elsewhere = ["GET /", "POST /XMLAPI"]

    @Test func `the API document lists every route of the API and no other`() async throws {
        let served = try await TestApp.run(features: { _ in [] }) { $0.server.routes.all }
        let api = served.filter { route in
            !route.contains(" /workbench") && !route.contains(" /recover/") && !Self.elsewhere.contains(route)
        }
        #expect(Set(api.map(Self.plain)) == Set(try documented().map(Self.plain)))
        #expect(api.contains("GET /v1/cards/counts"))
    }

    @Test func `the API's document is served as it stands, and as a page that names each of its operations`()
        async throws
    {
        try await TestApp.run(features: { _ in [] }) { app async throws in
            let document = try await app.send("GET", "/openapi.yaml")
            #expect(document.text == (try text()))
            #expect(document.headers["content-type"] == "application/yaml")
            let page = try await app.send("GET", "/docs")
            let policy = try #require(page.headers["content-security-policy"])
            #expect(policy.hasPrefix("default-src 'none'; script-src 'self';"))
            for operation in try documented() {
                let parts = operation.split(separator: " ")
                let method = "<h3><span class=\"api-method\">\(parts[0])</span>"
                #expect(page.text.contains("\(method) <code>\(parts[1])</code></h3>"), "\(operation)")
            }
            let tag = try #require(page.headers["etag"])
            let again = try await app.send("GET", "/docs", headers: ["If-None-Match": tag])
            #expect(again.status == 304 && again.body.isEmpty)
        }
    }

    private func text() throws -> String {
        var root = URL(fileURLWithPath: #filePath)
        for _ in 0..<5 { root.deleteLastPathComponent() }
        return try String(contentsOf: root.appendingPathComponent(Self.path), encoding: .utf8)
    }

    /// Returns the operations of the document, such as `GET /v1/cards/counts`: two levels of its `paths`.
    private func documented() throws -> [String] {
        var operations: [String] = [], path = ""
        for line in try text().split(separator: "\n") {
            if let found = line.wholeMatch(of: /[ ]{2}(\/\S*):/) {
                path = String(found.1)
            } else if let found = line.wholeMatch(of: /[ ]{4}(get|put|post|delete|patch):/) {
                operations.append("\(found.1.uppercased()) \(path)")
            }
        }
        return operations
    }

    /// Returns a route without the names of its parameters; `**`, the rest of a path, is one parameter.
    private static func plain(_ route: String) -> String {
        route.replacing("**", with: "{}").replacing(/\{\w*\}/, with: "{}")
    }
}
