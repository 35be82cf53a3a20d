import Foundation
import InlayCore
@_spi(Inlay) import InlayTrust
@_spi(Inlay) import InlayWire

/// A fetcher of a source's files over the session's transport: the same requests for every user, without token and
/// without a user's id.
///
/// Large files come in pieces, so that progress shows and no answer has to be large. A server that ignores the range
/// sends the whole file, which works too.
struct HubTransportFetcher: TrustFetcher {
    static let pieceBytes = 1 << 20

    let session: SessionContext
    let source: String
    let limits: HubLimits
    let progress: HubDownloadProgress

    func fetch(_ request: TrustRequest, receive: @escaping @Sendable (Data) throws -> Void) async throws {
        let url = try url(request.tree, request.urlPath)
        guard request.tree == .targets, request.maximumBytes > Self.pieceBytes else {
            let body = try await answer(url, headers: [:], maximumBytes: request.maximumBytes).body
            if request.tree == .targets { progress.received(body.count) }
            return try receive(body)
        }
        var offset = 0
        while offset < request.maximumBytes {
            let end = min(offset + Self.pieceBytes, request.maximumBytes) - 1
            let answer = try await answer(
                url, headers: ["Range": "bytes=\(offset)-\(end)"], maximumBytes: request.maximumBytes)
            progress.received(answer.body.count)
            try receive(answer.body)
            if answer.status != 206 { return }
            // A short piece is the last one; the hash shows whether the file is the right one.
            guard answer.body.count == end + 1 - offset else { return }
            offset = end + 1
        }
    }

    /// Returns the first root of the source, not verified.
    func firstRoot() async throws -> Data {
        try await answer(
            url(.metadata, "1.root.json"), headers: [:], maximumBytes: HubAnchor.maximumRootBytes
        ).body
    }

    private func answer(_ url: URL, headers: [String: String], maximumBytes: Int) async throws
        -> TransportResponse
    {
        let request = TransportRequest(
            url: url, headers: headers, timeout: limits.time(for: maximumBytes),
            maximumResponseBytes: maximumBytes)
        session.log.operation("GET \(url.path)")
        let response: TransportResponse
        do { response = try await session.transport.send(request) } catch {
            switch error {
            case .tooLarge: throw TrustError(.endlessData, "more than \(maximumBytes) bytes")
            case .timedOut: throw TrustError(.slowRetrieval, "\(request.timeout) were not enough")
            case .cancelled: throw CancellationError()
            default: throw TrustFetchError.unreachable("\(error)")
            }
        }
        switch response.status {
        case 200, 206: return response
        case 404, 410, 403: throw TrustFetchError.notFound
        default: throw TrustFetchError.unreachable("status \(response.status)")
        }
    }

    private func url(_ tree: TrustRequest.Tree, _ path: String) throws -> URL {
        let environment = session.configuration.environmentID
        let folder =
            tree == .metadata
            ? InlayPath.hubMetadata(environment: environment, source: source)
            : InlayPath.hubTargets(environment: environment, source: source)
        guard let url = APICall("GET", folder + path).url(below: session.configuration.baseURL) else {
            throw TrustFetchError.unreachable("no address for \(path)")
        }
        guard Self.isSecure(url) else {
            throw TrustFetchError.unreachable("content is fetched over https only")
        }
        return url
    }

    /// Whether nobody on the network can listen: TLS, or a server on this very machine.
    static func isSecure(_ url: URL) -> Bool {
        url.scheme?.lowercased() == "https" || ["127.0.0.1", "localhost", "::1"].contains(url.host ?? "")
    }
}
