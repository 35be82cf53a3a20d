import InlayOpenRTB
import InlayServerCore
import NIOCore

/// A client that sends bid requests over persistent connections, and limits the time and size of responses.
final class BidderClient: Sendable {
    /// The outcome of a bid request.
    enum Outcome: Sendable {
        /// No bid: 204, or an empty body.
        case none
        /// A body of 200.
        case body(ByteBuffer)
        /// A failure, which counts against the bidder.
        case failure(Failure)
        /// The bidder was not called, because this server calls too many others. It does not count against the bidder.
        case notCalled

        /// Whether the bidder was called.
        var wasCalled: Bool { if case .notCalled = self { false } else { true } }
    }

    /// The ways in which a bidder can fail.
    enum Failure: String, Error, Sendable, CaseIterable {
        case timeout
        case connection
        case status
        case tooLarge = "too-large"
        case unreadable
        /// The host is in a network that this server does not call.
        case refusedAddress = "refused-address"
    }

    private let client: OutgoingClient

    init(_ addressGuard: AddressGuard, maximumHosts: Int = 1_024) {
        // There may be many bidders, and each gets many requests at once.
        client = OutgoingClient(addressGuard, connections: 64, maximumHosts: maximumHosts)
    }

    /// Sends a bid request and returns its outcome. The deadline covers the whole response.
    func ask(_ endpoint: String, _ body: ByteBuffer, until deadline: NIODeadline) async -> Outcome {
        var request = OutgoingRequest(url: endpoint, method: .POST, body: body)
        request.headers = ["Content-Type": "application/json", "x-openrtb-version": OpenRTB.version]
        request.maximumBodySize = OpenRTB.maximumResponseBytes
        do throws(OutgoingFailure) {
            let response = try await client.send(request, for: endpoint, until: deadline)
            switch response.status {
            case 204: return .none
            case 200: return response.body.readableBytes > 0 ? .body(response.body) : .none
            default: return .failure(.status)
            }
        } catch .busy {
            return .notCalled
        } catch {
            return .failure(Failure(error))
        }
    }

    /// Ends the connections; later calls get no response.
    func close() async { await client.close() }
}

extension BidderClient.Failure {
    fileprivate init(_ failure: OutgoingFailure) {
        switch failure {
        case .timeout: self = .timeout
        case .tooLarge: self = .tooLarge
        case .unreadable: self = .unreadable
        case .refusedAddress: self = .refusedAddress
        case .invalidURL, .connection, .busy: self = .connection
        }
    }
}
