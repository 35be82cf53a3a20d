import Foundation
import InlayTrust

/// Fetches from a folder in the app, which is laid out as the server serves it.
struct FolderFetcher: TrustFetcher, FirstRoot {
    let folder: URL

    func fetch(_ request: TrustRequest, receive: @escaping @Sendable (Data) throws -> Void) async throws {
        try receive(
            try file(
                request.tree == .metadata ? "metadata" : "targets", request.path, most: request.maximumBytes))
    }

    func metadata(_ name: String, most: Int) throws -> Data { try file("metadata", name, most: most) }

    private func file(_ tree: String, _ path: String, most: Int) throws -> Data {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard !parts.contains(where: { $0.isEmpty || $0 == "." || $0 == ".." }) else {
            throw TrustFetchError.notFound
        }
        let place = folder.appendingPathComponent(tree).appendingPathComponent(path)
        guard let data = DurableFiles.read(place, limit: most) else { throw TrustFetchError.notFound }
        return data
    }
}
