package import Foundation

/// One call of the server's API.
package struct APICall: Sendable {
    package var method: String
    /// The path below the base URL, percent-encoded, with its leading slash.
    package var path: String
    package var query: [URLQueryItem]
    /// The body, if any; JSON unless `contentType` says otherwise.
    package var body: Data?
    package var contentType: String
    /// Additional header fields of a feature; those of the session take precedence.
    package var headers: [String: String] = [:]
    package var timeout: Duration

    package init(
        _ method: String, _ path: String, query: [URLQueryItem] = [], body: Data? = nil,
        contentType: String = "application/json", timeout: Duration = .seconds(30)
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.body = body
        self.contentType = contentType
        self.timeout = timeout
    }

    /// Returns the address below a base URL, whose own path comes first.
    package func url(below base: URL) -> URL? {
        guard var parts = URLComponents(url: base, resolvingAgainstBaseURL: true) else { return nil }
        var prefix = parts.percentEncodedPath
        while prefix.hasSuffix("/") { prefix.removeLast() }
        parts.percentEncodedPath = prefix + path
        parts.fragment = nil
        if !query.isEmpty { parts.queryItems = query }
        return parts.url
    }
}
