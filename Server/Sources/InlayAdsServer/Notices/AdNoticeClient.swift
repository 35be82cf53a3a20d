import InlayServerCore
import NIOCore

/// Calls the address of a notice, once: no redirects, no credentials, and no private network.
struct AdNoticeClient: Sendable {
    /// A lookup and a call, well before the notice's claim ends.
    private static let limit: TimeAmount = .seconds(8)

    private let client: OutgoingClient

    init(_ addressGuard: AddressGuard) {
        // As many hosts as calls under way at once: none that hangs takes another one's place.
        client = OutgoingClient(addressGuard, maximumHosts: AdNoticeJobs.maximumCalls)
    }

    /// Calls it once, within eight seconds.
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
                ? .acknowledged(response.status) : .later(response.status)
        } catch {
            return AdNoticeOutcome(error)
        }
    }

    /// Ends all connections; later sends fail.
    func close() async { await client.close() }
}

extension AdNoticeOutcome {
    /// A refused address is tried again: one wrong answer of a resolver must not lose a bill. So is a call that was not
    /// made because too many were under way.
    fileprivate init(_ failure: OutgoingFailure) {
        switch failure {
        case .invalidURL: self = .impossible(failure.description)
        case .refusedAddress, .busy: self = .refused(failure.description)
        case .timeout, .connection, .tooLarge, .unreadable: self = .silent(failure.description)
        }
    }
}
