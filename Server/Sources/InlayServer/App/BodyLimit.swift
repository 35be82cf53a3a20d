import Hummingbird
import InlayWire

/// Refuses a body that says it is too large before a byte of it is read.
///
/// A body without a stated length is counted while it is read, by ``Hummingbird/Request/json(_:limit:)``.
struct BodyLimit: RouterMiddleware {
    typealias Context = ServerContext

    /// What a route takes unless its page says otherwise: 1 MiB.
    static let standard = 1 << 20

    func handle(
        _ request: Request, context: ServerContext,
        next: (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        let limit = Self.limit(at: request.uri.path)
        if let text = request.headers[.contentLength], let length = Int(text), length > limit {
            throw Problem.bodyTooLarge(limit: limit)
        }
        return try await next(request, context)
    }

    /// What the route at a path takes; files and whole sources of content are larger than anything else.
    static func limit(at path: String) -> Int {
        let parts = path.split(separator: "/", omittingEmptySubsequences: true)
        if parts.starts(with: ["workbench", "e"]) { return uploadLimit(parts.dropFirst(3).map(String.init)) }
        guard parts.count >= 4, parts.starts(with: ["v1", "hub"]) else { return standard }
        if parts[3] == "files" { return HubLimits.videoBytes }
        return parts[3] == "publish" ? HubLimits.manifestBytes : standard
    }

    /// What the Workbench takes within an environment, at `hub/guide/files` or `behaviors/lists/7/import`.
    private static func uploadLimit(_ parts: [String]) -> Int {
        switch (parts.first, parts.last, parts.count) {
        case ("hub", "files", 3): HubLimits.videoBytes
        case ("behaviors", "import", 4): ContactStore.largestImport
        default: standard
        }
    }
}
