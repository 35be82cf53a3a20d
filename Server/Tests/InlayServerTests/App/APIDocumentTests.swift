import Foundation
import Testing

@testable import InlayServer

/// `Docs/openapi.yaml` beside the routes of a running server. That the document is valid and that answers
/// are as it says is tested in `e2e/test_openapi.py`.
@Suite(.timeLimit(.minutes(5))) struct APIDocumentTests {
    /// Spoken elsewhere: pages for people, and a wire that other products documented.
    private static let elsewhere = ["GET /", "POST /XMLAPI"]

    @Test func `every route of the API stands in its document, and nothing else does`() async throws {
        let served = try await TestApp.run(features: { _ in [] }) { $0.server.routes.all }
        let api = served.filter { route in
            !route.contains(" /workbench") && !route.contains(" /recover/") && !Self.elsewhere.contains(route)
        }
        #expect(Set(api.map(Self.plain)) == Set(try documented().map(Self.plain)))
        #expect(api.contains("GET /v1/cards/counts"))
    }

    /// The operations of the document, as `GET /v1/cards/counts`: two levels of its `paths`.
    private func documented() throws -> [String] {
        var root = URL(fileURLWithPath: #filePath)
        for _ in 0..<5 { root.deleteLastPathComponent() }
        let text = try String(contentsOf: root.appendingPathComponent("Docs/openapi.yaml"), encoding: .utf8)
        var operations: [String] = [], path = ""
        for line in text.split(separator: "\n") {
            if let found = line.wholeMatch(of: /[ ]{2}(\/\S*):/) {
                path = String(found.1)
            } else if let found = line.wholeMatch(of: /[ ]{4}(get|put|post|delete|patch):/) {
                operations.append("\(found.1.uppercased()) \(path)")
            }
        }
        return operations
    }

    /// Names of places in a path are free, and the rest of a path is one place.
    private static func plain(_ route: String) -> String {
        route.replacing("**", with: "{}").replacing(/\{\w*\}/, with: "{}")
    }
}
