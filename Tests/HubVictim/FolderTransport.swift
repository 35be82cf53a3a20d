import Foundation
import InlayCore

/// A server that is a folder; its newest version is the one it was told.
struct FolderTransport: Transport {
    let folder: URL
    let version: Int64

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        // /v1/hub/<environment>/<source>/<tree>/<path>
        let parts = request.url.path.split(separator: "/").dropFirst(4).map(String.init)
        var path = parts.joined(separator: "/")
        if path == "metadata/timestamp.json" { path = "timestamps/\(version).json" }
        guard let data = try? Data(contentsOf: folder.appendingPathComponent(path)) else {
            return TransportResponse(status: 404)
        }
        return TransportResponse(status: 200, body: data)
    }

    func openSocket(_ request: TransportRequest) async throws(TransportError) -> any TransportSocket {
        throw .unsupported("sockets")
    }
}
