public import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A repository behind two base URLs, over the system's HTTP.
///
/// Sends no cookie, no user and no header that tells one device from another; keeps no cache. Redirects
/// are not followed: where content comes from is the app's to say.
public final class URLSessionTrustFetcher: TrustFetcher {
    private let metadata: URL
    private let targets: URL
    private let session: URLSession
    private let downloads: URLSessionDownloads

    /// A repository's two trees. Whether plain http may be used is the caller's to check: the signatures hold
    /// either way, but others on the network could read along.
    public init(metadata: URL, targets: URL) {
        (self.metadata, self.targets) = (metadata, targets)
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.urlCache = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        downloads = URLSessionDownloads()
        session = URLSession(configuration: configuration, delegate: downloads, delegateQueue: nil)
    }

    // Ends the session's hold on its delegate.
    deinit { session.invalidateAndCancel() }

    public func fetch(_ request: TrustRequest, receive: @escaping @Sendable (Data) throws -> Void)
        async throws
    {
        let base = request.tree == .metadata ? metadata : targets
        // Put together as text: URL's own joining would take `..` in a path for a step up.
        var text = base.absoluteString
        if !text.hasSuffix("/") { text += "/" }
        guard let url = URL(string: text + request.urlPath) else {
            throw TrustFetchError.unreachable("no URL can be made for \(request.urlPath)")
        }
        var call = URLRequest(url: url)
        // Bytes as they are published: hashes and caps are about those, not about what they unpack to.
        call.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
        let task = session.dataTask(with: call)
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                downloads.begin(task, receive) { continuation.resume(with: $0) }
                task.resume()
            }
        } onCancel: {
            task.cancel()
        }
    }
}
