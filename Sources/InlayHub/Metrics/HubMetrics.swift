import Foundation
import InlayCore
@_spi(Inlay) import InlayWire

/// A recorder of reading metrics: counts each event once, under the active user's id, on disk until the server has it.
final class HubMetrics: Sendable {
    // Stored with its items, so it must never change.
    private static let laneName = "hub-metrics"
    // Before the first token there is no store, and a start without one must not fill memory.
    private static let maximumWaiting = 64

    private let configuration: HubConfiguration.Metrics?
    private let session: SessionContext
    private let user: @Sendable () -> String?
    private let advertiser: @Sendable () -> String?
    private let events: AsyncStream<AnalyticsEvent>
    private let continuation: AsyncStream<AnalyticsEvent>.Continuation

    init(
        _ configuration: HubConfiguration.Metrics?, session: SessionContext,
        user: @escaping @Sendable () -> String?, advertiser: @escaping @Sendable () -> String?
    ) {
        self.configuration = configuration
        self.session = session
        self.user = user
        self.advertiser = advertiser
        (events, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1024))
    }

    static func lane(to server: URL) -> OutboxLane {
        OutboxLane(
            name: laneName, carrier: HubMetricsWire(isSecure: HubTransportFetcher.isSecure(server)),
            batchSize: 200, flushAfter: .seconds(10), maximumAge: .seconds(30 * 86_400), maximumBytes: 4 << 20
        )
    }

    /// Counts an event under the user who is active now. Nothing happens while metrics are disabled.
    func record(_ name: String, _ properties: [String: JSONValue] = [:]) {
        guard let configuration else { return }
        var properties = properties
        properties["user"] = user().map { .string($0) }
        properties["advertiserID"] = advertiser().map { .string($0) }
        properties["application"] = configuration.applicationID.map { .string($0) }
        properties["queue"] = configuration.queue.map { .string($0) }
        let now = session.serverClock.now()
        continuation.yield(
            AnalyticsEvent(
                id: UUIDv7.make(at: now), name: name, time: now, clientVersion: session.api.clientVersion,
                properties: properties))
    }

    /// Registers the lane, also for items of an earlier run. Nothing happens while metrics are disabled.
    func register() async {
        guard configuration != nil else { return }
        await session.outbox.register(Self.lane(to: session.configuration.baseURL))
    }

    /// Stores events in their order until the session ends; the lane must be there.
    func run() async {
        guard configuration != nil else { return }
        var waiting: [AnalyticsEvent] = []
        for await event in events {
            waiting.append(event)
            waiting = await store(waiting)
        }
    }

    /// Stores events; returns those that must wait for the first token.
    private func store(_ events: [AnalyticsEvent]) async -> [AnalyticsEvent] {
        for (index, event) in events.enumerated() {
            do {
                try await session.outbox.enqueue(event, lane: Self.laneName)
            } catch StoreError.noUser {
                return Array(events[index...].suffix(Self.maximumWaiting))
            } catch {
                session.log.operation("hub: \(event.name) could not be kept: \(error)")
            }
        }
        return []
    }
}

/// A wire that posts reading metrics to the session's own server, but never over a connection that others could read.
private struct HubMetricsWire: OutboxWire {
    /// Whether the connection to the server uses TLS or stays on this machine.
    let isSecure: Bool
    private let batch = BatchWire(path: InlayPath.analytics)

    func call(for items: [OutboxItem]) throws -> APICall {
        // This error keeps the items: they are sent once the app has a server with TLS.
        guard isSecure else {
            throw APIError(.network(.unreachable("what was read is sent over https only")))
        }
        return batch.call(for: items)
    }

    func replies(to items: [OutboxItem], by response: APIResponse) throws(APIError) -> [OutboxReply] {
        try batch.replies(to: items, by: response)
    }
}
