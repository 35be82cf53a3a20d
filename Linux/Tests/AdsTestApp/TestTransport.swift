import Foundation
@_spi(Inlay) import InlayCore
@_spi(Inlay) import InlayWire
import NIOConcurrencyHelpers

/// A transport that answers ad requests with the test's response, serves the test's files, and accepts every other
/// request as a tracker.
final class TestTransport: Transport {
    private struct File {
        let path: String
        let type: String
        let status: Int
    }

    private struct State {
        var answer: (status: Int, body: Data) = (204, Data())
        var files: [String: File] = [:]
        var isCut = false
    }

    private let state = NIOLockedValueBox(State())

    func answer(_ status: Int, _ body: JSONValue?) {
        let data = body.flatMap { try? JSONEncoder().encode($0) } ?? Data()
        state.withLockedValue { $0.answer = (status, data) }
    }

    func serve(_ address: String, path: String, type: String, status: Int) {
        state.withLockedValue { $0.files[address] = File(path: path, type: type, status: status) }
    }

    /// Makes every later request fail as unreachable, or ends this.
    func cut(_ isCut: Bool) { state.withLockedValue { $0.isCut = isCut } }

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        guard !state.withLockedValue({ $0.isCut }) else { throw .unreachable("The network is cut.") }
        if request.method == "POST", request.url.path.hasSuffix(InlayPath.adRequestDocumented) {
            let body = request.body.flatMap { try? JSONDecoder().decode(JSONValue.self, from: $0) }
            Report.line(["request": body ?? .null])
            let answer = state.withLockedValue { $0.answer }
            return TransportResponse(
                status: answer.status, headers: ["Content-Type": "application/json"], body: answer.body)
        }
        let address = request.url.absoluteString
        guard let file = state.withLockedValue({ $0.files[address] }) else {
            Report.line(["called": .string(address), "method": .string(request.method)])
            return TransportResponse(status: 204)
        }
        Report.line(["fetched": .string(address)])
        let data = (try? Data(contentsOf: URL(fileURLWithPath: file.path))) ?? Data()
        return TransportResponse(status: file.status, headers: ["Content-Type": file.type], body: data)
    }

    func openSocket(_ request: TransportRequest) async throws(TransportError) -> any TransportSocket {
        throw .upgradeRefused(status: 404)
    }
}
