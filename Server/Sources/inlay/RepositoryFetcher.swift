import AsyncHTTPClient
import Foundation
import InlayCardsServer
import InlayServerCore
@_spi(Inlay) import InlayTrust

/// A fetcher of a TUF repository at two base URLs.
///
/// It reads only as fast as the verifier consumes the bytes, so an endless response fills no memory. (Foundation on
/// Linux reads ahead without a limit.) It follows no redirects and decompresses nothing.
struct RepositoryFetcher: TrustFetcher {
    let metadata: URL
    let targets: URL
    let client: HTTPClient

    /// Runs `body` with an HTTP client that is shut down afterwards.
    static func with<Value>(_ body: (HTTPClient) async throws -> Value) async throws -> Value {
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
        configuration.timeout.connect = .seconds(10)
        let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        do {
            let value = try await body(client)
            try await client.shutdown()
            return value
        } catch {
            try? await client.shutdown()
            throw error
        }
    }

    func fetch(_ request: TrustRequest, receive: @escaping @Sendable (Data) throws -> Void) async throws {
        // Concatenated as text: `URL` would resolve `..` in a path.
        let base = (request.tree == .metadata ? metadata : targets).absoluteString
        let url = base + (base.hasSuffix("/") ? "" : "/") + request.urlPath
        // The verifier has a shorter deadline.
        let response = try await client.execute(HTTPClientRequest(url: url), timeout: .hours(2))
        switch response.status.code {
        case 200: break
        // Storage services answer 403 for missing files.
        case 403, 404, 410: throw TrustFetchError.notFound
        case let code: throw TrustFetchError.unreachable("HTTP \(code)")
        }
        for try await buffer in response.body { try receive(Data(buffer.readableBytesView)) }
    }
}
