import Foundation
@_spi(Inlay) import InlayCore
@_spi(Inlay) import InlayWire

/// The sender of tracker calls: plain GETs without the session's token and without its key.
///
/// The exchange's trackers and the advertisers' trackers have a lane each, so that an advertiser's dead host does not
/// delay the trackers that ads are billed by.
struct AdTrackerCarrier: OutboxCarrier {
    /// The maximum size of a response, whose body is ignored.
    private static let maximumResponseBytes = 65_536

    let transport: GatedTransport
    let counter: AdAddressCounter
    let userAgent: @Sendable () -> String?

    /// Returns the lane of the exchange's trackers: one by one and in order, so that no click arrives before its view.
    static func own(_ carrier: AdTrackerCarrier) -> OutboxLane {
        OutboxLane(
            name: "ads-own", carrier: carrier, batchSize: 1, maximumTries: 4,
            maximumAge: .seconds(7 * 86_400),
            maximumBytes: 1 << 20)
    }

    /// Returns the lane of the advertisers' trackers: up to 16 at the same time, given up after a day.
    static func foreign(_ carrier: AdTrackerCarrier) -> OutboxLane {
        OutboxLane(
            name: "ads-foreign", carrier: carrier, batchSize: 16, flushCount: 1, maximumTries: 4,
            maximumAge: .seconds(86_400), maximumBytes: 1 << 19)
    }

    func send(_ items: [OutboxItem], through api: APIClient) async throws -> [OutboxReply] {
        let results = await withTaskGroup(of: (String, Result<OutboxReply, APIError>).self) { group in
            for item in items { group.addTask { (item.id, await self.call(item)) } }
            return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
        let replies = items.compactMap { try? results[$0.id]?.get() }
        // Trackers without a response are sent in the next batch, or, when none had a response, at the next try.
        guard replies.isEmpty, let first = items.first, let result = results[first.id] else { return replies }
        return [try result.get()]
    }

    func verdict(on error: APIError, items: Int) -> OutboxVerdict {
        guard case .refused(let problem) = error.kind, (400..<500).contains(problem.status),
            ![408, 425, 429].contains(problem.status)
        else { return .wait(retryAfter: error.retryAfter) }
        return .spend(problem, retryAfter: error.retryAfter)
    }

    private func call(_ item: OutboxItem) async -> Result<OutboxReply, APIError> {
        await call(String(decoding: item.body, as: UTF8.self), id: item.id)
    }

    /// Calls one tracker. A failure may be tried again; a reply with a refusal may not.
    func call(_ address: String, id: String) async -> Result<OutboxReply, APIError> {
        let result = await attempt(address, id)
        if case .failure = result { counter.failed(address) }
        if case .success(let reply) = result, reply.refusal != nil { counter.failed(address) }
        return result
    }

    private func attempt(_ address: String, _ id: String) async -> Result<OutboxReply, APIError> {
        guard let url = WebAddress.url(address) else {
            return .success(OutboxReply(id: id, refusal: Self.noAddress))
        }
        do throws(TransportError) {
            let response = try await transport.send(
                TransportRequest(
                    url: url, headers: userAgent().map { ["User-Agent": $0] } ?? [:], timeout: .seconds(15),
                    maximumResponseBytes: Self.maximumResponseBytes))
            return reply(to: response, id, isSecure: url.scheme?.lowercased() == "https")
        } catch {
            switch error {
            // The host answered, only with a larger body than is read.
            case .tooLarge: return .success(OutboxReply(id: id))
            case .denied, .unsupported: return .success(OutboxReply(id: id, refusal: Self.denied))
            default: return .failure(APIError(.network(error)))
            }
        }
    }

    private func reply(
        to response: TransportResponse, _ id: String, isSecure: Bool
    ) -> Result<OutboxReply, APIError> {
        switch response.status {
        case 200..<300: return .success(OutboxReply(id: id))
        // Trackers redirect to one another. Over plain http, a redirect may lead to the log-in page of a network.
        case 300..<400 where isSecure: return .success(OutboxReply(id: id))
        default:
            // At most an hour, because the servers are not Inlay's.
            let wait = response.headers["retry-after"].flatMap { Int($0) }
                .map { Duration.seconds(min(max($0, 0), 3600)) }
            return .failure(
                APIError(
                    .refused(
                        Problem(
                            .foreignAnswer, status: response.status, title: "Status \(response.status)")),
                    retryAfter: wait))
        }
    }

    private static let noAddress = Problem(.invalidValue, status: 400, title: "The tracker is no web address")
    private static let denied = Problem(.forbidden, status: 403, title: "The app's gate denies the address")
}
