import AsyncHTTPClient
import Foundation
import NIOConcurrencyHelpers
import NIOCore
import NIOFoundationCompat
import Testing

@testable import InlayServerCore
@testable import InlayWorkbench

/// A browser as the server sees it: it keeps cookies and sends forms; it does not follow redirects.
final class WorkbenchBrowser: Sendable {
    /// A page or a redirect.
    struct Response: Sendable {
        let status: Int
        let headers: [(String, String)]
        let body: String

        func header(_ name: String) -> String? { headers.first { $0.0.lowercased() == name }?.1 }
        var location: String { header("location") ?? "" }
        var setCookies: [String] { headers.filter { $0.0.lowercased() == "set-cookie" }.map(\.1) }

        /// The token of the first form of the page.
        var csrf: String { WorkbenchBrowser.between("name=\"csrf\" value=\"", "\"", body) ?? "" }
    }

    let site: WorkbenchSite
    private let cookies = NIOLockedValueBox<[String: String]>([:])

    init(site: WorkbenchSite) { self.site = site }

    func cookie(_ name: String) -> String? { cookies.withLockedValue { $0[name] } }

    /// The token that belongs to the sign-in cookie.
    var formToken: String {
        OperatorSessions.csrfToken(for: cookies.withLockedValue { $0["inlay_session"] ?? "" })
    }

    func get(_ path: String, headers: [String: String] = [:]) async throws -> Response {
        try await send("GET", path, headers: headers, body: nil)
    }

    /// Sends a form with the session's form token, as a page of the Workbench does.
    func post(_ path: String, _ fields: [(String, String)] = [], headers: [String: String] = [:]) async throws
        -> Response
    {
        let answer = try await postRaw(path, [("csrf", formToken)] + fields, headers: headers)
        if answer.status == 303 { try await expectAuditLine(for: path) }
        return answer
    }

    /// Expects that the form recorded an audit log line of its own, not the one that the gate adds for its path.
    private func expectAuditLine(for path: String) async throws {
        // Only the pages below `e/` belong to an environment.
        let parts = path.split(separator: "/")
        let environment = parts.count > 2 && parts[1] == "e" ? EnvironmentID(verified: String(parts[2])) : nil
        let lines = try await site.services.audit.entries(environment, limit: 5)
        let unnamed = lines.first { $0.action == WorkbenchGate.unnamedChange && $0.subject == path }
        #expect(unnamed == nil, "\(path) changed something without words for the audit log")
    }

    /// Sends a form with these fields only, without a form token.
    func postRaw(
        _ path: String, _ fields: [(String, String)], headers: [String: String] = [:]
    ) async throws -> Response {
        let text = fields.map { "\(FormFields.escaped($0.0))=\(FormFields.escaped($0.1))" }.joined(
            separator: "&")
        var headers = headers
        headers["Content-Type"] = headers["Content-Type"] ?? "application/x-www-form-urlencoded"
        return try await send("POST", path, headers: headers, body: text)
    }

    /// Uploads a file as a page's script does; `nil` sends no form token, as a page of another site does.
    func put(_ path: String, _ text: String, token: String?) async throws -> Response {
        var headers = ["Content-Type": "application/octet-stream"]
        headers["Inlay-Form"] = token
        return try await send("PUT", path, headers: headers, body: text)
    }

    func signIn(_ login: String, _ password: String) async throws -> Response {
        let page = try await get("/workbench/sign-in")
        return try await postRaw(
            "/workbench/sign-in",
            [("csrf", page.csrf), ("login", login), ("password", password), ("next", "/workbench")])
    }

    func send(_ method: String, _ path: String, headers: [String: String], body: String?) async throws
        -> Response
    {
        var request = HTTPClientRequest(url: "http://127.0.0.1:\(site.port)\(path)")
        request.method = .init(rawValue: method)
        for (name, value) in headers { request.headers.add(name: name, value: value) }
        let kept = cookies.withLockedValue {
            $0.map { "\($0.key)=\($0.value)" }.sorted().joined(separator: "; ")
        }
        if !kept.isEmpty { request.headers.add(name: "Cookie", value: kept) }
        if let body { request.body = .bytes(ByteBuffer(string: body)) }
        let response = try await site.client.execute(request, timeout: .seconds(60))
        let bytes = try await response.body.collect(upTo: 1 << 22)
        let answer = Response(
            status: Int(response.status.code), headers: response.headers.map { ($0.name, $0.value) },
            body: String(buffer: bytes))
        answer.setCookies.forEach(keep)
        return answer
    }

    private func keep(_ cookie: String) {
        let parts = cookie.split(separator: ";")[0].split(
            separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return }
        cookies.withLockedValue { $0[String(parts[0])] = parts[1].isEmpty ? nil : String(parts[1]) }
    }

    static func between(_ start: String, _ end: String, _ text: String) -> String? {
        guard let from = text.range(of: start), let to = text[from.upperBound...].range(of: end) else {
            return nil
        }
        return String(text[from.upperBound..<to.lowerBound])
    }
}
