import AsyncHTTPClient
import Foundation
import InlayTrust

/// A repository behind two base URLs.
///
/// Reads from the network only as fast as the verifier takes the bytes: a server that never stops sending
/// fills the socket's buffer and nothing else. (Foundation on Linux reads ahead without a limit.) Redirects
/// are not followed, and nothing is unpacked.
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
        // Put together as text: URL's own joining would take `..` in a path for a step up.
        let base = (request.tree == .metadata ? metadata : targets).absoluteString
        let url = base + (base.hasSuffix("/") ? "" : "/") + request.urlPath
        // The verifier's own deadline is shorter.
        let response = try await client.execute(HTTPClientRequest(url: url), timeout: .hours(2))
        switch response.status.code {
        case 200: break
        // Storage services answer 403 for files that are not there.
        case 403, 404, 410: throw TrustFetchError.notFound
        case let code: throw TrustFetchError.unreachable("HTTP \(code)")
        }
        for try await buffer in response.body { try receive(Data(buffer.readableBytesView)) }
    }
}
