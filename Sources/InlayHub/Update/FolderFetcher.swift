import Foundation
import InlayTrust

/// Fetches from a folder in the app, which is laid out as the server serves it.
struct FolderFetcher: TrustFetcher {
    let folder: URL

    func fetch(_ request: TrustRequest, receive: @escaping @Sendable (Data) throws -> Void) async throws {
        let parts = request.path.split(separator: "/", omittingEmptySubsequences: false)
        guard !parts.contains(where: { $0.isEmpty || $0 == "." || $0 == ".." }) else {
            throw TrustFetchError.notFound
        }
        let tree = folder.appendingPathComponent(request.tree == .metadata ? "metadata" : "targets")
        let file = tree.appendingPathComponent(request.path)
        guard let data = DurableFiles.read(file, limit: request.maximumBytes) else {
            throw TrustFetchError.notFound
        }
        try receive(data)
    }
}
