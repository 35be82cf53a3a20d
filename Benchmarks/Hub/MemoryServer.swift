import Foundation
@_spi(Inlay) import InlayCore

/// A transport that serves files from memory, so that the benchmark measures the device and not the network.
final class MemoryServer: Transport {
    private let state: Locked<(files: [String: Data], sent: Int)>

    init(files: [String: Data]) { state = Locked((files, 0)) }

    /// The number of body bytes sent since the files were replaced.
    var sent: Int { state.withLock { $0.sent } }

    /// Replaces the files and resets the count.
    func replace(_ files: [String: Data]) { state.withLock { $0 = (files, 0) } }

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        let path = request.url.path.split(separator: "/").dropFirst(4).joined(separator: "/")
        return state.withLock { state in
            guard let data = state.files[path] else { return TransportResponse(status: 404) }
            state.sent += data.count
            return TransportResponse(status: 200, body: data)
        }
    }

    func openSocket(_ request: TransportRequest) async throws(TransportError) -> any TransportSocket {
        throw .unsupported("sockets")
    }
}
