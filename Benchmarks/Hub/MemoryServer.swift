import Foundation
import InlayCore

/// A server in the same process: what is measured is the device, not the network.
final class MemoryServer: Transport {
    private let state: Locked<(files: [String: Data], sent: Int)>

    init(files: [String: Data]) { state = Locked((files, 0)) }

    /// The bytes of bodies that were sent since the files were replaced.
    var sent: Int { state.withLock { $0.sent } }

    /// Serves other files from now on, and counts anew.
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
