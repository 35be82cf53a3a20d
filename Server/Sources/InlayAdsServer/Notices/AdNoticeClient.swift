import InlayServerCore
import NIOCore

/// A client that calls the URL of a notice once, without redirects or credentials, and never in a private network.
struct AdNoticeClient: Sendable {
    /// The time of a lookup and a call together; it ends well before the job's claim.
    private static let limit: TimeAmount = .seconds(8)

    private let client: OutgoingClient

    init(_ addressGuard: AddressGuard) {
        // As many hosts as concurrent calls, so that a host that hangs does not take the place of another.
        client = OutgoingClient(addressGuard, maximumHosts: AdNoticeJobs.maximumCalls)
    }

    /// Sends the notice once, within eight seconds, and returns the outcome.
    func send(_ notice: AdNotice) async -> AdNoticeOutcome {
        var request = OutgoingRequest(url: notice.url)
        if !notice.deviceAddress.isEmpty {
            request.headers.add(name: "X-Device-IP", value: notice.deviceAddress)
        }
        if !notice.userAgent.isEmpty {
            request.headers.add(name: "X-Device-User-Agent", value: notice.userAgent)
        }
        do {
            let response = try await client.send(request, for: notice.lane, until: .now() + Self.limit)
            return (200..<300).contains(response.status)
                ? .acknowledged(response.status) : .rejected(response.status)
        } catch {
            return AdNoticeOutcome(error)
        }
    }

    /// Ends all connections; later sends fail.
    func close() async { await client.close() }
}

extension AdNoticeOutcome {
    /// A refused address is tried again, because one wrong answer of a resolver must not lose a bill. A call that was
    /// not made because too many were under way is tried again too.
    fileprivate init(_ failure: OutgoingFailure) {
        switch failure {
        case .invalidURL: self = .impossible(failure.description)
        case .refusedAddress, .busy: self = .notCalled(failure.description)
        case .timeout, .connection, .tooLarge, .unreadable: self = .unanswered(failure.description)
        }
    }
}
