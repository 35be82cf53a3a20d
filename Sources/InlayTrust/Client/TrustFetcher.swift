public import Foundation
@_spi(Inlay) import InlayWire

/// A request for one file of a repository.
@_spi(Inlay) public struct TrustRequest: Sendable, Equatable {
    /// One of the two trees of a repository.
    public enum Tree: Sendable { case metadata, targets }

    /// The tree.
    public let tree: Tree

    /// The path in the tree, not encoded, for folders: always a plain relative path for metadata, and as the publisher
    /// wrote it for targets.
    public let path: String

    /// The path in the tree, each part percent-encoded, for URLs.
    public let urlPath: String

    /// The maximum bytes of the file; more are refused, and a fetcher may stop there itself.
    public let maximumBytes: Int

    static func metadata(_ role: String, version: Int?, maximumBytes: Int) -> TrustRequest {
        let name = (version.map { "\($0)." } ?? "") + PercentEncoding.encode(role) + ".json"
        // Encoded once, as other clients ask for it: a role's name cannot become a path or a query.
        return TrustRequest(tree: .metadata, path: name, urlPath: name, maximumBytes: maximumBytes)
    }

    static func target(_ path: String, maximumBytes: Int) -> TrustRequest {
        TrustRequest(
            tree: .targets, path: path, urlPath: PercentEncoding.encode(path: path),
            maximumBytes: maximumBytes)
    }
}

/// The reason why a fetcher has no bytes.
@_spi(Inlay) public enum TrustFetchError: Error, Equatable, Sendable {
    /// The repository answers, and has no such file.
    case notFound
    /// There was no useful answer; the text is for logs.
    case unreachable(String)
}

/// A source of files. It is not trusted: it only carries bytes.
@_spi(Inlay) public protocol TrustFetcher: Sendable {
    /// Passes the file's bytes to `receive` piece by piece, as they arrive, and returns after the last.
    ///
    /// - `receive` throws when the client has seen enough: stop then, and let the error out.
    /// - Must end soon after its task is cancelled: that is how a slow repository is left.
    /// - Throws `TrustFetchError.notFound` for a missing file, else whatever went wrong.
    func fetch(_ request: TrustRequest, receive: @escaping @Sendable (Data) throws -> Void) async throws
}
