import Foundation
@_spi(Inlay) import InlayCore
@_spi(Inlay) import InlayWire

/// Calls trackers: plain GETs that carry nothing of the session, neither token nor key.
///
/// Our own exchange's trackers and the advertisers' have a lane each: a dead host of an advertiser must not
/// hold up what is billed by.
struct AdTrackerCarrier: OutboxCarrier {
    /// The maximum size of a response, whose body is ignored.
    private static let maximumResponseBytes = 65_536

    let transport: GatedTransport
    let counter: AdAddressCounter
    let userAgent: @Sendable () -> String?

    /// The exchange's: one by one and in order, so that no click arrives before its view.
    static func own(_ carrier: AdTrackerCarrier) -> OutboxLane {
        OutboxLane(
            name: "ads-own", wire: carrier, batchSize: 1, maximumTries: 4, maximumAge: .seconds(7 * 86_400),
            maximumBytes: 1 << 20)
    }

    /// The advertisers': side by side, and given up after a day.
    static func foreign(_ carrier: AdTrackerCarrier) -> OutboxLane {
        OutboxLane(
            name: "ads-foreign", wire: carrier, batchSize: 16, flushCount: 1, maximumTries: 4,
            maximumAge: .seconds(86_400), maximumBytes: 1 << 19)
    }

    func exchange(_ items: [OutboxItem], through api: APIClient) async throws -> [OutboxReply] {
        let results = await withTaskGroup(of: (String, Result<OutboxReply, APIError>).self) { group in
            for item in items { group.addTask { (item.id, await self.call(item)) } }
            return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
        let replies = items.compactMap { try? results[$0.id]?.get() }
        // Trackers without an answer wait for the next batch, or, when none was answered, for the next try.
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

    /// One call; a failure means that it may be tried again.
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
            return judged(response, id, isSecure: url.scheme?.lowercased() == "https")
        } catch {
            switch error {
            // It answered, only with more than is read.
            case .tooLarge: return .success(OutboxReply(id: id))
            case .denied, .unsupported: return .success(OutboxReply(id: id, refusal: Self.denied))
            default: return .failure(APIError(.network(error)))
            }
        }
    }

    private func judged(
        _ response: TransportResponse, _ id: String, isSecure: Bool
    ) -> Result<OutboxReply, APIError> {
        switch response.status {
        case 200..<300: return .success(OutboxReply(id: id))
        // Counters redirect from one to the next. Over plain http it may be a network that wants a log-in.
        case 300..<400 where isSecure: return .success(OutboxReply(id: id))
        default:
            // An hour at most: these are other people's servers.
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
